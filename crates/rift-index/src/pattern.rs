//! Patterns: regular expressions over the lines of a text, as ripgrep matches them.
//!
//! The matching is ripgrep's own, by its crates: line by line, `^` and `$` at line feeds, no class matches a line feed. A
//! pattern that spells a line feed outside brackets matches across lines, there and nowhere else.

use std::fmt;
use std::ops::Range;

use grep_matcher::Matcher as _;
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use regex_syntax::ast::{self, Ast, visit};
use regex_syntax::hir::translate::TranslatorBuilder;

use crate::trigram::{TrigramQuery, plan};

/// Bytes past a group of matching lines that an expression may look ahead to, as ripgrep has it.
const LOOK_AHEAD_MAX: usize = 128;
/// Bytes that the automaton, which is made while it matches, may take for each thread.
const AUTOMATON_BYTES: usize = 64 << 20;

/// Why a pattern is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is no regular expression of the dialect.
    #[error("{message} (at byte {at})")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Where, in bytes.
        at: usize,
    },
    /// Its matcher is larger than allowed.
    #[error("the compiled pattern is too large")]
    TooLarge,
    /// A class of line feeds alone, which matches nothing.
    #[error("brackets around a line feed match nothing; write it outside brackets")]
    OnlyLineFeeds,
}

/// A compiled pattern. Cloning is cheap; each thread that searches should have its own clone.
#[derive(Clone)]
pub struct Pattern {
    matcher: RegexMatcher,
    crosses_lines: bool,
    query: TrigramQuery,
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (crosses_lines, query) = (&self.crosses_lines, &self.query);
        f.debug_struct("Pattern").field("crosses_lines", crosses_lines).field("query", query).finish_non_exhaustive()
    }
}

/// A match in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternMatch {
    /// Its bytes. A pattern that switches Unicode off may cut a character.
    pub range: Range<usize>,
    /// The line that it begins in, from 1.
    pub line: u64,
    /// The bytes of the lines that it stands in, the last line feed excluded.
    pub lines: Range<usize>,
}

/// The matches of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatternMatches {
    /// In order.
    pub found: Vec<PatternMatch>,
    /// Whether there are more than were asked for.
    pub is_cut: bool,
}

impl Pattern {
    /// Compiles `pattern` into a matcher of at most `size_max` bytes.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn new(pattern: &str, size_max: usize) -> Result<Self, PatternError> {
        let syntax = |kind: &dyn fmt::Display, span: &ast::Span| PatternError::Syntax {
            message: kind.to_string(),
            at: span.start.offset,
        };
        let parse = |text: &str| ast::parse::Parser::new().parse(text).map_err(|e| syntax(e.kind(), e.span()));
        let tree = parse(pattern)?;
        let crosses_lines = holds_line_feed(&tree);
        let spelled = if crosses_lines { without_line_feeds(pattern, &tree) } else { pattern.to_owned() };
        let tree = parse(&spelled)?;
        let hir = TranslatorBuilder::new()
            .utf8(false)
            .multi_line(true)
            .build()
            .translate(&spelled, &tree)
            .map_err(|e| syntax(e.kind(), e.span()))?;
        let mut builder = RegexMatcherBuilder::new();
        builder.multi_line(true).size_limit(size_max).dfa_size_limit(AUTOMATON_BYTES);
        if !crosses_lines {
            builder.line_terminator(Some(b'\n'));
        }
        // The builder puts parentheses around it, of which a comment at the end swallows the second. Nothing else makes an
        // expression malformed that was parsed above, and where comments are, a line feed is a space.
        let built = builder.build(&spelled).or_else(|error| match error.kind() {
            ErrorKind::Regex(_) if spelled.contains('#') => builder.build(&format!("{spelled}\n")).map_err(|_| error),
            _ => Err(error),
        });
        let matcher = built.map_err(|error| match error.kind() {
            ErrorKind::NotAllowed(_) => PatternError::OnlyLineFeeds,
            _ => PatternError::TooLarge,
        })?;
        Ok(Self { matcher, crosses_lines, query: plan(&hir) })
    }

    /// What the trigrams of every text with a match fulfil.
    pub fn query(&self) -> &TrigramQuery {
        &self.query
    }

    /// What looks for the pattern in many texts, one after another.
    pub fn search(&self) -> PatternSearch<'_> {
        let searcher = SearcherBuilder::new()
            .multi_line(self.crosses_lines)
            .line_number(true)
            .bom_sniffing(false)
            .binary_detection(BinaryDetection::none())
            .build();
        PatternSearch { pattern: self, searcher }
    }
}

/// Looks for a pattern in texts. One for each thread.
pub struct PatternSearch<'p> {
    pattern: &'p Pattern,
    searcher: Searcher,
}

impl fmt::Debug for PatternSearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternSearch").field("pattern", self.pattern).finish_non_exhaustive()
    }
}

