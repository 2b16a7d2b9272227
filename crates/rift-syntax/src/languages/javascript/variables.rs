//! Variables of modules and namespaces, and the members of the object literals that they hold.

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::callables::{callable, function_value, is_function, overload};
use super::classes::{CLASS, accessor};
use super::exports::alias_of;
use super::parts::{
    Export, annotation, attach, begin, body, declare, has, head_with_value, is_module_level, is_spread, local, name_of,
    publish, scope, short, signature,
};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::text::{range, squeeze};

/// How deep object literals inside one another are looked into.
const OBJECT_DEPTH: u8 = 4;

/// Longest text, in bytes, that a signature shows of a call around a function.
const SHORT_CALL: usize = 200;

/// `const`, `let`, `var` or `using`: a variable of the module is declared by its declarator and starts here.
pub(super) fn statement<'t>(walk: &Walk<'t>, node: Node<'t>) -> Visit {
    let hoisted = walk.scope.tag == scope::BLOCK && node.kind() == "variable_declaration";
    if hoisted || is_module_level(walk.scope.tag) { Visit::Unwrap } else { Visit::Descend }
}

/// One variable, or the variables of one destructuring pattern.
pub(super) fn declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>, plain: bool) -> Visit {
    let Some(outer) = walk.wrapper else { return local(walk) };
    let (Some(carrier), Some(name)) = (carrier(outer), node.child_by_field_name("name")) else { return local(walk) };
    let value = node.child_by_field_name("value");
    if plain && outer.kind() != "export_statement" && value.is_some_and(|v| is_require(walk, v)) {
        return Visit::Skip;
    }
    let place = Place::of(walk, carrier, node);
    if matches!(name.kind(), "object_pattern" | "array_pattern") {
        return destructuring(walk, &place, node, name, value);
    }
    let mut draft = variable(walk, &place, node, name);
    let inner = value.map(unwrap);
    let mut tag = scope::LOCAL;
    match inner.map(|v| (v, Value::of(walk, v))) {
        Some((function, Value::Function)) => {
            draft.kind = "function";
            draft.facets = draft.facets.with(Facet::Callable);
            function_value(walk, function, &mut draft);
            place.body(walk, node, function.child_by_field_name("body"), &mut draft);
        }
        Some((class, Value::Class)) => {
            class_value(&mut draft);
            tag = scope::VALUE;
            place.body(walk, node, class.child_by_field_name("body"), &mut draft);
        }
        Some((value, kind)) => {
            if kind == Value::Object {
                draft.facets = draft.facets.with(Facet::MemberContainer);
                tag = scope::OBJECT + 1;
            }
            place.value(walk, node, value, &mut draft);
        }
        None => place.body(walk, node, None, &mut draft),
    }
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    Visit::Enter(walk.scope_of(id, tag))
}

/// The `const` statement inside an `export` or `declare`.
fn carrier(outer: Node<'_>) -> Option<Node<'_>> {
    match outer.kind() {
        "export_statement" => carrier_below(outer.child_by_field_name("declaration")?),
        _ => carrier_below(outer),
    }
}

fn carrier_below(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() != "ambient_declaration" {
        return Some(node);
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|n| n.kind().ends_with("_declaration"))
}

/// Where a declarator stands in its statement.
struct Place<'t> {
    /// `const`, `let`, `var`, `using`.
    word: &'t str,
    /// Whether the statement's documentation and start are this declarator's.
    is_first: bool,
    /// The item: the statement of its only declarator, or the declarator.
    item: ByteRange,
}

impl<'t> Place<'t> {
    fn of(walk: &Walk<'t>, carrier: Node<'t>, declarator: Node<'t>) -> Self {
        let mut cursor = carrier.walk();
        let mut declarators = carrier.named_children(&mut cursor).filter(|n| n.kind() == "variable_declarator");
        let is_first = declarators.next() == Some(declarator);
        let is_only = is_first && declarators.next().is_none();
        let word = carrier.child(0).map_or("", |n| walk.str(n));
        Self { word, is_first, item: range(if is_only { carrier } else { declarator }) }
    }

    /// The text before `end` behind the statement's word.
    fn head(&self, walk: &Walk<'t>, declarator: Node<'t>, end: usize) -> String {
        format!("{} {}", self.word, signature(walk, declarator, declarator.start_byte(), end))
    }

    fn body(&self, walk: &Walk<'t>, declarator: Node<'t>, body: Option<Node<'t>>, draft: &mut Draft<'t>) {
        let end = body.map_or(declarator.end_byte(), |b| b.start_byte());
        if let Some(body) = body {
            draft.body = range(body);
        }
        draft.signature = self.head(walk, declarator, end);
    }

