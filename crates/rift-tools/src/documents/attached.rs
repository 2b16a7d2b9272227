//! Where the comment stands that documents a declaration.

use rift_base::ByteRange;
use rift_host::facts::DeclPosition;

/// Lines of a body that are looked at for documentation inside it.
const BODY_LINES: usize = 400;

/// The lines that hold `documentation`, which is attached to the declaration at `position` of `text`: from the first line that
/// holds its first line to the one that holds its last. Comments stand before the item, or, as Python's, at the start of its body.
/// Where neither shows them (escaped text), what stands before the item.
pub(crate) fn attached_range(text: &str, position: &DeclPosition, documentation: &str) -> ByteRange {
    let (declaration, item) = (position.declaration, position.item);
    let before = ByteRange { start: declaration.start, end: item.start.max(declaration.start) };
    let inside = ByteRange { start: position.body.start.max(item.start), end: declaration.end };
    let found = lines_of(text, before, documentation).or_else(|| lines_of(text, inside, documentation));
    found.unwrap_or(if before.is_empty() { item } else { before })
}

fn lines_of(text: &str, region: ByteRange, documentation: &str) -> Option<ByteRange> {
    let mut wanted = documentation.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = wanted.next()?;
    let last = wanted.next_back().unwrap_or(first);
    let mut range: Option<ByteRange> = None;
    let mut at = region.start as usize;
    for line in region.of(text).split_inclusive('\n').take(BODY_LINES) {
        let shown = line.trim();
        let (start, end) = (at + (line.len() - line.trim_start().len()), at + line.trim_end().len());
        at += line.len();
        match &mut range {
            None if shown.contains(first) => range = Some(ByteRange::new(start, end)),
            None => continue,
            Some(range) => range.end = end as u32,
        }
        if shown.contains(last) && ends(documentation, range, text) {
            return range;
        }
    }
    None
}

/// Whether `range` has as many lines as `documentation`: its last line may repeat an earlier one.
fn ends(documentation: &str, range: Option<ByteRange>, text: &str) -> bool {
    let lines = range.map_or(0, |range| range.of(text).lines().count());
    lines >= documentation.trim().lines().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, item: &str, documentation: &str) -> String {
        let start = text.find(item).expect("there");
        let body = start + text[start..].find(['{', ':']).expect("a body") + 1;
        let position = DeclPosition {
            declaration: ByteRange::new(0, text.len()),
            item: ByteRange::new(start, text.len()),
            name: ByteRange::new(start, start),
            body: ByteRange::new(body, text.len()),
        };
        attached_range(text, &position, documentation).of(text).to_owned()
    }

    #[test]
    fn comments_before_and_inside() {
        let text = "/// Adds.\n///\n/// Adds.\n#[inline]\nfn add() {}\n";
        assert_eq!(at(text, "fn add", "Adds.\n\nAdds."), "/// Adds.\n///\n/// Adds.");
        let text = "/**\n * One\n * two\n */\nvoid f() {}\n";
        assert_eq!(at(text, "void f", "One\ntwo"), "* One\n * two");
        let text = "def f(x):\n    \"\"\"Does it.\n\n    Really.\n    \"\"\"\n    return x\n";
        assert_eq!(at(text, "def f", "Does it.\n\nReally."), "\"\"\"Does it.\n\n    Really.");
        let text = "#[doc = \"a\\tb\"]\nfn f() {}\n";
        assert_eq!(at(text, "fn f", "a\tb"), "#[doc = \"a\\tb\"]\n");
    }
}
