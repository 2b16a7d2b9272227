//! A ranking by nearness in the space of an embedding: static models read from memory, and tables of vectors that are
//! searched one by one. Nothing here fetches a model or reads a file.

mod model;
mod table;

pub use model::{Model, ModelError, ModelFiles};
pub use table::{FileVectors, Nearest, NearestBounds, VectorTable};
