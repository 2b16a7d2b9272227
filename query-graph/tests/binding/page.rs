//! Reading and rewriting one page of cases: under each heading, source fences that name files, then one `text` fence.

use std::path::Path;

pub(crate) struct Page {
    pub(crate) cases: Vec<Case>,
    /// The page with a mark for each case's expected text.
    parts: Vec<Part>,
}

pub(crate) struct Case {
    pub(crate) heading: String,
    /// Path and text.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) expected: String,
}

enum Part {
    Text(String),
    Expected(usize),
}

impl Page {
    pub(crate) fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut page = Self { cases: Vec::new(), parts: Vec::new() };
        let mut heading = String::new();
        let mut files = Vec::new();
        let mut kept = String::new();
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            kept.push_str(line);
            if let Some(title) = line.strip_prefix("## ") {
                assert!(files.is_empty(), "{}: {heading} has no text fence", path.display());
                heading = title.trim().to_owned();
                continue;
            }
            let Some(info) = line.strip_prefix("```") else { continue };
            let mut body = String::new();
            while let Some(inner) = lines.next_if(|l| !l.starts_with("```")) {
                body.push_str(inner);
            }
            let close = lines.next().unwrap_or("```\n");
            if info.trim() == "text" {
                page.parts.push(Part::Text(std::mem::take(&mut kept)));
                page.parts.push(Part::Expected(page.cases.len()));
                let case = Case { heading: heading.clone(), files: std::mem::take(&mut files), expected: body };
                assert!(!case.files.is_empty(), "{}: {heading}: a text fence without sources", path.display());
                page.cases.push(case);
            } else {
                let name = info.split_whitespace().nth(1);
                let name = name.unwrap_or_else(|| panic!("{}: {heading}: a fence names no file", path.display()));
                kept.push_str(&body);
                files.push((name.to_owned(), body));
            }
            kept.push_str(close);
        }
        page.parts.push(Part::Text(kept));
        assert!(files.is_empty(), "{}: {heading} has no text fence", path.display());
        page
    }

    pub(crate) fn render(&self) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Expected(case) => self.cases[*case].expected.clone(),
        };
        self.parts.iter().map(part).collect()
    }
}
