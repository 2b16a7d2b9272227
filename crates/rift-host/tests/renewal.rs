//! Memory over many edits, by what is counted: revisions weigh a bounded amount, whatever was edited before.
//!
//! Fault that these tests catch: leaving out the renewal, or the facts that are handed over.

#![allow(clippy::unwrap_used)]

mod common;

use std::time::{Duration, Instant};

use common::*;
use rift_base::ProjectPath;

/// What dead revisions may weigh, with some room for what is live in a small workspace.
const BOUND: u64 = 9 << 20;

/// Words that compress badly, another text for each number.
fn noise(number: u64, bytes: usize) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::new();
    while text.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push_str(&format!("# {state:016x}\n"));
    }
    text
}

#[test]
fn edits_without_end_weigh_a_bounded_amount() {
    let workspace = Workspace::new();
    let host = workspace.host();
    let held = host.current().unwrap();
    let before = answers(&held);
    let extracted = host.fact_work().extracted();
    let path = ProjectPath::new("web/view.py").unwrap();
    workspace.write("web/view.py", "def renamed():\n    pass\n");
    assert!(host.refresh(std::slice::from_ref(&path)).unwrap());
    // A lockfile is neither parsed nor searched, so that its size costs no more than memory.
    let path = ProjectPath::new("Cargo.lock").unwrap();
    let mut heaviest = 0;
    const EDITS: u64 = 300;
    for number in 0..EDITS {
        workspace.write("Cargo.lock", &noise(number, 64 << 10));
        assert!(host.refresh(std::slice::from_ref(&path)).unwrap());
        heaviest = heaviest.max(host.fact_work().weight());
    }
    assert!(heaviest > BOUND, "{heaviest}: nothing was there to be dropped");
    let deadline = Instant::now() + PATIENCE;
    while host.fact_work().weight() > BOUND {
        assert!(Instant::now() < deadline, "{} after all edits", host.fact_work().weight());
        std::thread::sleep(Duration::from_millis(20));
    }
    let work = host.fact_work();
    assert_eq!((work.extracted(), work.restored()), (extracted + 1, 0), "facts are handed over");
    same(&ask(&host), &fresh(&workspace));
    // The view from before every edit and every renewal answers as it did; what it alone needs comes from the store.
    assert_eq!(answers(&held), before);
    let work = host.fact_work();
    assert_eq!((work.extracted(), work.restored()), (extracted + 1, 1));
}

#[test]
fn flipping_between_branches_weighs_nothing_more() {
    let workspace = Workspace::new();
    let host = workspace.host();
    let paths: Vec<ProjectPath> = (0..8).map(|n| ProjectPath::new(&format!("flip/f{n}.py")).unwrap()).collect();
    let flip = |branch: u64| {
        for (number, path) in paths.iter().enumerate() {
            workspace.write(path.as_str(), &format!("def renamed_{branch}_{number}():\n    pass\n"));
        }
        assert!(host.refresh(&paths).unwrap());
    };
    flip(0);
    flip(1);
    let (weight, extracted) = (host.fact_work().weight(), host.fact_work().extracted());
    (0..200).for_each(|number| flip(number % 2));
    assert_eq!((host.fact_work().weight(), host.fact_work().extracted()), (weight, extracted));
    same(&ask(&host), &fresh(&workspace));
}
