//! Conditional compilation. The grammars take an `#if` group where a whole number of declarations or statements stands
//! in each branch. Any other group loses its directives and all of its branches but one. What another language reads,
//! and what `#if 0` leaves out, goes too.

use super::Mask;
use super::tokens::{Kind, Token};

struct Group {
    /// Index of the `#if`.
    open: usize,
    /// The last living token in front of it.
    before: Option<usize>,
    /// Index of the directive that starts each branch.
    branches: Vec<Branch>,
    /// Brackets open before the group.
    parens: i32,
    braces: usize,
    /// The group stands inside brackets or an initializer, or goes on a statement.
    inside: bool,
    initializer: bool,
}

struct Branch {
    directive: usize,
    end: usize,
    /// Braces opened and not closed at its end, and the least of that on the way.
    net: i32,
    least: i32,
    parens: i32,
}

/// What a brace holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    Block,
    Initializer,
    Enumerators,
}

/// What is known at the point that the scan has reached.
#[derive(Default)]
struct State {
    /// Open braces.
    braces: Vec<Brace>,
    parens: i32,
    net: i32,
    least: i32,
}

/// Drops dead tokens from `tokens` and blanks them.
pub(super) fn resolve(tokens: &mut Vec<Token>, mask: &mut Mask<'_>, cpp: bool) {
    let mut dead = vec![false; tokens.len()];
    let mut groups: Vec<Group> = Vec::new();
    let mut outer: Vec<(i32, i32, i32)> = Vec::new();
    let mut state = State::default();
    let mut last: Option<usize> = None;
    for i in 0..tokens.len() {
        match tokens[i].kind {
            Kind::If => {
                let initializer = state.braces.last().is_some_and(|b| *b != Brace::Block);
                let inside = state.parens > 0 || initializer || !ends(tokens, mask.text, last);
                let first = Branch { directive: i, end: i, net: 0, least: 0, parens: 0 };
                let (parens, braces) = (state.parens, state.braces.len());
                groups.push(Group {
                    before: last,
                    open: i,
                    branches: vec![first],
                    parens,
                    braces,
                    inside,
                    initializer,
                });
                outer.push((state.net, state.least, state.parens));
                state.net = 0;
                state.least = 0;
                last = Some(i);
            }
            Kind::Else | Kind::Endif => {
                let Some(group) = groups.last_mut() else { continue };
                if let Some(branch) = group.branches.last_mut() {
                    branch.end = i;
                    branch.net = state.net;
                    branch.least = state.least;
                    branch.parens = state.parens - group.parens;
                }
                if tokens[i].kind == Kind::Else {
                    group.branches.push(Branch { directive: i, end: i, net: 0, least: 0, parens: 0 });
                    state.braces.truncate(group.braces);
                    state.parens = group.parens;
                    state.net = 0;
                    state.least = 0;
                    last = Some(i);
                    continue;
                }
                let Some(group) = groups.pop() else { continue };
                let kept = close(&group, tokens, &mut dead, mask.text, cpp, i);
                let (net, least, parens) = outer.pop().unwrap_or_default();
                let branch = kept.and_then(|k| group.branches.get(k));
                let (own_net, own_least, own_parens) = branch.map_or((0, 0, 0), |b| (b.net, b.least, b.parens));
                state.net = net + own_net;
                state.least = least.min(net + own_least);
                state.parens = parens + own_parens;
                let depth = (group.braces as i32 + own_net).max(0) as usize;
                state.braces.resize(depth, Brace::Block);
                last = (group.open..=i).rev().find(|k| !dead[*k]).or(group.before);
            }
            Kind::Directive => {
                if state.parens > 0 || state.braces.last() == Some(&Brace::Initializer) {
                    dead[i] = true;
                } else {
                    last = Some(i);
                }
            }
            kind => {
                state.step(kind, last, tokens, mask.text);
                last = Some(i);
            }
        }
    }
    for (i, token) in tokens.iter().enumerate() {
        if dead[i] {
            mask.blank(token.start as usize, token.end as usize);
        }
    }
    let mut i = 0;
    tokens.retain(|_| {
        i += 1;
        !dead[i - 1]
    });
}

impl State {
    fn step(&mut self, kind: Kind, last: Option<usize>, tokens: &[Token], text: &str) {
        match kind {
            Kind::Sign(b'(' | b'[') => self.parens += 1,
            Kind::Sign(b')' | b']') => self.parens -= 1,
            Kind::Sign(b'{') => {
                let before = last.map(|l| tokens[l].kind);
                let nested =
                    self.braces.last() == Some(&Brace::Initializer) && matches!(before, Some(Kind::Sign(b'{' | b',')));
                let brace = if nested || matches!(before, Some(Kind::Sign(b'=' | b']'))) {
                    Brace::Initializer
                } else if last.is_some_and(|l| opens_enum(tokens, text, l)) {
                    Brace::Enumerators
                } else {
                    Brace::Block
                };
                self.braces.push(brace);
                self.net += 1;
                // A block inside brackets (a lambda, a statement expression) has statements of its own; its brackets
                // are counted on, which errs towards dropping directives.
            }
            Kind::Sign(b'}') => {
                self.braces.pop();
                self.net -= 1;
                self.least = self.least.min(self.net);
            }
            _ => {}
        }
    }
}

/// Whether the words up to `last` head an enumeration.
fn opens_enum(tokens: &[Token], text: &str, last: usize) -> bool {
    (0..=last)
        .rev()
        .take(12)
        .take_while(|i| matches!(tokens[*i].kind, Kind::Word | Kind::Scope | Kind::Sign(b':' | b'[' | b']')))
        .any(|i| tokens[i].kind == Kind::Word && tokens[i].text(text) == "enum")
}

