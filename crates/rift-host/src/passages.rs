//! What of a file is embedded: its functions, types and macros as they stand, with what documents them; of a file without any,
//! its text in parts. Nothing of where a text stands is in it, so one that moves keeps its vector.

use query_graph::FileEntry;
use rift_base::{Facet, Facets};

use crate::view::View;

/// A change of what passages are made of gets another number: vectors of others are made anew.
pub(crate) const PASSAGES: &str = "passages 1";

/// Bytes of a passage; a model reads no more of it than its `max_tokens`.
const PASSAGE_BYTES_MAX: usize = 8 << 10;
/// Bytes of a part of a file that is embedded as text, up to the end of a line.
const PART_BYTES: usize = 1500;
/// Parts of one such file: the first ones.
const PARTS_MAX: usize = 64;

/// Kinds of declarations that do something, or are something.
const TELLING: u32 = Facets::of(&[Facet::Callable, Facet::Type, Facet::Macro]).bits();
const PARAMETERS: u32 = Facets::of(&[Facet::Parameter, Facet::TypeParameter]).bits();

/// Languages of data, whose text resembles no question.
const DATA: [&str; 3] = ["json", "toml", "yaml"];

/// A text to embed, for a declaration or for a part of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) declaration: Option<u32>,
    pub(crate) text: String,
}

/// The passages of `entry`, declarations in source order; none for what is not searched, is generated, or is data.
pub(crate) fn passages(view: &View, entry: &FileEntry) -> Vec<Passage> {
    let Some(source) = entry.source().filter(|s| s.policy.indexes_text() && !s.kind.is_generated()) else {
        return Vec::new();
    };
    if source.size == 0 || entry.language.as_ref().is_some_and(|language| DATA.contains(&language.as_str())) {
        return Vec::new();
    }
    let (Some(text), facts) = (entry.text(), view.facts(entry)) else { return Vec::new() };
    let declarations = facts.as_ref().map(|facts| facts.outline.declarations.iter().zip(&facts.positions[..]));
    let telling = declarations.into_iter().flatten().zip(0u32..).filter(|((declaration, _), _)| {
        let facets = declaration.facets.bits();
        facets & TELLING != 0 && facets & PARAMETERS == 0
    });
    let passages: Vec<Passage> = telling
        .filter_map(|((_, position), number)| {
            let whole = text.get(position.declaration.start as usize..position.declaration.end as usize)?;
            let text = whole[..whole.floor_char_boundary(PASSAGE_BYTES_MAX)].to_owned();
            Some(Passage { declaration: Some(number), text })
        })
        .collect();
    if passages.is_empty() { parts(&text) } else { passages }
}

/// A text in parts of whole lines.
fn parts(text: &str) -> Vec<Passage> {
    let mut out = Vec::new();
    let mut part = String::new();
    for line in text.split_inclusive('\n') {
        if !part.is_empty() && part.len() + line.len() > PART_BYTES {
            out.push(std::mem::take(&mut part));
            if out.len() == PARTS_MAX {
                break;
            }
        }
        part.push_str(&line[..line.floor_char_boundary(PASSAGE_BYTES_MAX)]);
    }
    if out.len() < PARTS_MAX {
        out.push(part);
    }
    let telling = out.into_iter().filter(|part| part.contains(char::is_alphanumeric));
    telling.map(|text| Passage { declaration: None, text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_lines() {
        let line = format!("{}\n", "word ".repeat(100));
        let text = line.repeat(10) + "\n\n---\n";
        let parts = parts(&text);
        // Two lines of 501 bytes fit, and no third.
        assert_eq!(parts.len(), 5);
        assert!(parts[..4].iter().all(|part| part.text == line.repeat(2)), "{parts:?}");
        assert_eq!(parts.iter().map(|part| part.text.as_str()).collect::<String>(), text);
        assert_eq!(super::parts("...\n---\n"), []);
        assert_eq!(super::parts(&line.repeat(1000)).len(), PARTS_MAX);
    }
}
