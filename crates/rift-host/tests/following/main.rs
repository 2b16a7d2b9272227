//! Live hosts over real trees: what a host says after the tree moved is what a fresh one says.
#![allow(clippy::disallowed_methods, reason = "these tests write the trees that hosts follow")]

mod churn;
mod failures;
mod git;
mod patterns;
mod script;
mod stale;
mod views;
mod world;
