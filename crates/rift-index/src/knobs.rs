//! Development only.
#![allow(missing_docs)]

use std::collections::HashMap;
use std::sync::{LazyLock, RwLock};

static KNOBS: LazyLock<RwLock<HashMap<String, f32>>> = LazyLock::new(Default::default);

pub fn set(name: &str, value: f32) {
    KNOBS.write().unwrap_or_else(|e| e.into_inner()).insert(name.to_owned(), value);
}

pub fn knob(name: &str, default: f32) -> f32 {
    KNOBS.read().unwrap_or_else(|e| e.into_inner()).get(name).copied().unwrap_or(default)
}
