//! The shop's library.

pub mod config;

/// Adds two prices without overflow.
pub fn add_prices(left: u64, right: u64) -> u64 {
    left.saturating_add(right)
}