/// Decides about a group that ends at `endif`; marks what is dead. The branch that counts for what follows.
fn close(group: &Group, tokens: &[Token], dead: &mut [bool], text: &str, cpp: bool, endif: usize) -> Option<usize> {
    let condition = tokens[group.open].text(text);
    let directives = |b: &Branch| (b.directive..b.end).all(|i| dead[i] || !is_code(tokens[i].kind));
    // Macros that are defined for either language are macros.
    let language = language_branch(condition, cpp).filter(|_| !group.branches.iter().all(directives));
    if let Some(kept) = language.or_else(|| zero(condition)) {
        // One branch is for another language, or for nobody.
        let only = (kept < group.branches.len()).then_some(kept);
        drop_all_but(group, dead, only, endif);
        return only;
    }
    let unbalanced = group.branches.iter().position(|b| b.net != 0 || b.least < 0 || b.parens != 0);
    let whole = |b: &Branch| is_whole(tokens, dead, text, b);
    if unbalanced.is_none() && !group.inside && group.branches.iter().all(whole) {
        return Some(0);
    }
    let empty = |b: &Branch| (b.directive + 1..b.end).all(|i| dead[i]);
    if unbalanced.is_none() && group.initializer {
        let listed = |b: &Branch| {
            let last = (b.directive + 1..b.end).rev().find(|i| !dead[*i]);
            last.is_none_or(|l| tokens[l].kind == Kind::Sign(b','))
        };
        if group.branches.iter().all(listed) {
            for branch in &group.branches {
                dead[branch.directive] = true;
            }
            dead[endif] = true;
            return Some(0);
        }
    }
    let kept = unbalanced.or_else(|| group.branches.iter().position(|b| !empty(b)));
    drop_all_but(group, dead, kept, endif);
    kept
}

fn is_code(kind: Kind) -> bool {
    !matches!(kind, Kind::If | Kind::Else | Kind::Endif | Kind::Directive)
}

fn drop_all_but(group: &Group, dead: &mut [bool], kept: Option<usize>, endif: usize) {
    for (n, branch) in group.branches.iter().enumerate() {
        dead[branch.directive] = true;
        if kept != Some(n) {
            dead[branch.directive..branch.end].fill(true);
        }
    }
    dead[endif] = true;
}

/// Which branch of a test for C++ this language reads.
fn language_branch(condition: &str, cpp: bool) -> Option<usize> {
    if !condition.contains("__cplusplus") {
        return None;
    }
    let condition: String = condition.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')')).collect();
    let condition = condition.split("/*").next().unwrap_or("");
    let for_cpp = match condition {
        "#ifdef__cplusplus" | "#ifdefined__cplusplus" => true,
        "#ifndef__cplusplus" | "#if!defined__cplusplus" => false,
        _ => return None,
    };
    Some(if for_cpp == cpp { 0 } else { 1 })
}

fn zero(condition: &str) -> Option<usize> {
    let bare: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    (bare.split("/*").next() == Some("#if0")).then_some(1)
}

/// Whether a branch holds a whole number of statements, declarations or list elements.
fn is_whole(tokens: &[Token], dead: &[bool], text: &str, branch: &Branch) -> bool {
    let mut live = (branch.directive + 1..branch.end).filter(|i| !dead[*i]);
    let Some(first) = live.next() else { return true };
    let starts = match tokens[first].kind {
        Kind::Word => tokens[first].text(text) != "else",
        Kind::Sign(sign) => matches!(sign, b'~' | b'*' | b'[' | b'{' | b'(' | b';' | b'@' | b'-' | b'+'),
        Kind::Arrow => false,
        _ => true,
    };
    let last = live.next_back().unwrap_or(first);
    starts && (ends(tokens, text, Some(last)) || tokens[last].kind == Kind::Directive)
}

/// Whether a statement may end at token `at`.
fn ends(tokens: &[Token], text: &str, at: Option<usize>) -> bool {
    let Some(at) = at else { return true };
    match tokens[at].kind {
        Kind::Sign(b';' | b'{' | b'}' | b',') => true,
        // A label needs its statement.
        Kind::Sign(b':') => at.checked_sub(1).is_some_and(|b| {
            matches!(tokens[b].text(text), "public" | "private" | "protected" | "default" | "slots" | "signals")
        }),
        Kind::If | Kind::Else | Kind::Endif | Kind::Directive => true,
        // A macro on a line of its own.
        Kind::Word => {
            super::words::is_macro_like(tokens[at].text(text))
                && at.checked_sub(1).is_none_or(|b| closes(tokens[b].kind))
        }
        Kind::Sign(b')') => {
            let mut depth = 0i32;
            for i in (0..=at).rev().take(LOOK_BACK) {
                match tokens[i].kind {
                    Kind::Sign(b')') => depth += 1,
                    Kind::Sign(b'(') => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    let Some(name) = i.checked_sub(1) else { return false };
                    let word = tokens[name].text(text);
                    return tokens[name].kind == Kind::Word
                        && !matches!(word, "if" | "while" | "for" | "switch")
                        && name.checked_sub(1).is_none_or(|b| closes(tokens[b].kind));
                }
            }
            false
        }
        _ => false,
    }
}

/// Tokens looked back over for the start of a macro call.
const LOOK_BACK: usize = 256;

fn closes(kind: Kind) -> bool {
    matches!(kind, Kind::Sign(b';' | b'{' | b'}' | b')') | Kind::If | Kind::Else | Kind::Endif | Kind::Directive)
}
