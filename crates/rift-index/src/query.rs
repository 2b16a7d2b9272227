//! Queries: terms, phrases, and the identifiers among them.

use rift_base::KNOWN_LANGUAGES;

use crate::forms::forms;
use crate::letters::{Class, lowercase};
use crate::tokenizer::{Splitter, TOKEN_MAX, fold};

/// The most terms and phrases that a query is ranked by.
pub const QUERY_TERMS_MAX: usize = 64;
/// The longest run of prose words that is tried as one name (`user name` for `userName`).
const JOINED_WORDS_MAX: usize = 4;
/// The most prose words of a query that as a whole may be a name.
const WHOLE_QUERY_WORDS_MAX: usize = 6;

/// Words of questions that are no hint at a name. They are ranked as full text like any other.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "may", "of", "on", "or", "our",
    "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "using", "was", "we", "were", "what", "when", "where", "which", "who", "whose", "why", "will",
    "with", "would", "you", "your",
];

/// One term or one phrase: what "every term" counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Lowercase words with their distance from the first; a single one is a term.
    pub words: Vec<(u32, String)>,
    /// Whether it stood in double quotes.
    pub quoted: bool,
    /// Whether declarations may be ranked by this word in their names.
    pub names: bool,
    /// Other forms of a prose word, which add to a score but are not the term: `parse` and `parser` for `parsed`.
    pub inflections: Vec<String>,
}

impl Unit {
    fn chars(&self) -> usize {
        self.words.iter().map(|(_, word)| word.chars().count()).sum()
    }
}

/// How sure it is that a text names something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// Spelled like a name, or all there is in the query.
    Sure,
    /// A run of so many prose words.
    Joined(u8),
}

/// A name that the query may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier {
    /// The name as spelled, without qualifiers.
    pub name: String,
    /// The name without separators and case.
    pub folded: String,
    /// Lowercase words of the name.
    pub words: Vec<String>,
    /// Lowercase words of what qualifies it: `std`, `fs` in `std::fs::read`.
    pub qualifiers: Vec<String>,
    pub(crate) strength: Strength,
}

impl Identifier {
    /// Whether the query surely means a name: it is spelled like one, or all there is.
    pub fn is_sure(&self) -> bool {
        self.strength == Strength::Sure
    }

    fn new(name: &str, qualifiers: &str, strength: Strength) -> Self {
        let words = |text: &str| rift_base::split_identifier(text).map(lowercase).collect();
        Self { name: name.to_owned(), folded: fold(name), words: words(name), qualifiers: words(qualifiers), strength }
    }
}

/// A query, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedQuery {
    /// Terms and phrases, without repetition, in the order of the query.
    pub units: Vec<Unit>,
    /// Compound words as spelled, in lowercase: a row that holds one is better than one that holds its parts.
    pub compounds: Vec<String>,
    /// The names that the query may mean, without repetition.
    pub identifiers: Vec<Identifier>,
    /// Whether terms were dropped because there were too many (the `query_narrowed` warning).
    pub narrowed: bool,
}

impl ParsedQuery {
    /// Whether the query is one name, spelled as one word, and nothing else.
    pub fn is_one_name(&self) -> bool {
        let [name] = self.identifiers.as_slice() else { return false };
        let has = |word: &String| name.words.contains(word) || name.qualifiers.contains(word);
        let is_one_word = name.words.len() == 1 || !self.compounds.is_empty();
        is_one_word && name.is_sure() && self.units.iter().all(|unit| unit.words.iter().all(|(_, word)| has(word)))
    }