    /// Sets the value as the body; the signature shows a short one, and a call as far as the function that it is given.
    fn value(&self, walk: &Walk<'t>, declarator: Node<'t>, value: Node<'t>, draft: &mut Draft<'t>) {
        draft.body = range(value);
        let code = wrapped_function(value).and_then(|f| f.child_by_field_name("body"));
        if let Some(code) = code.filter(|c| c.start_byte() - declarator.start_byte() <= SHORT_CALL) {
            draft.signature = self.head(walk, declarator, code.start_byte());
            return;
        }
        let whole = declarator.child_by_field_name("value").unwrap_or(value);
        let head = self.head(walk, declarator, whole.start_byte());
        draft.signature = head_with_value(walk, &head, Some(whole));
    }
}

fn variable<'t>(walk: &Walk<'t>, place: &Place<'t>, declarator: Node<'t>, name: Node<'t>) -> Draft<'t> {
    let constant = matches!(place.word, "const" | "using" | "await");
    let mut draft = begin(walk, if constant { "constant" } else { "variable" }, declarator, name, &[Facet::Value]);
    if !constant {
        draft.facets = draft.facets.with(Facet::Mutable);
    }
    draft.item = place.item;
    if !place.is_first {
        let start = declarator.start_byte();
        let wrapper = walk.outer(declarator).start_byte();
        let own = walk.leading.iter().position(|n| n.start_byte() >= wrapper).unwrap_or(walk.leading.len());
        draft.documentation = None;
        draft.facets = Facets::of(&draft.facets.iter().filter(|f| *f != Facet::Deprecated).collect::<Vec<_>>());
        attach(walk, &walk.leading[own..], start, &mut draft);
    }
    draft.value_type = annotation(walk, declarator.child_by_field_name("type"));
    draft
}

/// `const { a, b: c } = …` declares `a` and `c`.
fn destructuring<'t>(
    walk: &mut Walk<'t>,
    place: &Place<'t>,
    declarator: Node<'t>,
    pattern: Node<'t>,
    value: Option<Node<'t>>,
) -> Visit {
    let head = place.head(walk, declarator, value.map_or(declarator.end_byte(), |v| v.start_byte()));
    let display = head_with_value(walk, &head, value);
    let scope = walk.scope.clone();
    for name in bound_names(pattern) {
        let mut draft = variable(walk, place, declarator, name);
        draft.value_type = None;
        draft.signature.clone_from(&display);
        draft.body = value.map_or(draft.body, range);
        declare(walk, &scope, draft);
    }
    local(walk)
}

/// The identifiers that a pattern binds, in source order.
fn bound_names(pattern: Node<'_>) -> Vec<Node<'_>> {
    let mut out = Vec::new();
    let mut open = vec![pattern];
    while let Some(node) = open.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => out.push(node),
            "object_pattern" | "array_pattern" => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                open.extend(parts.into_iter().rev());
            }
            "pair_pattern" => open.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => open.extend(node.child_by_field_name("left")),
            "rest_pattern" => open.extend(node.named_child(0)),
            _ => {}
        }
    }
    out
}

/// What an initial value makes of its declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Function,
    Class,
    Object,
    Other,
}

impl Value {
    pub(super) fn of(walk: &Walk<'_>, value: Node<'_>) -> Self {
        match value.kind() {
            "class" => Value::Class,
            "object" => Value::Object,
            "call_expression" if is_frozen(walk, value) => Value::Object,
            _ if is_function(value) => Value::Function,
            _ => Value::Other,
        }
    }
}

/// Makes a draft that of a class.
pub(super) fn class_value(draft: &mut Draft<'_>) {
    draft.kind = "class";
    let mut facets: Vec<Facet> = draft.facets.iter().collect();
    facets.extend(CLASS);
    facets.push(Facet::Constructible);
    draft.facets = Facets::of(&facets);
}

/// `Object.freeze({…})` and `Object.seal({…})` are their object.
fn is_frozen(walk: &Walk<'_>, call: Node<'_>) -> bool {
    let freezes = |f: Node<'_>| matches!(walk.str(f), "Object.freeze" | "Object.seal");
    let first = || call.child_by_field_name("arguments")?.named_child(0);
    call.child_by_field_name("function").is_some_and(freezes) && first().is_some_and(|n| n.kind() == "object")
}

