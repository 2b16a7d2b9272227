//! One writer that never rests, and readers: each answer is one complete written state, or says that it is behind.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rift_base::Deadline;
use rift_host::HostOptions;

use crate::world::{Facts, World, text};

/// What a file says in state `n`: long enough that half of it is no state, and its own check.
fn state(n: u64) -> String {
    let mut out = format!("# state {n}\n");
    for line in 0..200 {
        out.push_str(&format!("def alpha_{n}_{line}(): return {n}\n"));
    }
    out.push_str(&format!("# end {n}\n"));
    out
}

/// The state that `text` is; panics when it is none.
#[track_caller]
fn number(text: &str) -> u64 {
    let first =
        text.lines().next().and_then(|line| line.strip_prefix("# state ")).unwrap_or_else(|| panic!("{text:?}"));
    let n = first.parse().expect("a number");
    assert!(text == state(n), "a state in parts: {} bytes of {n}", text.len());
    n
}

fn run(writer: impl Fn(&World, u64) + Sync, pause: Duration, length: Duration) {
    let world = World::new(&[("a.py", &state(0)), ("b.py", "class Widget: pass\n")], HostOptions::default());
    let (stop, written) = (AtomicBool::new(false), AtomicU64::new(0));
    let (mut current, mut behind) = (0u64, 0u64);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 0;
            while !stop.load(Ordering::Relaxed) {
                n += 1;
                writer(&world, n);
                written.store(n, Ordering::SeqCst);
                std::thread::sleep(pause);
            }
        });
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let (mut current, mut behind) = (0u64, 0u64);
                    let mut held = Vec::new();
                    let end = Instant::now() + length;
                    while Instant::now() < end {
                        let before = written.load(Ordering::SeqCst);
                        let view = world.host.capture(&Deadline::never()).expect("served");
                        let said = text(&view, "a.py");
                        if view.stale().is_some() {
                            behind += 1;
                            continue;
                        }
                        current += 1;
                        let n = number(&said.expect("the file is always there"));
                        assert!(n >= before, "state {n} was answered after {before} had been written");
                        if current % 20 == 1 && held.len() < 8 {
                            view.keep();
                            held.push((view.id().to_owned(), Facts::of(&view)));
                        }
                    }
                    for (id, facts) in &held {
                        assert_eq!(Facts::of(&world.host.view(id).expect("held")), *facts);
                    }
                    assert!(!held.is_empty());
                    (current, behind)
                })
            })
            .collect();
        for reader in readers {
            let outcome = reader.join();
            stop.store(true, Ordering::Relaxed);
            let (c, b) = outcome.expect("reads");
            current += c;
            behind += b;
        }
    });
    assert!(current > 0, "every one of {behind} answers was behind");
    let last = written.load(Ordering::SeqCst);
    assert_eq!(text(&world.settled(), "a.py"), Some(state(last)));
    assert!(world.check().says_something());
}

#[test]
fn a_file_that_is_written_in_place() {
    run(|world, n| world.write("a.py", &state(n)), Duration::from_millis(5), Duration::from_secs(6));
}

#[test]
fn a_file_that_is_replaced() {
    let replace = |world: &World, n: u64| {
        world.write("a.py.new", &state(n));
        std::fs::rename(world.full("a.py.new"), world.full("a.py")).expect("moves");
    };
    run(replace, Duration::from_millis(3), Duration::from_secs(6));
}

/// Written without a pause, in pieces.
#[test]
fn a_file_that_is_never_at_rest() {
    let pieces = |world: &World, n: u64| {
        use std::io::Write as _;
        let text = state(n);
        let mut file = std::fs::File::create(world.full("a.py")).expect("cuts");
        for piece in text.as_bytes().chunks(1000) {
            file.write_all(piece).expect("writes");
        }
    };
    run(pieces, Duration::from_micros(200), Duration::from_secs(6));
}