    /// Takes `text` apart: case-insensitive terms, split at changes of case and underscores; text in double
    /// quotes is a phrase. Of more than `terms_max` terms and phrases, the shortest unquoted terms go first,
    /// of equally short ones the last. A quote without its partner is ignored.
    pub fn parse(text: &str, terms_max: usize) -> Self {
        let mut query = Self::default();
        let mut plain: Vec<String> = Vec::new();
        // Where in `plain` the parts of one word end.
        let mut ends: Vec<usize> = Vec::new();
        let mut only_plain = true;
        for (piece, quoted) in pieces(text) {
            let words = spelled_words(piece);
            only_plain &= !quoted && words.iter().all(|word| !word.is_name());
            if quoted {
                query.add_phrase(&words);
            } else {
                query.add_terms(&words);
            }
            query.add_names(piece, &words);
            let joined = words.iter().flat_map(|word| word.parts.iter().cloned());
            if quoted {
                query.add_joined(&joined.collect::<Vec<_>>());
                continue;
            }
            for word in &words {
                plain.extend(word.parts.iter().cloned());
                ends.push(plain.len());
            }
        }
        let may_be_name = only_plain && query.identifiers.is_empty();
        if may_be_name && (1..=WHOLE_QUERY_WORDS_MAX).contains(&plain.len()) {
            query.add_identifier(Identifier::new(&whole_query_name(text, &plain), "", Strength::Sure));
        }
        for length in (2..=JOINED_WORDS_MAX).rev() {
            for (start, run) in plain.windows(length).enumerate() {
                // The parts of one word are no name of their own beside the one that the word is.
                if ends.iter().any(|end| (start + 1..start + length).contains(end)) {
                    query.add_joined(run);
                }
            }
        }
        query.narrow(terms_max);
        query
    }

    /// Whether all that is asked for is one name, with what qualifies it.
    pub(crate) fn is_one_identifier(&self) -> bool {
        let mut sure = self.identifiers.iter().filter(|identifier| identifier.strength == Strength::Sure);
        let (Some(name), None) = (sure.next(), sure.next()) else { return false };
        let is_of_name = |word: &String| name.words.contains(word) || name.qualifiers.contains(word);
        self.units.iter().all(|unit| unit.words.iter().all(|(_, word)| is_of_name(word)))
    }

