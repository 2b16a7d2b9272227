//! MCP: the tools and resources of one workspace over a transport. Requests run on blocking threads under a deadline that
//! the client's cancellation reaches; answers are rendered here and laid out nowhere else.

mod calls;
mod catalog;
pub mod logs;
mod service;

pub use calls::{Completed, Outcome, Workspace, call, failed, read_map, read_workspace};
pub use catalog::{INSTRUCTIONS, TOOLS, tool_names};
pub use service::{Output, serve_stdio};
