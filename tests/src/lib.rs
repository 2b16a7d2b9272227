//! What the tests of the whole binary share: building and starting `rift`, a client that looks at raw protocol frames,
//! projects to ask questions about, and the peers that [`tests/setup.sh`](../setup.sh) installs.
//!
//! A helper that finds something wrong panics: it is called from tests alone.
#![allow(clippy::disallowed_methods)]

mod answers;
mod binary;
mod client;
mod foreground;
mod http;
mod peers;
mod project;
mod random;
mod repository;
mod server;

pub use answers::{Answers, is_behind};
pub use binary::{Outcome, command, rift, rift_in, rift_path};
pub use client::{Answer, Client, Options};
pub use foreground::Foreground;
pub use http::{Reply, exchange, json_post, request};
pub use peers::{Peer, has_sources, peer};
pub use project::Project;
pub use random::Random;
pub use server::{eventually, is_running, signal, stand_still};

/// Signals, as [`signal`] sends them.
pub use rustix::process::Signal;