    /// Whether there is nothing to rank by.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty() && self.identifiers.is_empty()
    }

    fn add_unit(&mut self, unit: Unit) {
        match self.units.iter_mut().find(|known| known.words == unit.words) {
            Some(known) => known.quoted |= unit.quoted,
            None => self.units.push(unit),
        }
    }

    fn add_terms(&mut self, words: &[Spelled<'_>]) {
        for word in words {
            for part in word.parts.iter().filter(|part| part.len() <= TOKEN_MAX) {
                let names = !STOP_WORDS.contains(&part.as_str());
                let inflections = if names && !word.is_name() { forms(part) } else { Vec::new() };
                self.add_unit(Unit { words: vec![(0, part.clone())], quoted: false, names, inflections });
            }
            self.add_compound(word);
        }
    }

    fn add_compound(&mut self, word: &Spelled<'_>) {
        let whole = lowercase(word.text.trim_matches('_'));
        if word.parts.len() > 1 && whole.len() <= TOKEN_MAX && !self.compounds.contains(&whole) {
            self.compounds.push(whole);
        }
    }

    fn add_phrase(&mut self, words: &[Spelled<'_>]) {
        let parts = words.iter().flat_map(|word| word.parts.iter());
        let words: Vec<(u32, String)> = (0u32..)
            .zip(parts)
            .filter(|(_, part)| part.len() <= TOKEN_MAX)
            .map(|(at, part)| (at, part.clone()))
            .collect();
        let Some(first) = words.first().map(|(at, _)| *at) else { return };
        let words = words.into_iter().map(|(at, word)| (at - first, word)).collect();
        self.add_unit(Unit { words, quoted: true, names: true, inflections: Vec::new() });
    }

    fn add_identifier(&mut self, identifier: Identifier) {
        let known = |k: &Identifier| k.name == identifier.name && k.qualifiers == identifier.qualifiers;
        if !identifier.words.is_empty() && !self.identifiers.iter().any(known) {
            self.identifiers.push(identifier);
        }
    }

    /// Adds the words of `piece` that are spelled like names, with the qualifiers before them.
    fn add_names(&mut self, piece: &str, words: &[Spelled<'_>]) {
        let mut chain = 0;
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1);
            let gap = &piece[word.end..next.map_or(piece.len(), |next| next.start)];
            if next.is_some() && matches!(gap, "." | "::" | "->" | "#") {
                continue;
            }
            let chain_words = &words[chain..=at];
            chain = at + 1;
            let is_file = chain_words.len() > 1 && is_extension(word.text);
            let Some((last, qualifiers)) = chain_words[..chain_words.len() - usize::from(is_file)].split_last() else {
                continue;
            };
            if chain_words.len() > 1 || last.is_name() || gap.starts_with('(') {
                let qualifiers: Vec<&str> = qualifiers.iter().map(|word| word.text).collect();
                self.add_identifier(Identifier::new(last.text, &qualifiers.join(" "), Strength::Sure));
            }
        }
    }

    fn add_joined(&mut self, run: &[String]) {
        let is_stop = |word: &String| STOP_WORDS.contains(&word.as_str());
        if run.len() < 2 || run.len() > WHOLE_QUERY_WORDS_MAX || run.iter().all(is_stop) {
            return;
        }
        let name = run.join("_");
        if self.identifiers.iter().all(|known| known.folded != fold(&name)) {
            self.add_identifier(Identifier::new(&name, "", Strength::Joined(run.len() as u8)));
        }
    }

    fn narrow(&mut self, terms_max: usize) {
        if self.units.len() <= terms_max {
            return;
        }
        self.narrowed = true;
        let mut unquoted: Vec<usize> = (0..self.units.len()).filter(|at| !self.units[*at].quoted).collect();
        unquoted.sort_by_key(|at| (self.units[*at].chars(), usize::MAX - at));
        unquoted.truncate(self.units.len() - terms_max);
        let mut at = 0;
        self.units.retain(|_| {
            at += 1;
            !unquoted.contains(&(at - 1))
        });
        // Names are tried only where their words are ranked by.
        let units = &self.units;
        let ranked = |word: &String| units.iter().any(|unit| unit.words.iter().any(|(_, w)| w == word));
        self.identifiers.retain(|identifier| identifier.words.iter().any(ranked));
        self.identifiers.truncate(terms_max);
        self.compounds.truncate(terms_max);
    }
}

/// The name that a query of nothing but prose words may be: as spelled when it is one word.
fn whole_query_name(text: &str, words: &[String]) -> String {
    let spelled = text.trim_matches(|c| !Class::of(c).is_word());
    if words.len() == 1 && spelled.chars().all(|c| Class::of(c).is_word()) {
        spelled.to_owned()
    } else {
        words.join("_")
    }
}

/// The pieces of a query that stand outside and inside of double quotes.
fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('"') {
        let Some((inside, after)) = tail.split_once('"') else { break };
        out.push((before, false));
        out.push((inside, true));
        rest = after;
    }
    out.push((rest, false));
    out
}

/// A word of the query with its outer underscores.
struct Spelled<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    /// Its parts in lowercase.
    parts: Vec<String>,
}

impl Spelled<'_> {
    /// Whether the word is spelled like no prose word is.
    fn is_name(&self) -> bool {
        self.parts.len() > 1 || self.text.contains('_')
    }
}

fn spelled_words(text: &str) -> Vec<Spelled<'_>> {
    let mut splitter = Splitter::default();
    let mut out: Vec<Spelled<'_>> = Vec::new();
    let mut at = 0;
    while let Some((inner_start, inner_end)) = splitter.next(text, at) {
        let start = text[at..inner_start].trim_end_matches('_').len() + at;
        let end = text.len() - text[inner_end..].trim_start_matches('_').len();
        let parts = splitter.parts.iter().map(|&(from, to)| lowercase(&text[from..to])).collect();
        out.push(Spelled { text: &text[start..end], start, end, parts });
        at = end;
    }
    out
}

