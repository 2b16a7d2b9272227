//! What the tests of the whole binary share: building and starting `rift`, a client that looks at raw protocol frames,
//! projects to ask questions about, and the peers that [`tests/setup.sh`](../setup.sh) installs.
//!
//! A helper that finds something wrong panics: it is called from tests alone.
#![allow(clippy::disallowed_methods)]

mod binary;
mod client;
mod peers;
mod project;

pub use binary::{Outcome, command as rift_command, rift, rift_in, rift_path};
pub use client::{Answer, Client, Options};
pub use peers::{Peer, peer};
pub use project::Project;
