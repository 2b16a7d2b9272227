//! The tools: one module each, from a request to an answer as plain data. They read views and nothing else; transport
//! and layout are other rooms.

mod context;
mod documents;
mod get_source;
mod get_symbol;
mod map;
mod nodes;
mod packages;
mod search;
mod symbol;
mod warnings;
mod workspace;

pub use context::{host_failure, interrupted};
pub use get_source::get_source;
pub use get_symbol::get_symbol;
pub use map::map;
pub use nodes::nodes;
pub use search::search;
pub use workspace::workspace;