fn is_extension(word: &str) -> bool {
    KNOWN_LANGUAGES.iter().any(|language| language.extensions.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(query: &ParsedQuery) -> Vec<String> {
        let phrase = |unit: &Unit| unit.words.iter().map(|(_, w)| w.as_str()).collect::<Vec<_>>().join(" ");
        query
            .units
            .iter()
            .map(|unit| if unit.quoted { format!("\"{}\"", phrase(unit)) } else { phrase(unit) })
            .collect()
    }

    fn parse(text: &str) -> ParsedQuery {
        ParsedQuery::parse(text, QUERY_TERMS_MAX)
    }

    fn sure(text: &str) -> Vec<(String, Vec<String>)> {
        let query = parse(text);
        let sure = query.identifiers.into_iter().filter(|i| i.strength == Strength::Sure);
        sure.map(|i| (i.name, i.qualifiers)).collect()
    }

    #[test]
    fn terms_and_phrases() {
        for (text, expected) in [
            ("loads Workspace configuration", vec!["loads", "workspace", "configuration"]),
            ("getUserName get_user", vec!["get", "user", "name"]),
            ("the \"user name\" of", vec!["the", "\"user name\"", "of"]),
            ("\"getUserName\"", vec!["\"get user name\""]),
            ("an \"open quote", vec!["an", "open", "quote"]),
            ("\"\" ... __", vec![]),
        ] {
            assert_eq!(terms(&parse(text)), expected, "{text:?}");
        }
    }

    #[test]
    fn names_in_questions() {
        let plain = |name: &str| (name.to_owned(), Vec::new());
        let with = |name: &str, qualifiers: &[&str]| {
            (name.to_owned(), qualifiers.iter().map(|q| (*q).to_owned()).collect::<Vec<_>>())
        };
        for (text, expected) in [
            ("where does encode_path get its escape set", vec![plain("encode_path")]),
            ("std::fs::read and HTTPServer", vec![with("read", &["std", "fs"]), plain("HTTPServer")]),
            ("what calls run()?", vec![plain("run")]),
            ("__init__ of Model.save. Then", vec![plain("__init__"), with("save", &["model"])]),
            ("in settings.py", vec![plain("settings")]),
            ("Session", vec![plain("Session")]),
            ("get user name", vec![plain("get_user_name")]),
            ("one two three four five six seven", vec![]),
        ] {
            assert_eq!(sure(text), expected, "{text:?}");
        }
    }

    #[test]
    fn runs_of_words_are_joined() {
        let query = parse("how is the user name stored in one of these tables here");
        let joined: Vec<&str> = query.identifiers.iter().map(|i| i.folded.as_str()).collect();
        assert!(joined.contains(&"username") && !joined.contains(&"thetablesstored"), "{joined:?}");
        assert!(!joined.contains(&"isthe"), "stop words alone name nothing");
    }

    #[test]
    fn narrowing_drops_the_shortest_unquoted_terms() {
        let query = ParsedQuery::parse("aaaa bb ccc \"d\" dd eeeee", 4);
        assert_eq!(terms(&query), ["aaaa", "ccc", "\"d\"", "eeeee"]);
        assert!(query.narrowed);
        assert!(!ParsedQuery::parse("aaaa bb ccc \"d\"", 4).narrowed);
        // Every phrase is kept, whatever their number.
        let query = ParsedQuery::parse("\"a b\" \"c d\" \"e f\" g", 2);
        assert_eq!(terms(&query), ["\"a b\"", "\"c d\"", "\"e f\""]);
        assert!(query.narrowed);
    }

    #[test]
    fn repeated_words_count_once() {
        let words: Vec<String> = (0..65).map(|i| format!("word{i}")).collect();
        assert!(parse(&words.join(" ")).narrowed);
        assert!(!parse(&["same"; 65].join(" ")).narrowed);
    }

    #[test]
    fn names_and_phrases_have_no_other_forms() {
        assert!(!parse("names").units[0].inflections.is_empty());
        assert!(parse("getNames").units.iter().all(|unit| unit.inflections.is_empty()), "names are no prose");
        assert!(parse("\"names\"").units.iter().all(|unit| unit.inflections.is_empty()), "a phrase is as it stands");
    }
}
