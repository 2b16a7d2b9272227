//! Macros. Their arguments and bodies are trees of tokens: paths, calls and members are read off them as they stand, and
//! all of it is unproven, since the macro decides what becomes of a token.

use rift_base::Facet;
use tree_sitter::Node;

use super::Rust;
use crate::binding::{Defined, Raw, Role, ScopeKind, Space, Walker as _};

/// Macros of the standard library; none of the project unless a file declares or imports one of the name.
const STANDARD: [&str; 39] = [
    "addr_of",
    "addr_of_mut",
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "pin",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Words before a name that an item of a macro gives to something.
const NAMING: [&str; 11] =
    ["fn", "struct", "enum", "union", "trait", "mod", "type", "const", "static", "'", "macro_rules"];

impl<'t> Rust<'_, 't> {
    /// `name!(…)`; what it yields is the macro's business.
    pub(super) fn macro_invocation(&mut self, node: Node<'t>) -> Raw {
        if let Some(name) = node.child_by_field_name("macro") {
            self.macro_name(name);
        }
        let mut cursor = node.walk();
        let tree = node.named_children(&mut cursor).find(|child| child.kind() == "token_tree");
        tree.into_iter().for_each(|tree| self.token_trees(tree));
        self.unknown()
    }

    fn macro_name(&mut self, name: Node<'t>) {
        let text = self.binder.str(name);
        if name.kind() != "identifier" || self.binder.imports(text) || self.declares_macro(text) {
            self.path(name, Space::Macros, Role::Expand);
            return;
        }
        if !STANDARD.contains(&text) {
            // Of a wildcard, of a module with `#[macro_use]`, or exported to the root of the crate.
            let here = self.binder.name_among(Space::Macros, text, name.start_byte());
            let root = self.binder.module("crate");
            let exported = self.binder.member(root, text);
            let term = self.binder.either(vec![here, exported]);
            self.binder.refer(term, Role::Expand, name);
        }
    }

    /// Whether the file declares a macro called `name` in a module or function around the walk.
    fn declares_macro(&mut self, name: &'t str) -> bool {
        let mut around: Vec<_> = self.modules.clone();
        around.extend([None, self.container, self.binder.owner()]);
        around.into_iter().any(|container| {
            let declared = self.binder.declared_in(container, name);
            let declaration = declared.and_then(|decl| self.binder.facts.outline.get(decl));
            declaration.is_some_and(|d| d.facets.has(Facet::Macro))
        })
    }

    /// The body of `macro_rules!`: what its rules expand to.
    pub(super) fn macro_rules(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let rules: Vec<Node<'t>> = node.named_children(&mut cursor).filter(|c| c.kind() == "macro_rule").collect();
        for rule in rules {
            rule.child_by_field_name("right").into_iter().for_each(|tree| self.token_trees(tree));
        }
    }

    /// Defines the items that extraction found inside the macro call `node`.
    pub(super) fn hoist_macro(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let tree = node.named_children(&mut cursor).find(|child| child.kind() == "token_tree");
        tree.into_iter().for_each(|tree| self.hoist_tokens(tree));
    }

    fn hoist_tokens(&mut self, tree: Node<'t>) {
        let go = |rust: &mut Self| {
            let mut cursor = tree.walk();
            let tokens: Vec<Node<'t>> = tree.children(&mut cursor).collect();
            let word = |at: usize| tokens.get(at).map_or("", |token| token.kind());
            for (at, token) in tokens.iter().enumerate() {
                match token.kind() {
                    "token_tree" => rust.hoist_tokens(*token),
                    "use" if rust.block_start.is_none() => {
                        let end = tokens.iter().skip(at).position(|token| token.kind() == ";");
                        let exported =
                            at.checked_sub(1).is_some_and(|before| matches!(word(before), "pub" | "token_tree"));
                        if let Some(end) = end {
                            rust.token_use(&tokens[at + 1..at + end], exported);
                        }
                    }
                    "identifier" => {
                        let is_file =
                            at.checked_sub(1).is_some_and(|before| word(before) == "mod") && word(at + 1) == ";";
                        rust.hoist_token(*token, is_file);
                    }
                    _ => {}
                }
            }
        };
        self.deeper(go);
    }

    /// Defines what `token` names, if extraction found an item there; a module with a file of its own, or not.
    fn hoist_token(&mut self, token: Node<'t>, is_file: bool) {
        let outline = &self.binder.facts.outline;
        let decl = self.binder.declared_at(token);
        let decl = decl.filter(|decl| outline.get(*decl).is_some_and(|d| d.container == self.container));
        let Some(decl) = decl else { return };
        self.binder.define(self.binder.str(token), Defined::Decl(decl), 0);
        if is_file && self.modules.is_empty() {
            let module = self.binder.module(self.binder.str(token));
            self.binder.holds(decl, module);
        }
    }

    fn token_trees(&mut self, tree: Node<'t>) {
        let before = std::mem::replace(&mut self.binder.unproven, true);
        self.binder.enter(ScopeKind::Block, None);
        self.tokens(tree);
        self.binder.leave();
        self.binder.unproven = before;
    }

    /// Reads one level of tokens.
    fn tokens(&mut self, tree: Node<'t>) {
        let go = |rust: &mut Self| {
            let mut cursor = tree.walk();
            let tokens: Vec<Node<'t>> = tree.children(&mut cursor).collect();
            let mut at = 0;
            while at < tokens.len() {
                at = rust.token(&tokens, at);
            }
        };
        self.deeper(go);
    }

    /// Reads what begins at token `at`; the number of the token behind it.
    fn token(&mut self, tokens: &[Node<'t>], at: usize) -> usize {
        let word = |at: usize| tokens.get(at).map_or("", |token| token.kind());
        let token = tokens[at];
        match token.kind() {
            "token_tree" | "token_repetition" => self.tokens(token),
            // An attribute.
            "#" if word(at + 1) == "token_tree" => return at + 2,
            "use" if self.imports_told => {
                let end = tokens.iter().skip(at).position(|token| token.kind() == ";");
                return end.map_or(at, |end| at + end) + 1;
            }
            "let" | "for" => {
                let name = if word(at + 1) == "mutable_specifier" { at + 2 } else { at + 1 };
                if word(name) == "identifier" {
                    // Its own initializer does not see it; the body of a loop does.
                    let end = tokens.iter().skip(name).find(|t| t.kind() == ";" && token.kind() == "let");
                    let from = end.map_or(tokens[name].start_byte(), |end| end.start_byte());
                    self.binder.define(self.binder.str(tokens[name]), Defined::Opaque, from);
                    return name + 1;
                }
            }
            "|" if at == 0 || matches!(word(at - 1), "(" | "," | "=" | "=>" | "{" | "move") => {
                return self.token_parameters(tokens, at + 1);
            }
            "identifier" | "self" | "crate" | "super" | "metavariable" => return self.token_path(tokens, at),
            _ => {}
        }
        at + 1
    }

    /// The parameters of a closure, up to the closing `|`.
    fn token_parameters(&mut self, tokens: &[Node<'t>], from: usize) -> usize {
        for (at, token) in tokens.iter().enumerate().skip(from) {
            match token.kind() {
                "identifier" => {
                    self.binder.define(self.binder.str(*token), Defined::Opaque, token.start_byte());
                }
                "," | "&" | "mutable_specifier" | "_" => {}
                "|" => return at + 1,
                _ => break,
            }
        }
        from
    }

    /// A path with the calls and members behind it.
    fn token_path(&mut self, tokens: &[Node<'t>], from: usize) -> usize {
        let word = |at: usize| tokens.get(at).map_or("", |token| token.kind());
        let before = from.checked_sub(1).map_or("", word);
        if NAMING.contains(&before) {
            return self.token_item(tokens, from);
        }
        // A member of something that is not followed here.
        if before == "." {
            return from + 1;
        }
        // `name in values`, as macros of tests spell parameters.
        if self.binder.str(tokens[from]) == "in" {
            return from + 1;
        }
        if tokens.get(from + 1).is_some_and(|next| self.binder.str(*next) == "in") {
            self.binder.define(self.binder.str(tokens[from]), Defined::Opaque, tokens[from].start_byte());
            return from + 2;
        }
        // `field: value`, `name = value`, `$name:fragment`.
        if word(from) == "identifier" && matches!(word(from + 1), ":" | "=") {
            return from + 1;
        }
        let Some((mut term, mut at)) = self.token_segments(tokens, from) else { return from + 1 };
        loop {
            let group = tokens.get(at).filter(|token| token.kind() == "token_tree");
            match group.and_then(|group| group.child(0)).map_or(word(at), |open| open.kind()) {
                "(" => {
                    self.tokens(tokens[at]);
                    term = self.binder.call(term);
                }
                "[" => {
                    self.tokens(tokens[at]);
                    term = self.binder.inner(term, -1);
                }
                "?" => term = self.binder.inner(term, 0),
                "." if word(at + 1) == "await" => at += 1,
                "." if word(at + 1) == "identifier" => {
                    let name = tokens[at + 1];
                    term = self.binder.member(term, self.binder.str(name));
                    let role = if is_call(tokens, at + 2) { Role::Call } else { Role::Read };
                    self.binder.refer(term, role, name);
                    at += 1;
                }
                _ => return at,
            }
            at += 1;
        }
    }

    /// `a::b::c`: what it means, and the number of the token behind it; nothing for a macro call and for keywords.
    fn token_segments(&mut self, tokens: &[Node<'t>], from: usize) -> Option<(Raw, usize)> {
        let word = |at: usize| tokens.get(at).map_or("", |token| token.kind());
        let mut at = from;
        let mut term: Option<Raw> = None;
        loop {
            let token = *tokens.get(at)?;
            let text = self.binder.str(token);
            let qualifies = word(at + 1) == "::" && matches!(word(at + 2), "identifier" | "super");
            let role = if !qualifies && is_call(tokens, at + 1) { Role::Call } else { Role::Read };
            if word(at + 1) == "!" && word(at + 2) == "token_tree" && term.is_none() {
                self.macro_name(token);
                return None;
            }
            let here = match (term, token.kind(), text) {
                (Some(of), ..) => {
                    let member = self.binder.member(of, text);
                    let role = if word(at + 1) == "!" && word(at + 2) == "token_tree" { Role::Expand } else { role };
                    self.binder.refer(member, role, token);
                    member
                }
                (None, "crate", _) | (None, _, "$crate") => self.binder.module("crate"),
                (None, "super", _) => self.above(1),
                (None, "self", _) if qualifies => self.above(0),
                (None, "self", _) => self.receiver?,
                (None, "metavariable", _) => return None,
                (None, _, "Self") => self.self_type(),
                (None, ..) => {
                    let space = match role {
                        _ if qualifies => Space::Types,
                        Role::Read if text.starts_with(char::is_uppercase) => Space::Any,
                        _ => Space::Values,
                    };
                    let term = self.binder.name_among(space, text, token.start_byte());
                    self.binder.refer(term, role, token);
                    term
                }
            };
            term = Some(here);
            if !qualifies {
                return Some((here, at + 1));
            }
            at += 2;
        }
    }

    /// The name of an item inside a macro: no use. A callable that extraction found owns its body.
    fn token_item(&mut self, tokens: &[Node<'t>], name: usize) -> usize {
        let decl = self.binder.declared_at(tokens[name]);
        let outline = &self.binder.facts.outline;
        let callable = decl.filter(|d| outline.get(*d).is_some_and(|d| d.facets.has(Facet::Callable)));
        let Some(decl) = callable else { return name + 1 };
        let open = |token: &Node<'t>| token.kind() == "token_tree" && token.child(0).is_some_and(|c| c.kind() == "{");
        let ends = |token: &Node<'t>| token.kind() == ";" || open(token);
        let end = tokens.iter().skip(name).position(ends).map_or(tokens.len(), |found| name + found + 1);
        self.binder.own(decl);
        self.binder.enter(ScopeKind::Callable, None);
        let parameters = tokens[name..end].iter().find(|token| token.child(0).is_some_and(|c| c.kind() == "("));
        let inside: Vec<Node<'t>> = parameters.map_or(Vec::new(), |list| super::children(*list));
        for name in
            inside.iter().filter(|n| n.kind() == "identifier" && n.next_sibling().is_some_and(|s| s.kind() == ":"))
        {
            self.binder.define(self.binder.str(*name), Defined::Opaque, name.start_byte());
        }
        let mut at = name + 1;
        while at < end {
            at = self.token(&tokens[..end], at);
        }
        self.binder.leave();
        self.binder.disown();
        end
    }
}

/// Whether an argument list stands at token `at`, behind type arguments or not.
fn is_call(tokens: &[Node<'_>], mut at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.kind());
    if word(at) == "::" && word(at + 1) == "<" {
        at = tokens.iter().skip(at).position(|token| token.kind() == ">").map_or(at, |found| at + found + 1);
    }
    tokens.get(at).is_some_and(|token| token.kind() == "token_tree" && token.child(0).is_some_and(|c| c.kind() == "("))
}
