//! The view line, and answers that nothing can be said in.

use rift_protocol::{CapturedView, UnavailableReason};

use crate::text::Text;

/// `view ID · expires TIMESTAMP`. The id is written whole: a later request sends it.
pub(crate) fn captured(text: &mut Text, view: Option<&CapturedView>) {
    if let Some(view) = view {
        text.line(0, &format!("view {} · expires {}", view.id, view.expires_at));
    }
}

/// The reason, the address asked for, and what to do.
pub(crate) fn unavailable(text: &mut Text, reason: UnavailableReason, address: Option<&str>) {
    text.line(0, &format!("unavailable: {}", reason.word()));
    if let Some(address) = address {
        text.line(1, address);
    }
    text.line(1, advice(reason));
}

fn advice(reason: UnavailableReason) -> &'static str {
    match reason {
        UnavailableReason::ExactRelease => "this exact release is not served; search for the releases that are",
        UnavailableReason::IndexPreparing => "the index is still being prepared; send the same request again",
        UnavailableReason::ReadFailed => "a read failed; send the same request again",
        UnavailableReason::CorruptPublication => "stored data is damaged; restart the server to rebuild it",
        UnavailableReason::InsufficientCoverage => "the selection does not cover this; read without `view` or `rev`",
        UnavailableReason::ViewExpired => "the view has expired; repeat the request without `view`",
        UnavailableReason::ViewContext => "the view belongs to another workspace; repeat the request without `view`",
    }
}
