//! Work of one request on several processors.
//!
//! A few threads stand by and take single steps of a request, never a whole one: who asks works on the rest meanwhile, and
//! does what nobody has taken yet by himself. They are kept because a new thread starts on the processor of the one that
//! makes it, and waits there until that one is done. Results do not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// The most threads that work on one request.
const THREADS_MAX: usize = 4;

/// The threads that a request may be worked on with: one for each processor that the process may use, at most four.
pub fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX))
}

/// The threads beside those of requests; none where there is one processor, or where the system refuses them.
fn helpers() -> Option<&'static ThreadPool> {
    static HELPERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let threads = threads() - 1;
        let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(|at| format!("rift-step-{at}"));
        (threads > 0).then(|| builder.build().ok()).flatten()
    };
    HELPERS.get_or_init(start).as_ref()
}

/// Runs both, at the same time where there is more than one processor. A panic of either is passed on.
pub fn join<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    let Some(helpers) = helpers() else { return (first(), second()) };
    let work = Mutex::new(Some(second));
    let made = Mutex::new(None);
    let run = || {
        let second = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(second) = second {
            let value = second();
            *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        }
    };
    let first = helpers.in_place_scope(|scope| {
        scope.spawn(|_| run());
        let first = first();
        run();
        first
    });
    let second = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    (first, second.expect("whoever took the work has ended it"))
}

/// What `work` makes of each item, in the order of items. A panic is passed on.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let Some(helpers) = helpers().filter(|_| items.len() > 1) else { return items.iter().map(work).collect() };
    let next = AtomicUsize::new(0);
    let made = Mutex::new(Vec::with_capacity(items.len()));
    let share = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let value = work(item);
            made.lock().unwrap_or_else(PoisonError::into_inner).push((at, value));
        }
    };
    helpers.in_place_scope(|scope| {
        for _ in 1..threads().min(items.len()) {
            scope.spawn(|_| share());
        }
        share();
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_run() {
        let here = thread::current().id();
        assert_eq!(join(|| thread::current().id(), || 2), (here, 2));
        // One waits for the other, which must run meanwhile.
        let (told, hears) = std::sync::mpsc::channel();
        if threads() > 1 {
            assert_eq!(join(|| hears.recv(), move || told.send(1)), (Ok(1), Ok(())));
        }
    }

    #[test]
    fn each_keeps_the_order() {
        let items: Vec<usize> = (0..1000).collect();
        let made = each(&items, |item| {
            if item % 7 == 0 {
                thread::yield_now();
            }
            item * 2
        });
        assert!(made.iter().enumerate().all(|(at, made)| *made == at * 2));
        assert_eq!(made.len(), 1000);
        assert_eq!(each(&[] as &[usize], |item| *item), []);
    }

    #[test]
    fn panics_are_passed_on() {
        let caught = |work: fn()| std::panic::catch_unwind(work).is_err();
        assert!(caught(|| _ = join(|| (), || panic!("second"))));
        assert!(caught(|| _ = join(|| panic!("first"), || ())));
        assert!(caught(|| _ = each(&[1, 2, 3], |item| assert_ne!(*item, 2))));
    }
}
