//! MCP for one workspace: a server that all its clients share, over HTTP on loopback, and the proxy that brings a client's
//! standard input and output to it.
//!
//! Requests run on blocking threads under a deadline that the client's cancellation reaches; answers are rendered here and
//! laid out nowhere else.
#![allow(clippy::disallowed_methods)]

mod activity;
mod auth;
mod calls;
mod catalog;
mod client;
pub mod debug;
mod detach;
mod election;
mod find;
mod folder;
mod http;
mod identity;
mod listing;
mod lock_file;
pub mod logs;
mod manage;
mod proxy;
mod remote;
mod server;
mod service;
mod slots;
mod sse;
mod status;
mod upstream;
mod workspace;

pub use calls::{Completed, Outcome, call, failed, read_map, read_workspace};
pub use catalog::{INSTRUCTIONS, TOOLS, tool_names};
pub use find::FindError;
pub use folder::FolderError;
pub use identity::Identity;
pub use lock_file::ServerLock;
pub use manage::{ServerState, Started, Stopped, server_state, start_server, stop_server};
pub use proxy::{Output, serve_stdio};
pub use remote::Remote;
pub use server::{ServeError, ServeOptions, root, serve};
pub use status::{Status, WatcherStatus};
pub use workspace::Workspace;
