//! Identities: the `rift://` addresses and the digests by which answers name what they speak of. Each is one
//! canonical text; parsing refuses every other spelling, so equal things have equal bytes.

mod owner;
mod scalar;
mod source;
mod symbol;
mod version;

#[cfg(test)]
mod tests;

pub use owner::{Owner, PackageManager, Scope};
pub use scalar::{CapturedViewId, Digest, PathPattern, RevisionId};
pub use source::{FileId, NodeId, SourceUnit, SourceUnitId};
pub use symbol::{Occurrence, SymbolId};

use crate::Violation;
use crate::limits::IDENTITY_MAX;
use rift_base::{NameError, escape_segment};

fn check_length(text: &str, min: usize) -> Result<(), Violation> {
    if (min..=IDENTITY_MAX).contains(&text.len()) { Ok(()) } else { Err(Violation::Length) }
}

fn name_violation(error: NameError, segment: Violation) -> Violation {
    match error {
        NameError::Segment => segment,
        NameError::Encoding => Violation::Encoding,
        NameError::Noncanonical => Violation::Noncanonical,
    }
}

/// Decodes one escaped component (a registry, a package name, a version), refusing every spelling but the one
/// that [`escape_segment`] prints.
fn component(text: &str) -> Result<String, Violation> {
    let path = rift_base::NamePath::parse(text).map_err(|e| name_violation(e, Violation::Owner))?;
    if text.contains('/') {
        return Err(Violation::Owner);
    }
    Ok(path.name().into_owned())
}

fn push_component(out: &mut String, text: &str) {
    out.push_str(&escape_segment(text));
}
