//! What all declarations share: scopes, names, modifiers, documentation, export marks and signatures.

use std::borrow::Cow;

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use crate::engine::{Draft, Scope, Visit, Walk};
use crate::facts::{DeclId, Documentation};
use crate::text::{block_comment, header, line_breaks, range, squeeze};

/// Words that tell kinds of scopes apart ([`Scope::tag`]).
pub(super) mod scope {
    /// The file.
    pub(crate) const MODULE: u8 = 0;
    /// A block outside any function: its `var`s are the module's.
    pub(crate) const BLOCK: u8 = 1;
    /// A body or an expression: only functions and classes are declared.
    pub(crate) const LOCAL: u8 = 2;
    /// A class.
    pub(crate) const CLASS: u8 = 3;
    /// A constructor's body: `this.x = …` declares a property of the class.
    pub(crate) const CONSTRUCTOR: u8 = 4;
    /// An interface.
    pub(crate) const INTERFACE: u8 = 5;
    /// A namespace, before and inside its block.
    pub(crate) const NAMESPACE_HEAD: u8 = 6;
    pub(crate) const NAMESPACE: u8 = 7;
    /// A namespace whose members are visible without `export`, before and inside its block.
    pub(crate) const AMBIENT_HEAD: u8 = 8;
    pub(crate) const AMBIENT: u8 = 9;
    /// A declaration's initial value: a class in it is that declaration's.
    pub(crate) const VALUE: u8 = 10;
    /// The object that `module.exports` is set to.
    pub(crate) const EXPORTS: u8 = 11;
    /// An object literal; one more for each level of nesting.
    pub(crate) const OBJECT: u8 = 32;
}

/// A container that no declaration has: under it stand the names that the file exports by name.
const EXPORTED: DeclId = DeclId(u32::MAX - 64);

/// Added to a module-level declaration's number, a container that no declaration has: under it stands the declaration
/// of the same name before that one.
const BEFORE: u32 = 1 << 30;

/// Declarations of one name (overloads, a type beside its value) that one export marks.
const SAME_NAME: usize = 64;

/// Longest computed member name, in bytes, that is taken as a name.
const COMPUTED_NAME: usize = 120;

/// Goes on below in the same container, as `tag`.
pub(super) fn enter(walk: &Walk<'_>, tag: u8) -> Visit {
    Visit::Enter(Scope { tag, ..walk.scope.clone() })
}

/// Goes on below as in a body.
pub(super) fn local(walk: &Walk<'_>) -> Visit {
    if walk.scope.tag == scope::LOCAL { Visit::Descend } else { enter(walk, scope::LOCAL) }
}

/// Whether every variable declared here is the module's or a namespace's.
pub(super) fn is_module_level(tag: u8) -> bool {
    matches!(tag, scope::MODULE | scope::NAMESPACE | scope::AMBIENT)
}

/// A draft with its documentation, decorators, visibility and the names of its modifiers.
pub(super) fn begin<'t>(
    walk: &Walk<'t>,
    kind: &'static str,
    item: Node<'t>,
    name: Node<'t>,
    facets: &[Facet],
) -> Draft<'t> {
    let mut draft = Draft::named(kind, item, name_of(walk, name));
    draft.name_range = range(name);
    draft.facets = Facets::of(facets);
    draft.item.start = bare_start(item) as u32;
    modifiers(walk, item, &mut draft);
    let wrapper = walk.wrapper.filter(|w| w.kind() != "expression_statement");
    if let Some(wrapper) = wrapper {
        export_mark(wrapper, &mut draft);
    }
    if walk.scope.tag == scope::AMBIENT {
        draft.facets = draft.facets.with(Facet::Public);
    }
    attach(walk, &walk.leading, walk.outer(item).start_byte(), &mut draft);
    draft
}

/// Declares `draft` and keeps its name for `export { name }`, `Name.prototype.x = …` and the like.
pub(super) fn declare<'t>(walk: &mut Walk<'t>, scope: &Scope, mut draft: Draft<'t>) -> DeclId {
    let Cow::Borrowed(name) = draft.name else { return walk.declare_in(scope, draft) };
    if scope.decl.is_none()
        && let Some(mark) = walk.recall(Some(EXPORTED), name)
    {
        draft.facets = draft.facets.with(Facet::Public);
        draft.visibility = draft.visibility.or_else(|| EXPORT_WORDS.get(mark.0 as usize)?.map(str::to_owned));
    }
    let id = walk.declare_in(scope, draft);
    if scope.decl.is_none()
        && let Some(previous) = walk.recall(None, name)
    {
        walk.remember(Some(DeclId(BEFORE.saturating_add(id.0))), name, previous);
    }
    walk.remember(scope.decl, name, id);
    id
}

