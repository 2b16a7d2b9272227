//! Commit hits.

use rift_protocol::SearchHit;

use crate::search::score;
use crate::text::{Facts, Item, digest, value};

pub(crate) fn hit(item: &mut Item<'_>, hit: &SearchHit) {
    let Some(commit) = &hit.commit else { return };
    let mut facts = Facts::default();
    facts.add(digest(&commit.revision));
    facts.add(value(&format!("{} <{}>", commit.author.name, commit.author.email)));
    facts.add(minutes(&commit.timestamp));
    facts.add(score(hit));
    item.line_if(facts.line());
    let (subject, rest) = commit.message.split_once('\n').unwrap_or((&commit.message, ""));
    item.line_if(Some(subject).filter(|subject| !subject.trim().is_empty()));
    item.copied_apart(body(rest));
    item.line_if(commit.message_truncated.then_some("message truncated"));
    if commit.paths.is_empty() {
        return;
    }
    let count = commit.paths.len();
    let paths = commit.paths.iter().map(|path| path.as_str().to_owned());
    match (commit.paths_truncated, count) {
        (true, _) => item.list(&format!("{count}+ paths · truncated"), paths.chain(["...".to_owned()])),
        (false, 1) => item.list("1 path:", paths),
        (false, _) => item.list(&format!("{count} paths:"), paths),
    }
}

/// The rest of a message without the blank lines at its start and the whitespace at its end.
fn body(rest: &str) -> &str {
    let rest = rest.trim_end();
    let mut from = 0;
    for line in rest.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        from += line.len();
    }
    &rest[from..]
}

/// `2026-09-22T14:03:21+02:00` as `2026-09-22 14:03 +02:00`; another form stays as it is.
fn minutes(timestamp: &str) -> String {
    let parts = (timestamp.get(..10), timestamp.get(11..16), timestamp.get(19..));
    let (Some(date), Some(time), Some(rest)) = parts else { return timestamp.to_owned() };
    let offset = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let offset = if offset.eq_ignore_ascii_case("z") { "+00:00" } else { offset };
    format!("{date} {time} {offset}")
}
