//! Functions: definitions, prototypes, methods, constructors, operators.

use rift_base::{ByteRange, Facet, Facets, NamePath};
use tree_sitter::Node;

use super::callables::{old_style_types, shape};
use super::declarators::{Declarator, declarator, has_child, spelled};
use super::items::{Item, draft, item, signature};
use super::mask::is_macro_like;
use super::types::{Specifiers, specifiers};
use super::{BODY, CLASS, FILE, HIDDEN, WHAT, access, is_specialisation, tests_of};
use crate::engine::{Scope, Visit, Walk};
use crate::facts::{DeclId, Joins};

/// A function with a body, or with `= default` or `= delete` in its place.
pub(super) fn definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, cpp: bool) -> Visit {
    if walk.scope.tag & WHAT == BODY {
        return Visit::Skip;
    }
    let d = node.child_by_field_name("declarator").and_then(declarator);
    let Some(d) = d.filter(|d| d.function.is_some()) else { return Visit::Descend };
    let item = item(walk, node);
    let specifiers = specifiers(walk, node);
    let name = walk.str(d.name);
    let untyped = specifiers.kind.is_none() && walk.scope.tag & WHAT != CLASS && d.name.kind() == "identifier";
    if untyped && is_macro_like(name) && !tests_of::is_test_macro(name) {
        // A macro call with a block: what it declares is the macro's secret.
        return Visit::Enter(Scope { tag: BODY | HIDDEN, ..walk.scope.clone() });
    }
    let id = match tests_of::test(walk, node, &item, &d, &specifiers) {
        Some(id) => id,
        None => declare(walk, node, item, &specifiers, &d, cpp),
    };
    Visit::Enter(walk.scope_of(id, BODY | HIDDEN))
}

/// Declares the function that `d` declares in `node`.
pub(super) fn declare<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    item: Item,
    specifiers: &Specifiers<'t>,
    d: &Declarator<'t>,
    cpp: bool,
) -> DeclId {
    let name = spelled(walk.text, d.name, is_specialisation(walk));
    let scope = if item.friend { outside_classes(walk) } else { walk.scope.clone() };
    let in_class = scope.tag & WHAT == CLASS;
    let owner = match name.qualifier.last() {
        Some(last) => Some(last.clone()),
        None if in_class => scope.path.names().last().map(|n| n.to_string()),
        None => None,
    };
    let what = What::of(&name.name, name.node, specifiers, owner.as_deref());
    let clause = clause(node);
    let arguments = name.arguments;
    let mut draft = draft(what.kind(owner.is_some()), node, &item, name);
    let shape = shape(walk, specifiers, d, cpp);
    draft.callable = Some(shape.callable);
    draft.facets = draft.facets.union(Facets::of(&[Facet::Callable])).with_if(Facet::Value, what != What::Destructor);
    draft.facets = draft
        .facets
        .with_if(Facet::Member, owner.is_some())
        .with_if(Facet::Constructor, what == What::Constructor)
        .with_if(Facet::Operator, what == What::Operator)
        .with_if(Facet::Static, in_class && specifiers.has("static"))
        .with_if(Facet::Abstract, clause == Clause::Pure)
        .with_if(Facet::Deprecated, specifiers.deprecated || deprecates(walk, d));
    if in_class {
        access(walk.scope.tag, &mut draft);
    }
    draft.modifiers = modifiers(walk, specifiers, d, item.friend);
    draft.file_local =
        scope.tag & HIDDEN != 0 || (scope.tag & WHAT == FILE && owner.is_none() && specifiers.has("static"));
    let body = node.child_by_field_name("body").filter(|b| b.kind() == "compound_statement");
    let old_style = d.function.filter(|_| has_child(node, |c| c.kind() == "declaration"));
    let head = old_style.map(|f| f.end_byte()).or_else(|| has_initializers(node).or(body).map(|b| b.start_byte()));
    let head = head.unwrap_or(item.range.end as usize);
    if old_style.is_some()
        && let Some(callable) = &mut draft.callable
    {
        old_style_types(walk, node, callable);
    }
    if let Some(body) = body {
        draft.body = ByteRange::new(body.start_byte(), body.end_byte());
    }
    draft.signature = signature(walk.text, item.range.start as usize, head);
    draft.joins = match clause {
        _ if arguments => Joins::Alone,
        Clause::Body | Clause::Default => Joins::Definition(shape.tag),
        Clause::None | Clause::Pure => Joins::Declaration(shape.tag),
    };
    let main = draft.name == "main" && scope.decl.is_none() && draft.qualifier.is_empty() && body.is_some();
    draft.facets = draft.facets.with_if(Facet::Entrypoint, main);
    walk.declare_in(&scope, draft)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Plain,
    Constructor,
    Destructor,
    Operator,
}

