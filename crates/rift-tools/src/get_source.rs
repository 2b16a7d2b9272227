//! `get_source`: the text of one source unit.

use rift_base::Deadline;
use rift_host::facts::{Content, FileEntry};
use rift_host::{Host, View};
use rift_protocol::{
    Failure, FoundSource, GetSourceParams, GetSourceResult, MissingSource, SourceExcerpt, SourceSpan, SourceUnit,
    TextRange, UnavailableReason, UnavailableSource,
};

use crate::context::{Selected, captured, check, select};
use crate::warnings::standing;

/// Reads the unit that `params` names.
pub fn get_source(host: &Host, params: &GetSourceParams, deadline: &Deadline) -> Result<GetSourceResult, Failure> {
    if params.rev.is_some() {
        return Err(Failure::not_served("revision reads (field rev)"));
    }
    let view = match select(host, params.view.as_ref(), deadline)? {
        Selected::View(view) => view,
        Selected::Unavailable(reason) => return Ok(unavailable(params, None, reason)),
    };
    check(deadline)?;
    let path = match params.unit.unit() {
        SourceUnit::Project(path) => path,
        _ => return Ok(unavailable(params, Some(&view), UnavailableReason::InsufficientCoverage)),
    };
    match view.entry(&path) {
        Some(entry) => found(&view, entry, params),
        None if view.preparation().is_some() => {
            // A view that was named answers from itself alone.
            let early = host.read_early(&view, &path).filter(|_| params.view.is_none());
            match early {
                Some(entry) => found(&view, &entry, params),
                None => Ok(unavailable(params, Some(&view), UnavailableReason::IndexPreparing)),
            }
        }
        None => Ok(GetSourceResult::Missing(MissingSource {
            unit: params.unit.clone(),
            view: captured(&view)?,
            warnings: standing(&view),
        })),
    }
}

fn unavailable(params: &GetSourceParams, view: Option<&View>, reason: UnavailableReason) -> GetSourceResult {
    GetSourceResult::Unavailable(UnavailableSource {
        unit: params.unit.clone(),
        view: view.and_then(|view| captured(view).ok()),
        reason,
        warnings: view.map(standing).unwrap_or_default(),
    })
}

fn found(view: &View, entry: &FileEntry, params: &GetSourceParams) -> Result<GetSourceResult, Failure> {
    let text = match &entry.content {
        Content::Source(_) => view.text(entry).unwrap_or_default(),
        Content::LeftOut(left_out) => {
            return Err(Failure::content_unavailable(entry.path.as_str(), &left_out.reason.to_string()));
        }
        Content::Absent => return Ok(unavailable(params, Some(view), UnavailableReason::ReadFailed)),
    };
    let whole = TextRange { start: 0, end: text.len() as u64 };
    let range = params.range.unwrap_or(whole);
    let slice = slice(&text, range)?;
    Ok(GetSourceResult::Found(FoundSource {
        source: SourceExcerpt { span: SourceSpan { unit: params.unit.clone(), range }, text: slice.to_owned() },
        source_complete: range == whole,
        view: captured(view)?,
        warnings: standing(view),
    }))
}

fn slice(text: &str, range: TextRange) -> Result<&str, Failure> {
    let end = usize::try_from(range.end).unwrap_or(usize::MAX);
    let start = usize::try_from(range.start).unwrap_or(usize::MAX);
    if end > text.len() {
        return Err(Failure::invalid_field("range", "past_end"));
    }
    text.get(start..end).ok_or_else(|| Failure::invalid_field("range", "character_border"))
}
