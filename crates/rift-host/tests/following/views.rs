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
    assert_eq!(first.keep(), "2023-11-14T22:23:20Z");
    let facts = Facts::of(&first);
    world.write("a.py", "def beta(): pass\n");
    assert!(world.host.rescan().expect("walks"));
    assert_ne!(world.settled().id(), id);

    hands.advance(VIEW_LIFETIME.as_secs() - 1);
    let held = world.host.view(&id).expect("one second is left");
    assert_eq!(Facts::of(&held), facts);
    // Use renews it.
    assert_eq!(held.keep(), "2023-11-14T22:33:19Z");
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