/// The visibility that an export gives to what it names.
const EXPORT_WORDS: [Option<&str>; 3] = [None, Some("export"), Some("export default")];

/// How a module publishes a name that it declares elsewhere; indexes [`EXPORT_WORDS`].
#[derive(Clone, Copy)]
pub(super) enum Export {
    /// Under another name, or by CommonJS, which has no word for it.
    Unsaid = 0,
    Named = 1,
    Default = 2,
}

/// Marks what the file declares as `name`, before or behind this place, as public.
pub(super) fn publish<'t>(walk: &mut Walk<'t>, name: &'t str, export: Export) {
    walk.remember(Some(EXPORTED), name, DeclId(export as u32));
    let mut next = walk.recall(None, name);
    for _ in 0..SAME_NAME {
        let Some(id) = next else { return };
        let declaration = walk.declared(id);
        declaration.facets = declaration.facets.with(Facet::Public);
        if declaration.visibility.is_none() {
            declaration.visibility = EXPORT_WORDS[export as usize].map(Into::into);
        }
        next = walk.recall(Some(DeclId(BEFORE.saturating_add(id.0))), name);
    }
}

/// The name that a name node spells: a string's content, a computed name with its brackets.
pub(super) fn name_of<'t>(walk: &Walk<'t>, node: Node<'t>) -> Cow<'t, str> {
    let text = walk.str(node);
    match node.kind() {
        "string" => Cow::Borrowed(unquote(text)),
        "computed_property_name" => match node.named_child(0) {
            Some(inner) if inner.kind() == "string" => Cow::Borrowed(unquote(walk.str(inner))),
            _ if text.len() > COMPUTED_NAME => Cow::Borrowed(""),
            _ if text.contains(char::is_whitespace) => Cow::Owned(squeeze(text)),
            _ => Cow::Borrowed(text),
        },
        _ => Cow::Borrowed(text),
    }
}

/// Whether a name stands in for `...` (see `repair`).
pub(super) fn is_spread(walk: &Walk<'_>, name: Node<'_>) -> bool {
    walk.str(name) == "."
}

fn unquote(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1)).unwrap_or("")
}

/// First byte of `item` behind its decorators.
fn bare_start(item: Node<'_>) -> usize {
    let mut cursor = item.walk();
    if !cursor.goto_first_child() || cursor.node().kind() != "decorator" {
        return item.start_byte();
    }
    while matches!(cursor.node().kind(), "decorator" | "comment") && cursor.goto_next_sibling() {}
    cursor.node().start_byte()
}

/// Reads the words before the name: modifiers, accessibility, `*`.
pub(super) fn modifiers<'t>(walk: &Walk<'t>, item: Node<'t>, draft: &mut Draft<'t>) {
    let mut cursor = item.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let node = cursor.node();
        if matches!(cursor.field_name(), Some("name" | "property" | "parameters" | "parameter" | "body")) {
            break;
        }
        match node.kind() {
            "accessibility_modifier" => {
                let word = walk.str(node);
                draft.visibility = Some(word.to_owned());
                if word == "public" {
                    draft.facets = draft.facets.with(Facet::Public);
                }
            }
            "*" => draft.facets = draft.facets.with(Facet::Generator),
            "static get" => draft.modifiers.extend(["static".into(), "get".into()]),
            "const" if item.kind() != "enum_declaration" => {}
            word
            @ ("async" | "static" | "readonly" | "abstract" | "declare" | "get" | "set" | "accessor" | "const") => {
                draft.modifiers.push(word.into());
            }
            "override_modifier" => draft.modifiers.push("override".into()),
            _ => {}
        }
        more = cursor.goto_next_sibling();
    }
    for word in &draft.modifiers {
        draft.facets = match &**word {
            "async" => draft.facets.with(Facet::Async),
            "static" => draft.facets.with(Facet::Static),
            "abstract" => draft.facets.with(Facet::Abstract),
            _ => draft.facets,
        };
    }
}

/// Whether `draft` has the modifier `word`.
pub(super) fn has(draft: &Draft<'_>, word: &str) -> bool {
    draft.modifiers.iter().any(|m| **m == *word)
}

