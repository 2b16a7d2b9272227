//! Reading and rewriting case files.

use std::path::{Path, PathBuf};

/// One Markdown file of cases.
pub(crate) struct CaseFile {
    /// `<folder>/<file>` below `testdata/syntax`.
    pub(crate) label: String,
    pub(crate) cases: Vec<Case>,
    path: PathBuf,
    text: String,
}

/// One heading with its fences.
pub(crate) struct Case {
    pub(crate) heading: String,
    /// 1-based line of the heading.
    pub(crate) line: usize,
    /// The file name in the source fence's info string.
    pub(crate) name: String,
    pub(crate) source: String,
    /// Words behind `text` in the expected fence's info string.
    pub(crate) options: Vec<String>,
    /// Absent when the case has no expected fence yet.
    pub(crate) expected: Option<String>,
    /// Byte range of the expected fence's content; an empty one behind the source fence without it.
    place: std::ops::Range<usize>,
}

struct Fence {
    mark: char,
    length: usize,
    info: String,
    content: std::ops::Range<usize>,
}

impl CaseFile {
    pub(crate) fn read(root: &Path, path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).unwrap();
        let label = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let cases = parse(&label, &text);
        Self { label, cases, path, text }
    }

    /// Writes `actual`, one text per case, in place of the expected fences.
    pub(crate) fn rewrite(&mut self, actual: &[String]) {
        let mut out = String::new();
        let mut at = 0;
        for (case, actual) in self.cases.iter().zip(actual) {
            out.push_str(&self.text[at..case.place.start]);
            match case.expected {
                Some(_) => out.push_str(actual),
                None => out.push_str(&format!("\n```text\n{actual}```\n")),
            }
            at = case.place.end;
        }
        out.push_str(&self.text[at..]);
        if out != self.text {
            std::fs::write(&self.path, &out).unwrap();
        }
    }
}

fn parse(label: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut heading: Option<(String, usize)> = None;
    let mut open: Option<Fence> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        if let Some(fence) = &mut open {
            if closes(fence, bare) {
                fence.content.end = start;
                let fence = open.take().unwrap();
                take(label, text, fence, at, &mut heading, &mut cases);
            }
        } else if let Some(fence) = opens(bare, at) {
            open = Some(fence);
        } else if bare.starts_with('#') && bare.trim_start_matches('#').starts_with(' ') {
            heading = Some((bare.trim_start_matches('#').trim().to_owned(), number + 1));
        }
    }
    assert!(open.is_none(), "{label}: a fence is not closed");
    cases
}

fn opens(line: &str, content: usize) -> Option<Fence> {
    let mark = line.chars().next().filter(|c| *c == '`' || *c == '~')?;
    let length = line.chars().take_while(|c| *c == mark).count();
    let info = line[length..].trim().to_owned();
    (length >= 3).then_some(Fence { mark, length, info, content: content..content })
}

fn closes(fence: &Fence, line: &str) -> bool {
    line.chars().all(|c| c == fence.mark) && line.len() >= fence.length
}

/// Files a closed fence: a source fence begins the heading's case, a `text` fence ends it.
fn take(
    label: &str,
    text: &str,
    fence: Fence,
    end: usize,
    heading: &mut Option<(String, usize)>,
    cases: &mut Vec<Case>,
) {
    let mut words = fence.info.split_whitespace();
    let first = words.next().unwrap_or("");
    if first == "text" {
        let Some(case) = cases.last_mut().filter(|c| c.expected.is_none()) else {
            panic!("{label}: a text fence without a source fence: {:?}", heading);
        };
        case.options = words.map(str::to_owned).collect();
        case.expected = Some(text[fence.content.clone()].to_owned());
        case.place = fence.content;
        return;
    }
    let Some(name) = words.next() else { panic!("{label}: source fence `{}` names no file", fence.info) };
    let Some((heading, line)) = heading.take() else {
        panic!("{label}: `{name}` is a second source fence under its heading, or has none");
    };
    assert!(cases.iter().all(|c| c.heading != heading), "{label}: two cases are called {heading:?}");
    cases.push(Case {
        heading,
        line,
        name: name.to_owned(),
        source: text[fence.content].to_owned(),
        options: Vec::new(),
        expected: None,
        place: end..end,
    });
}