impl What {
    fn of(name: &str, node: Node<'_>, specifiers: &Specifiers<'_>, owner: Option<&str>) -> Self {
        let bare = |name: &str| name.split('<').next().unwrap_or("").to_owned();
        if matches!(node.kind(), "operator_name" | "operator_cast") {
            What::Operator
        } else if name.starts_with('~') {
            What::Destructor
        } else if specifiers.kind.is_none() && owner.is_some_and(|owner| bare(owner) == bare(name)) {
            What::Constructor
        } else {
            What::Plain
        }
    }

    fn kind(self, member: bool) -> &'static str {
        match self {
            What::Constructor => "constructor",
            What::Destructor => "destructor",
            _ if member => "method",
            _ => "function",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Clause {
    None,
    Body,
    /// `= default` or `= delete`: nothing else defines it.
    Default,
    Pure,
}

fn clause(node: Node<'_>) -> Clause {
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "compound_statement" | "try_statement" => return Clause::Body,
            "default_method_clause" | "delete_method_clause" => return Clause::Default,
            "pure_virtual_clause" => return Clause::Pure,
            "number_literal" if node.kind() == "field_declaration" => return Clause::Pure,
            _ => {}
        }
    }
    Clause::None
}

fn has_initializers(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|c| matches!(c.kind(), "field_initializer_list" | "try_statement" | "default_method_clause"))
        .filter(|c| c.kind() != "default_method_clause")
}

fn deprecates(walk: &Walk<'_>, d: &Declarator<'_>) -> bool {
    let Some(function) = d.function else { return false };
    has_child(function, |c| c.kind().starts_with("attribute") && walk.str(*c).contains("deprecated"))
}

/// Specifiers in front, then what stands behind the parameters.
fn modifiers<'t>(walk: &Walk<'t>, specifiers: &Specifiers<'t>, d: &Declarator<'t>, friend: bool) -> Vec<Box<str>> {
    let mut out: Vec<Box<str>> = friend.then(|| "friend".into()).into_iter().collect();
    // `const` in front belongs to the result.
    out.extend(specifiers.modifiers.iter().filter(|m| **m != "const").map(|m| Box::from(*m)));
    let Some(function) = d.function else { return out };
    let mut cursor = function.walk();
    for child in function.named_children(&mut cursor) {
        match child.kind() {
            "type_qualifier" | "virtual_specifier" | "ref_qualifier" | "noexcept" => {
                out.push(crate::text::squeeze(walk.str(child)).into());
            }
            _ => {}
        }
    }
    out
}

/// The scope around the classes that the walk is in: a friend is not a member.
fn outside_classes(walk: &mut Walk<'_>) -> Scope {
    let mut scope = walk.scope.clone();
    while let Some(id) = scope.decl {
        let class = walk.declared(id);
        if !matches!(class.kind, "class" | "struct" | "union") {
            break;
        }
        let (container, path) = (class.container, class.path.clone());
        scope.decl = container;
        scope.path = match container {
            Some(container) => walk.declared(container).path.clone(),
            None => NamePath::parse(path.container()).unwrap_or_default(),
        };
    }
    scope.tag &= HIDDEN;
    scope
}