/// The expression inside parentheses and type assertions.
pub(super) fn unwrap(mut node: Node<'_>) -> Node<'_> {
    loop {
        let inner = match node.kind() {
            "parenthesized_expression" | "as_expression" | "satisfies_expression" | "non_null_expression" => {
                node.named_child(0)
            }
            "type_assertion" => node.named_child(1),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

/// The function among the arguments of a call (`memo(() => …)`, `create((set) => …)`).
fn wrapped_function(call: Node<'_>) -> Option<Node<'_>> {
    let list = (call.kind() == "call_expression").then(|| call.child_by_field_name("arguments"))??;
    let mut cursor = list.walk();
    list.named_children(&mut cursor).find(|n| is_function(*n))
}

/// Whether a value is a CommonJS module, or a part of one: `require("x")`, `require("x").y`.
pub(super) fn is_require(walk: &Walk<'_>, mut value: Node<'_>) -> bool {
    while value.kind() == "member_expression" {
        let Some(object) = value.child_by_field_name("object") else { return false };
        value = object;
    }
    value.kind() == "call_expression"
        && value.child_by_field_name("function").is_some_and(|f| walk.str(f) == "require")
        && value.child_by_field_name("arguments").and_then(|a| a.named_child(0)).is_some_and(|s| s.kind() == "string")
}

/// `key: value` in an object literal that has members.
pub(super) fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let tag = walk.scope.tag;
    let (Some(name), Some(value)) = (node.child_by_field_name("key"), node.child_by_field_name("value")) else {
        return local(walk);
    };
    if (tag < scope::OBJECT && tag != scope::EXPORTS) || is_spread(walk, name) {
        return local(walk);
    }
    let level = tag.saturating_sub(scope::OBJECT).max(1);
    let inner = unwrap(value);
    let kind = Value::of(walk, inner);
    let is_container = kind == Value::Object && level < OBJECT_DEPTH && (level == 1 || has_function(inner));
    if level > 1 && !is_container && kind != Value::Function {
        return local(walk);
    }
    if tag == scope::EXPORTS && (inner.kind() == "identifier" || is_require(walk, inner)) {
        return exported_pair(walk, node, name, inner);
    }
    let mut draft = begin(walk, "property", node, name, &member_facets(tag));
    let mut below = scope::LOCAL;
    match kind {
        Value::Function => {
            draft.kind = if tag == scope::EXPORTS { "function" } else { "method" };
            draft.facets = draft.facets.with(Facet::Callable);
            function_value(walk, inner, &mut draft);
            body(walk, node, inner.child_by_field_name("body"), &mut draft);
        }
        Value::Class => {
            class_value(&mut draft);
            below = scope::VALUE;
            body(walk, node, inner.child_by_field_name("body"), &mut draft);
        }
        _ => {
            member_value(tag, &mut draft);
            if is_container {
                draft.facets = draft.facets.with(Facet::MemberContainer);
                below = scope::OBJECT + level + 1;
            }
            draft.body = range(value);
            let head = signature(walk, node, draft.item.start as usize, name.end_byte());
            draft.signature = short(walk.str(value)).map_or_else(|| head.clone(), |value| format!("{head}: {value}"));
        }
    }
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    Visit::Enter(walk.scope_of(id, below))
}

fn member_facets(tag: u8) -> Vec<Facet> {
    if tag == scope::EXPORTS { vec![Facet::Value, Facet::Public] } else { vec![Facet::Value, Facet::Member] }
}

/// What a member that is neither function nor class is.
fn member_value(tag: u8, draft: &mut Draft<'_>) {
    draft.facets = draft.facets.with(Facet::Mutable);
    if tag == scope::EXPORTS {
        draft.kind = "variable";
    } else {
        draft.facets = draft.facets.with(Facet::Property);
    }
}

/// Whether an object literal holds a function.
fn has_function(object: Node<'_>) -> bool {
    let mut cursor = object.walk();
    object.named_children(&mut cursor).any(|n| match n.kind() {
        "method_definition" => true,
        "pair" => n.child_by_field_name("value").is_some_and(|v| is_function(unwrap(v))),
        _ => false,
    })
}

/// `module.exports = { name: value }` where the value is another name or module.
fn exported_pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, value: Node<'t>) -> Visit {
    let spelled = walk.str(value);
    if name_of(walk, name) == spelled {
        publish(walk, spelled, Export::Unsaid);
        return Visit::Skip;
    }
    if value.kind() == "identifier" {
        publish(walk, spelled, Export::Unsaid);
    }
    let mut draft = alias_of(walk, node, name);
    draft.signature = squeeze(walk.str(node));
    let scope = walk.scope.clone();
    declare(walk, &scope, draft);
    Visit::Skip
}

/// `{ name }` in an object literal that has members.
pub(super) fn shorthand<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    const FIRST_LEVEL: u8 = scope::OBJECT + 1;
    match walk.scope.tag {
        scope::EXPORTS => publish(walk, walk.str(node), Export::Unsaid),
        FIRST_LEVEL => {
            let mut draft = begin(walk, "property", node, node, &member_facets(FIRST_LEVEL));
            member_value(FIRST_LEVEL, &mut draft);
            draft.signature = walk.str(node).to_owned();
            let scope = walk.scope.clone();
            declare(walk, &scope, draft);
        }
        _ => {}
    }
    Visit::Skip
}

/// `name() {}`, `get name() {}` in an object literal that has members.
pub(super) fn object_method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return local(walk) };
    let tag = walk.scope.tag;
    let mut facets = member_facets(tag);
    facets.push(Facet::Callable);
    let mut draft = begin(walk, if tag == scope::EXPORTS { "function" } else { "method" }, node, name, &facets);
    draft.callable = Some(callable(walk, node));
    if has(&draft, "get") || has(&draft, "set") {
        accessor(&mut draft, "instance");
    } else {
        draft.joins = overload(true, "instance");
    }
    body(walk, node, node.child_by_field_name("body"), &mut draft);
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    Visit::Enter(Scope { tag: scope::LOCAL, ..walk.scope_of(id, scope::LOCAL) })
}
