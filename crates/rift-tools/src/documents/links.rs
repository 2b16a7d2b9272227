//! Where the links of a block lead.

use rift_base::ProjectPath;
use rift_host::View;
use rift_host::facts::{Block, Document, Markup, spans};
use rift_protocol::limits::REFERENCES_MAX;
use rift_protocol::{DocumentationLink, Failure, LinkReason, LinkResolution, LinkTarget, SourceUnitId};

use super::references::{Meaning, meaning, names};
use super::{block_identity, in_file, is_document};

/// The links of `block`, of the document at `path` that holds `text`, in source order.
pub(crate) fn links(
    view: &View,
    path: &ProjectPath,
    document: &Document,
    block: &Block,
    text: &str,
) -> Result<Vec<DocumentationLink>, Failure> {
    let mut out = Vec::new();
    for span in spans(block.text(text)) {
        let Markup::Link { target, range } = span else { continue };
        let range = in_file(block.range(), block.text.is_none(), range).into();
        let resolution = match resolve(view, path, document, target)? {
            Ok(target) => LinkResolution::Resolved { target },
            Err(reason) => LinkResolution::Unresolved { reason },
        };
        out.push(DocumentationLink { range, authored: target.to_owned(), resolution });
        if out.len() == REFERENCES_MAX {
            break;
        }
    }
    Ok(out)
}

fn resolve(
    view: &View,
    path: &ProjectPath,
    document: &Document,
    target: &str,
) -> Result<Result<LinkTarget, LinkReason>, Failure> {
    if target.contains("://") || target.starts_with("mailto:") || target.starts_with("//") {
        return Ok(Err(LinkReason::External));
    }
    let (file, fragment) = match target.split_once('#') {
        Some((file, fragment)) => (file, Some(fragment).filter(|f| !f.is_empty())),
        None => (target, None),
    };
    if file.is_empty() {
        return Ok(fragment.map_or(Err(LinkReason::Invalid), |fragment| block(path, document, fragment)));
    }
    let Some(led) = joined(path, file) else { return Ok(Err(LinkReason::Invalid)) };
    if let Some(entry) = view.entry(&led) {
        let unit = SourceUnitId::project(&led).map_err(|v| Failure::internal("link", v.word()))?;
        let whole = LinkTarget::Source { unit };
        return Ok(match fragment.filter(|_| is_document(&led)) {
            Some(fragment) => block(&led, &view.document(entry).unwrap_or_default(), fragment),
            None => Ok(whole),
        });
    }
    // A path of names, as rustdoc and JSDoc write links.
    Ok(match names(target).filter(|names| names.len() > 1) {
        Some(names) => match meaning(view, &names)? {
            Meaning::Symbol(symbol, _) => Ok(LinkTarget::Symbol { symbol }),
            Meaning::Ambiguous => Err(LinkReason::Ambiguous),
            Meaning::Nothing => Err(LinkReason::Missing),
        },
        None => Err(LinkReason::Missing),
    })
}

/// `target` seen from the document at `path`; from the root when it begins with `/`. Absent when it leaves the workspace.
fn joined(path: &ProjectPath, target: &str) -> Option<ProjectPath> {
    let target = target.replace("%20", " ");
    let parent = path.parent().unwrap_or_else(ProjectPath::root);
    let mut segments: Vec<&str> = match target.starts_with('/') {
        true => Vec::new(),
        false => parent.segments().collect(),
    };
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            other => segments.push(other),
        }
    }
    ProjectPath::new(&segments.join("/")).ok()
}

/// The first block under the heading that `fragment` names, by GitHub's anchors.
fn block(path: &ProjectPath, document: &Document, fragment: &str) -> Result<LinkTarget, LinkReason> {
    let mut anchors: Vec<String> = Vec::new();
    for (number, heading) in (0u32..).zip(&document.headings) {
        let plain = anchor(&heading.name);
        let repeats = document.headings[..number as usize].iter().filter(|h| anchor(&h.name) == plain).count();
        anchors.push(if repeats > 0 { format!("{plain}-{repeats}") } else { plain });
        if anchors.last().is_some_and(|anchor| anchor == fragment) {
            let below = document.blocks.iter().position(|block| block.range().start >= heading.start);
            let at = below.ok_or(LinkReason::Fragment)?;
            return Ok(LinkTarget::Block { block: block_identity(path, document, at) });
        }
    }
    Err(LinkReason::Fragment)
}

/// The anchor of a heading: lowercase, without punctuation, hyphens for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_and_paths() {
        assert_eq!(anchor("Install `it`, Now!"), "install-it-now");
        let from = ProjectPath::new("docs/a/b.md").expect("valid");
        let led = |target| joined(&from, target).map(|path| path.to_string());
        assert_eq!(led("c.md").as_deref(), Some("docs/a/c.md"));
        assert_eq!(led("../../src/./x y.rs").as_deref(), Some("src/x y.rs"));
        assert_eq!(led("/README.md").as_deref(), Some("README.md"));
        assert_eq!(led("../../../x"), None);
    }
}