impl PatternSearch<'_> {
    /// The first `most` matches in `text`.
    pub fn matches(&mut self, text: &[u8], most: usize) -> PatternMatches {
        let mut lines = MatchingLines { matcher: &self.pattern.matcher, most, out: PatternMatches::default() };
        // A slice in memory cannot fail to be read, and the matcher does not fail.
        if let Err(error) = self.searcher.search_slice(&self.pattern.matcher, text, &mut lines) {
            tracing::error!("a pattern could not be searched: {error}");
        }
        lines.out
    }
}

/// Finds the matches within each group of lines that holds one, by the rules of ripgrep's printers.
struct MatchingLines<'m> {
    matcher: &'m RegexMatcher,
    most: usize,
    out: PatternMatches,
}

impl Sink for &mut MatchingLines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, searcher: &Searcher, group: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let (text, range) = (group.buffer(), group.bytes_range_in_buffer());
        // Look-around sees what is before the lines; behind them it sees a little, or nothing where matches end with lines.
        let end = match searcher.multi_line_with_matcher(self.matcher) {
            true => text.len().min(range.end + LOOK_AHEAD_MAX),
            false => range.end - usize::from(text[range.clone()].ends_with(b"\n")),
        };
        let mut place =
            Cursor { text, at: range.start, line: group.line_number().unwrap_or(1), start: range.start, stop: 0 };
        let first = self.out.found.len();
        let found = self.matcher.find_iter_at(&text[..end], range.start, |found| {
            if found.start() >= range.end {
                return false;
            }
            if self.out.found.len() >= self.most {
                self.out.is_cut = true;
                return false;
            }
            place.go_to(found.start());
            let (line, lines) = (place.line, place.start..place.end_of(found.end()));
            self.out.found.push(PatternMatch { range: found.start()..found.end(), line, lines });
            true
        });
        found.map_err(std::io::Error::other)?;
        // An empty match behind all there is belongs to no line.
        let is_behind = |m: &PatternMatch| m.range.is_empty() && m.range.start - range.start >= text.len();
        if self.out.found.len() > first && self.out.found.last().is_some_and(is_behind) {
            self.out.found.pop();
        }
        Ok(!self.out.is_cut)
    }
}

/// A place in a text that moves on. Each byte is looked at once or twice, however long a line is.
struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
    /// The number of its line, where that begins, and the last line end that was looked for.
    line: u64,
    start: usize,
    stop: usize,
}

impl Cursor<'_> {
    fn go_to(&mut self, at: usize) {
        while let Some(feed) = memchr::memchr(b'\n', &self.text[self.at..at]) {
            self.at += feed + 1;
            self.start = self.at;
            self.line += 1;
        }
        self.at = at;
    }

    /// The line feed that ends the line of the last byte before `end`, which lies behind the cursor, or the text's end.
    fn end_of(&mut self, end: usize) -> usize {
        let last = end.saturating_sub(1).max(self.at);
        if self.stop < last || self.stop == 0 {
            self.stop = memchr::memchr(b'\n', &self.text[last..]).map_or(self.text.len(), |feed| last + feed);
        }
        self.stop
    }
}

/// Whether the expression spells a line feed outside brackets.
fn holds_line_feed(tree: &Ast) -> bool {
    struct LineFeeds(bool);
    impl ast::Visitor for LineFeeds {
        type Output = bool;
        type Err = std::convert::Infallible;
        fn finish(self) -> Result<bool, Self::Err> {
            Ok(self.0)
        }
        fn visit_pre(&mut self, tree: &Ast) -> Result<(), Self::Err> {
            self.0 |= matches!(tree, Ast::Literal(literal) if literal.c == '\n');
            Ok(())
        }
    }
    let Ok(found) = visit(tree, LineFeeds(false));
    found
}

/// The expression with the line feed taken out of each class.
fn without_line_feeds(pattern: &str, tree: &Ast) -> String {
    struct Classes(Vec<(Range<usize>, bool)>);
    impl ast::Visitor for Classes {
        type Output = Vec<(Range<usize>, bool)>;
        type Err = std::convert::Infallible;
        fn finish(self) -> Result<Self::Output, Self::Err> {
            Ok(self.0)
        }
        fn visit_pre(&mut self, tree: &Ast) -> Result<(), Self::Err> {
            let is_dot = matches!(tree, Ast::Dot(_));
            if is_dot || matches!(tree, Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_)) {
                self.0.push((tree.span().start.offset..tree.span().end.offset, is_dot));
            }
            Ok(())
        }
    }
    let Ok(classes) = visit(tree, Classes(Vec::new()));
    let mut out = String::with_capacity(pattern.len() + classes.len() * 12);
    let mut at = 0;
    for (class, is_dot) in classes {
        out.push_str(&pattern[at..class.start]);
        at = class.end;
        match is_dot {
            true => out.push_str(r"[^\n]"),
            false => out.extend(["[", &pattern[class], r"&&[^\n]]"]),
        }
    }
    out.push_str(&pattern[at..]);
    out
}
