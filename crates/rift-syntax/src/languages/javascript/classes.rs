//! Classes, their methods and fields, and the properties that a constructor's parameters make.

use rift_base::Facet;
use tree_sitter::Node;

use super::callables::{callable, function_value, is_function, overload};
use super::parts::{annotation, begin, body, declare, enter, has, head_with_value, local, scope, signature};
use super::types::property_facets;
use super::variables::{object_method, unwrap};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::facts::{DeclId, Joins};
use crate::text::{range, tag};

/// Facets of every class; an abstract one is not constructible.
pub(super) const CLASS: &[Facet] = &[Facet::Type, Facet::Value, Facet::MemberContainer, Facet::Extensible];

/// A class declaration, or a class expression: that of a declaration's value, one with a name of its own, or one
/// without a name, whose members nobody can name either.
pub(super) fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    if walk.scope.tag == scope::VALUE {
        if let (Some(id), Some(members)) = (walk.scope.decl, node.child_by_field_name("body")) {
            foresee(walk, id, members);
        }
        return enter(walk, scope::CLASS);
    }
    let Some(name) = node.child_by_field_name("name") else { return local(walk) };
    let mut draft = begin(walk, "class", node, name, CLASS);
    if !has(&draft, "abstract") {
        draft.facets = draft.facets.with(Facet::Constructible);
    }
    body(walk, node, node.child_by_field_name("body"), &mut draft);
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    if let Some(members) = node.child_by_field_name("body") {
        foresee(walk, id, members);
    }
    Visit::Enter(walk.scope_of(id, scope::CLASS))
}

/// Keeps the names of a class's members, so that no `this.name = …` of a constructor before them declares them again.
fn foresee<'t>(walk: &mut Walk<'t>, class: DeclId, members: Node<'t>) {
    let mut cursor = members.walk();
    for member in members.named_children(&mut cursor) {
        let name = member.child_by_field_name("name").or_else(|| member.child_by_field_name("property"));
        if let Some(name) = name {
            walk.remember(Some(class), walk.str(name), class);
        }
    }
}

/// A method with a body, in a class or an object literal.
pub(super) fn method_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    match walk.scope.tag {
        scope::CLASS => {}
        scope::EXPORTS | scope::OBJECT.. => return object_method(walk, node),
        _ => return local(walk),
    }
    let Some(draft) = method(walk, node) else { return local(walk) };
    let is_constructor = draft.facets.has(Facet::Constructor);
    let class = walk.scope.clone();
    let id = declare(walk, &class, draft);
    if is_constructor {
        parameter_properties(walk, &class, node);
    }
    Visit::Enter(walk.scope_of(id, if is_constructor { scope::CONSTRUCTOR } else { scope::LOCAL }))
}

/// A method without a body: an overload stub, an abstract method, an interface's method.
pub(super) fn method_signature<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    if matches!(walk.scope.tag, scope::CLASS | scope::INTERFACE)
        && let Some(draft) = method(walk, node)
    {
        let scope = walk.scope.clone();
        declare(walk, &scope, draft);
    }
    Visit::Skip
}

/// A method, constructor, getter or setter, with or without a body.
pub(super) fn method<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Draft<'t>> {
    let name = node.child_by_field_name("name")?;
    let code = node.child_by_field_name("body");
    let mut draft = begin(walk, "method", node, name, &[Facet::Value, Facet::Callable, Facet::Member]);
    private_name(name, &mut draft);
    draft.callable = Some(callable(walk, node));
    let side = if has(&draft, "static") { "static" } else { "instance" };
    if has(&draft, "get") || has(&draft, "set") {
        accessor(&mut draft, side);
    } else {
        draft.joins = overload(code.is_some(), side);
        if draft.name == "constructor" && side == "instance" && walk.scope.tag == scope::CLASS {
            draft.facets = draft.facets.with(Facet::Constructor);
        }
        if code.is_none() && walk.scope.tag == scope::INTERFACE {
            draft.facets = draft.facets.with(Facet::Abstract);
        }
    }
    body(walk, node, code, &mut draft);
    Some(draft)
}

