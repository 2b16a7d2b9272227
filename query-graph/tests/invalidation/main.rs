//! What an edit may run, and what stands still: one row for each query, counts that must not grow with the workspace,
//! and a random walk of edits that must end where a fresh database starts.

mod bindings;
mod edits;
mod files;
mod includes;
mod modules;
mod packages;
mod random;
mod scale;
mod world;
