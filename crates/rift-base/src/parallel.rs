//! Work of one request on several processors.
//!
//! Threads are made for the work and end with it, which costs some tens of microseconds each: nothing waits in a pool behind
//! the work of another request, and what holds a lease of the database never runs work that wants another one. Results do
//! not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};

/// The most threads that work on one request.
const THREADS_MAX: usize = 4;

/// The threads that a request may be worked on with: one for each processor that the process may use, at most four.
pub fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX))
}

/// Runs both, the second on a thread of its own where there is more than one processor. A panic of either is passed on.
pub fn join<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    if threads() < 2 {
        return (first(), second());
    }
    // Where the system refuses a thread, the work is still here.
    let work = Mutex::new(Some(second));
    let run = || {
        let second = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        second.map(|second| second())
    };
    thread::scope(|scope| {
        let other = Builder::new().spawn_scoped(scope, run);
        let first = first();
        let second = other.ok().and_then(joined).or_else(run);
        (first, second.expect("whoever takes the work does it"))
    })
}

/// What `work` makes of each item, in the order of items. A panic is passed on.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads().min(items.len());
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done: Vec<(usize, R)> = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut done = thread::scope(|scope| {
        // Threads that the system refuses leave their share to the others.
        let others: Vec<_> = (1..threads).filter_map(|_| Builder::new().spawn_scoped(scope, share).ok()).collect();
        let mut done = share();
        others.into_iter().for_each(|other| done.extend(joined(other)));
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, made)| made).collect()
}

fn joined<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_run() {
        let here = thread::current().id();
        let (first, second) = join(|| thread::current().id(), || thread::current().id());
        assert_eq!(first, here);
        assert_eq!(second == here, threads() < 2);
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
        assert!(caught(|| drop(join(|| (), || panic!("second")))));
        assert!(caught(|| drop(join(|| panic!("first"), || ()))));
        assert!(caught(|| drop(each(&[1, 2, 3], |item| assert_ne!(*item, 2)))));
    }
}
