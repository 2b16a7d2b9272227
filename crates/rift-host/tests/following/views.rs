//! Views live until the time that they say.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rift_host::{Clock, Following, HostOptions, VIEW_LIFETIME, ViewError};

use crate::world::{Facts, World};

/// A clock that stands at a second until it is moved on.
#[derive(Clone, Default)]
struct Hands(Arc<AtomicU64>);

impl Hands {
    fn at(seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seconds)))
    }

    fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }

    fn clock(&self) -> Clock {
        let seconds = self.0.clone();
        Clock::new(move || SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.load(Ordering::Relaxed)))
    }
}

fn world(hands: &Hands) -> World {
    let files = [("a.py", "def alpha(): pass\n"), ("b/c.py", "class Widget: pass\n")];
    World::new(&files, HostOptions { clock: hands.clock(), following: Following::Told, ..HostOptions::default() })
}

#[test]
fn a_view_is_served_until_its_time_and_never_replaced_by_the_latest() {
    // `date -u -d @1700000000 +%FT%TZ` is 2023-11-14T22:13:20Z.
    let hands = Hands::at(1_700_000_000);
    let world = world(&hands);
    let first = world.settled();
    let id = first.id().to_owned();
    assert_eq!(world.host.view(&id).err(), Some(ViewError::Expired), "no answer has named it");
    assert_eq!(first.keep(), "2023-11-14T22:43:20Z");
    let facts = Facts::of(&first);
    world.write("a.py", "def beta(): pass\n");
    assert!(world.host.rescan().expect("walks"));
    assert_ne!(world.settled().id(), id);

    hands.advance(VIEW_LIFETIME.as_secs() - 1);
    let held = world.host.view(&id).expect("one second is left");
    assert_eq!(Facts::of(&held), facts);
    // Use renews it.
    assert_eq!(held.keep(), "2023-11-14T23:13:19Z");
    hands.advance(VIEW_LIFETIME.as_secs() - 1);
    assert!(world.host.view(&id).is_ok());
    hands.advance(1);
    assert_eq!(world.host.view(&id).err(), Some(ViewError::Expired));
    // The tree comes back to that state: the view stays refused until an answer names it again.
    world.write("a.py", "def alpha(): pass\n");
    assert!(world.host.rescan().expect("walks"));
    assert_eq!(world.settled().id(), id, "equal states of one workspace have equal ids");
    assert_eq!(world.host.view(&id).err(), Some(ViewError::Expired));
    world.settled().keep();
    assert!(world.host.view(&id).is_ok());
    assert_eq!(world.host.view(&"0".repeat(64)).err(), Some(ViewError::Context));
}

/// However many views are named, each lives as long as it was promised; the promises get shorter, and the number of rows
/// stays bounded.
#[test]
fn promises_are_kept_when_there_are_too_many() {
    let hands = Hands::at(1_700_000_000);
    let world = world(&hands);
    let mut promised: Vec<(u64, String)> = Vec::new();
    let now = |hands: &Hands| hands.0.load(Ordering::Relaxed);
    let mut shortest = u64::MAX;
    for round in 0..6000u64 {
        world.write("a.py", &format!("def alpha_{round}(): pass\n"));
        world.host.refresh(&[rift_base::ProjectPath::new("a.py").expect("a path")]).expect("reads");
        let view = world.host.current().expect("served");
        let until = seconds(&view.keep());
        shortest = shortest.min(until - now(&hands));
        promised.push((until, view.id().to_owned()));
        if round % 10 == 0 {
            hands.advance(1);
        }
        if round % 500 == 0 {
            for (until, id) in &promised {
                assert_eq!(world.host.view(id).is_ok(), *until > now(&hands), "{until} at {}", now(&hands));
            }
        }
    }
    let status = world.host.status();
    assert!(status.views <= rift_host::VIEWS_MAX as u64 && status.views > 1000, "{}", status.views);
    assert!((1..VIEW_LIFETIME.as_secs()).contains(&shortest), "{shortest}");
}

/// Seconds since 1970 of a time within these tests' days.
fn seconds(time: &str) -> u64 {
    let number = |range: std::ops::Range<usize>| time[range].parse::<u64>().expect("digits");
    // 2023-11-14T00:00:00Z.
    let day = 1_699_920_000 + (number(8..10) - 14) * 86_400;
    assert_eq!(&time[..8], "2023-11-");
    day + number(11..13) * 3600 + number(14..16) * 60 + number(17..19)
}

#[test]
fn what_only_views_hold_is_counted() {
    let hands = Hands::at(1_700_000_000);
    let world = world(&hands);
    world.settled().keep();
    let before = world.host.status().view_bytes;
    let large: String = (0..20_000).map(|n| format!("x{} ", n * 7919 % 104_729)).collect();
    world.write("large.md", &large);
    world.host.rescan().expect("walks");
    world.settled().keep();
    let grown = world.host.status().view_bytes - before;
    assert!(grown > 20_000, "{grown}");
    hands.advance(VIEW_LIFETIME.as_secs());
    world.write("a.py", "def beta(): pass\n");
    world.host.rescan().expect("walks");
    world.settled().keep();
    assert_eq!(world.host.status().views, 1);
    assert!(world.host.status().view_bytes < before + grown);
}