/// Visibility and `declare`, from the statement around a declaration.
fn export_mark(wrapper: Node<'_>, draft: &mut Draft<'_>) {
    let mut inner = Some(wrapper);
    if wrapper.kind() == "export_statement" {
        draft.facets = draft.facets.with(Facet::Public);
        let default = is_default(wrapper);
        draft.visibility = EXPORT_WORDS[if default { Export::Default } else { Export::Named } as usize].map(Into::into);
        inner = wrapper.child_by_field_name("declaration");
    }
    if inner.is_some_and(|n| n.kind() == "ambient_declaration") {
        draft.modifiers.insert(0, "declare".into());
    }
}

/// Whether an export statement is `export default`.
pub(super) fn is_default(statement: Node<'_>) -> bool {
    let mut cursor = statement.walk();
    statement.children(&mut cursor).skip_while(|n| n.kind() != "export").nth(1).is_some_and(|n| n.kind() == "default")
}

/// Attaches documentation, the JSDoc way: from `start`, the first byte of the statement that carries the declaration,
/// backwards over `/** */` blocks and decorators; any other comment and a blank line end the walk. A comment of
/// three or more stars is decoration (<https://jsdoc.app/about-getting-started>).
pub(super) fn attach(walk: &Walk<'_>, leading: &[Node<'_>], start: usize, draft: &mut Draft<'_>) {
    let mut blocks: Vec<String> = Vec::new();
    let (mut first, mut at, mut open) = (start, start, true);
    for node in leading.iter().rev() {
        if node.kind() == "decorator" {
            at = node.start_byte();
            first = first.min(at);
            continue;
        }
        let text = walk.str(*node);
        let is_documentation = text.starts_with("/**") && text.len() > 4 && !text.starts_with("/***");
        open &= is_documentation && line_breaks(walk.text, node.end_byte(), at) <= 1;
        if open {
            blocks.push(block_comment(text, "/**"));
            at = node.start_byte();
            first = first.min(at);
        }
    }
    draft.start = first;
    blocks.reverse();
    let text = blocks.join("\n");
    if text.lines().any(|l| l.trim_start().strip_prefix("@deprecated").is_some_and(ends_word)) {
        draft.facets = draft.facets.with(Facet::Deprecated);
    }
    if !text.is_empty() {
        draft.documentation = Some(Documentation { markdown: true, text: text.into() });
    }
}

fn ends_word(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// `item`'s text between two offsets on one line, without comments, decorators and a closing semicolon.
pub(super) fn signature(walk: &Walk<'_>, item: Node<'_>, from: usize, to: usize) -> String {
    let part = ByteRange::new(from, to);
    let drop: &[&str] = if part.of(walk.text).contains('@') { &["decorator"] } else { &[] };
    let mut text = header(walk.text, item, part, drop);
    text.truncate(text.trim_end_matches([';', ' ']).len());
    text
}

/// Sets the body, and the signature to what stands before it.
pub(super) fn body<'t>(walk: &Walk<'t>, item: Node<'t>, body: Option<Node<'t>>, draft: &mut Draft<'t>) {
    let end = body.map_or(draft.item.end as usize, |b| b.start_byte());
    if let Some(body) = body {
        draft.body = range(body);
    }
    draft.signature = signature(walk, item, draft.item.start as usize, end);
}

/// Longest initial value, in bytes, that a signature shows.
const SHORT_VALUE: usize = 80;

/// `value` as a signature shows it: when it is one short line.
pub(super) fn short(value: &str) -> Option<&str> {
    (value.len() <= SHORT_VALUE && !value.contains('\n')).then_some(value)
}

/// `head = value` for a short value, `head` otherwise.
pub(super) fn head_with_value(walk: &Walk<'_>, head: &str, value: Option<Node<'_>>) -> String {
    let head = head.trim_end().trim_end_matches('=').trim_end();
    match value.and_then(|v| short(walk.str(v))) {
        Some(value) => format!("{head} = {value}"),
        None => head.to_owned(),
    }
}

/// A type annotation's type, without its colon.
pub(super) fn annotation(walk: &Walk<'_>, node: Option<Node<'_>>) -> Option<String> {
    let text = walk.str(node?);
    let text = squeeze(text.trim_start_matches([':', '?', '-', '+']));
    (!text.is_empty()).then_some(text)
}