/// Turns a method's draft into one half of a property.
pub(super) fn accessor(draft: &mut Draft<'_>, side: &str) {
    draft.kind = "property";
    draft.joins = Joins::Part(tag(("accessor", side)));
    let mut facets = vec![Facet::Value, Facet::Member, Facet::Property];
    facets.extend(draft.facets.iter().filter(|f| !matches!(f, Facet::Callable)));
    if has(draft, "set") {
        facets.push(Facet::Mutable);
        draft.value_type =
            draft.callable.as_ref().and_then(|c| c.parameters.first()?.annotation.as_deref().map(Into::into));
    } else {
        draft.value_type = draft.callable.as_ref().and_then(|c| c.returns.first().map(|r| r.to_string()));
    }
    draft.facets = rift_base::Facets::of(&facets);
}

/// `#name` is private by its spelling.
fn private_name(name: Node<'_>, draft: &mut Draft<'_>) {
    if name.kind() == "private_property_identifier" {
        draft.visibility = Some("#private".to_owned());
    }
}

/// A class field. One that holds a function is a method.
pub(super) fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("property"));
    let Some(name) = name.filter(|_| walk.scope.tag == scope::CLASS) else { return local(walk) };
    let value = node.child_by_field_name("value").map(unwrap);
    let draft = match value.filter(|v| is_function(*v)) {
        Some(function) => {
            let mut draft = begin(walk, "method", node, name, &[Facet::Value, Facet::Callable, Facet::Member]);
            function_value(walk, function, &mut draft);
            body(walk, node, function.child_by_field_name("body"), &mut draft);
            draft
        }
        None => property(walk, node, name),
    };
    let scope = walk.scope.clone();
    let draft = {
        let mut draft = draft;
        private_name(name, &mut draft);
        draft.value_type = annotation(walk, node.child_by_field_name("type"));
        draft
    };
    let id = declare(walk, &scope, draft);
    Visit::Enter(walk.scope_of(id, scope::LOCAL))
}

fn property<'t>(walk: &Walk<'t>, node: Node<'t>, name: Node<'t>) -> Draft<'t> {
    let mut draft = begin(walk, "property", node, name, &[Facet::Value, Facet::Member, Facet::Property]);
    property_facets(&mut draft);
    let value = node.child_by_field_name("value");
    let end = value.map_or(draft.item.end as usize, |v| v.start_byte());
    let head = signature(walk, node, draft.item.start as usize, end);
    if let Some(value) = value {
        draft.body = range(value);
    }
    draft.signature = head_with_value(walk, &head, value);
    draft
}

/// `constructor(private readonly x: number)` declares a property beside the parameter.
fn parameter_properties<'t>(walk: &mut Walk<'t>, class: &Scope, constructor: Node<'t>) {
    let Some(list) = constructor.child_by_field_name("parameters") else { return };
    let mut cursor = list.walk();
    let mut leading: Vec<Node<'t>> = Vec::new();
    for node in list.named_children(&mut cursor) {
        if node.kind() == "comment" {
            leading.push(node);
            continue;
        }
        let own = std::mem::take(&mut leading);
        let Some(name) = node.child_by_field_name("pattern").filter(|n| n.kind() == "identifier") else { continue };
        let mut words = node.walk();
        let makes_property = node
            .children(&mut words)
            .any(|n| matches!(n.kind(), "accessibility_modifier" | "override_modifier" | "readonly"));
        if !makes_property {
            continue;
        }
        walk.leading = own;
        walk.wrapper = None;
        let mut draft = begin(walk, "property", node, name, &[Facet::Value, Facet::Member, Facet::Property]);
        property_facets(&mut draft);
        draft.value_type = annotation(walk, node.child_by_field_name("type"));
        draft.signature = signature(walk, node, draft.item.start as usize, draft.item.end as usize);
        declare(walk, class, draft);
    }
}
