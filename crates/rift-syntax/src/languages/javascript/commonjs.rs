//! Declarations by assignment: `exports.x = …`, `module.exports = …`, `Foo.x = function …`,
//! `Foo.prototype.x = function …`, and `this.x = …` in a constructor.

use rift_base::{Facet, Facets};
use tree_sitter::Node;

use super::callables::function_value;
use super::exports::alias_of;
use super::parts::{Export, attach, declare, head_with_value, publish, scope, signature};
use super::variables::{Value, class_value, is_require, unwrap};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::facts::DeclId;
use crate::text::range;

/// An expression statement: a namespace (which the grammar takes for an expression), an assignment that declares
/// something, or neither. Constructors make properties in JavaScript alone: TypeScript wants them declared.
pub(super) fn expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, plain: bool) -> Visit {
    let Some(first) = node.named_child(0) else { return Visit::Descend };
    match first.kind() {
        "internal_module" => return Visit::Unwrap,
        "assignment_expression" => {}
        _ => return Visit::Descend,
    }
    let mut targets: Vec<(Node<'t>, Target<'t>)> = Vec::new();
    let mut value = first;
    while value.kind() == "assignment_expression" {
        let (Some(left), Some(right)) = (value.child_by_field_name("left"), value.child_by_field_name("right")) else {
            return Visit::Descend;
        };
        targets.extend(target(walk, left, plain).map(|target| (left, target)));
        value = unwrap(right);
    }
    // `exports = module.exports = …` names one thing twice.
    let last = targets.iter().rposition(|(_, target)| matches!(target, Target::Exports));
    let mut at = 0..;
    targets.retain(|(_, target)| at.next() == last || !matches!(target, Target::Exports));
    let mut below = None;
    for (left, target) in targets {
        below = assign(walk, node, left, target, value).or(below);
    }
    below.map_or(Visit::Descend, Visit::Enter)
}

/// What an assignment's left side names.
enum Target<'t> {
    /// `exports.name`, `module.exports.name`.
    Export(Node<'t>),
    /// `exports`, `module.exports`.
    Exports,
    /// `Owner.name`, or `Owner.prototype.name`.
    Member { owner: DeclId, name: Node<'t>, of_instances: bool },
    /// `Owner.prototype`.
    Prototype(DeclId),
    /// `this.name` in a constructor.
    Property(Node<'t>),
}

fn target<'t>(walk: &Walk<'t>, left: Node<'t>, plain: bool) -> Option<Target<'t>> {
    if left.kind() == "identifier" {
        return (walk.str(left) == "exports").then_some(Target::Exports);
    }
    let (object, name) = access(left)?;
    match (object.kind(), walk.str(object), walk.str(name)) {
        ("this", ..) => (plain && walk.scope.tag == scope::CONSTRUCTOR).then_some(Target::Property(name)),
        (_, "exports" | "module.exports", _) => Some(Target::Export(name)),
        (_, "module", "exports") => Some(Target::Exports),
        ("identifier", owner, "prototype") => find(walk, owner).map(Target::Prototype),
        ("identifier", owner, _) => find(walk, owner).map(|owner| Target::Member { owner, name, of_instances: false }),
        ("member_expression", ..) => {
            let (owner, prototype) = access(object)?;
            let owner = (walk.str(prototype) == "prototype").then(|| find(walk, walk.str(owner)))??;
            Some(Target::Member { owner, name, of_instances: true })
        }
        _ => None,
    }
}

fn access(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    if node.kind() != "member_expression" {
        return None;
    }
    Some((node.child_by_field_name("object")?, node.child_by_field_name("property")?))
}

/// What this file declares as `name`, here or in the module.
fn find<'t>(walk: &Walk<'t>, name: &'t str) -> Option<DeclId> {
    walk.recall(walk.scope.decl, name).or_else(|| walk.recall(None, name))
}

/// Declares what `target = value` declares; the scope of what lies below the statement, if that has members or a body.
fn assign<'t>(
    walk: &mut Walk<'t>,
    statement: Node<'t>,
    left: Node<'t>,
    target: Target<'t>,
    value: Node<'t>,
) -> Option<Scope> {
    let kind = Value::of(walk, value);
    let module = Scope { decl: None, path: Default::default(), tag: scope::EXPORTS };
    match target {
        Target::Exports => exports(walk, statement, left, value, module),
        Target::Export(name) => {
            let is_local = value.kind() == "identifier";
            if is_local {
                publish(walk, walk.str(value), Export::Unsaid);
            }
            if is_placeholder(value) || (is_local && walk.str(value) == walk.str(name)) {
                return None;
            }
            let mut draft = draft(walk, "variable", statement, left, name, &[Facet::Value, Facet::Public]);
            if is_local || is_require(walk, value) {
                draft.kind = "export_alias";
                draft.facets = alias_of(walk, statement, name).facets;
            }
            Some(declare_value(walk, &module, draft, left, value, kind, "function"))
        }
        Target::Prototype(owner) => {
            if kind != Value::Object {
                return None;
            }
            has_members(walk, owner, true);
            Some(walk.scope_of(owner, scope::OBJECT + 1))
        }
        Target::Member { owner, name, of_instances } => {
            if !matches!(kind, Value::Function | Value::Class) {
                return None;
            }
            let container = walk.scope_of(owner, scope::LOCAL);
            let mut draft = draft(walk, "property", statement, left, name, &[Facet::Value, Facet::Member]);
            let makes_instances = |d: &crate::facts::Declaration| matches!(d.kind, "class" | "function");
            if !of_instances && walk.get(owner).is_some_and(makes_instances) {
                draft.facets = draft.facets.with(Facet::Static);
            }
            has_members(walk, owner, of_instances);
            Some(declare_value(walk, &container, draft, left, value, kind, "method"))
        }
        Target::Property(name) => {
            let constructor = walk.scope.decl?;
            let class = walk.get(constructor)?.container?;
            if walk.recall(Some(class), walk.str(name)).is_some() {
                return None;
            }
            let container = walk.scope_of(class, scope::LOCAL);
            let facets = [Facet::Value, Facet::Member, Facet::Property, Facet::Mutable];
            let draft = draft(walk, "property", statement, left, name, &facets);
            let below = declare_value(walk, &container, draft, left, value, kind, "method");
            (kind != Value::Other).then_some(below)
        }
    }
}

/// What is given members has them, and what has a prototype can be constructed.
fn has_members(walk: &mut Walk<'_>, owner: DeclId, by_prototype: bool) {
    let declaration = walk.declared(owner);
    declaration.facets = declaration.facets.with(Facet::MemberContainer).with_if(Facet::Constructible, by_prototype);
}

/// `void 0` and `undefined`, which compilers assign before the real value.
fn is_placeholder(value: Node<'_>) -> bool {
    matches!(value.kind(), "undefined" | "unary_expression" | "number")
        && (value.kind() == "undefined" || value.child(0).is_some_and(|n| n.kind() == "void"))
}

/// `module.exports = value`: an object's members are the module's exports, a name is exported as it is, a function or
/// class without a name is the default export.
fn exports<'t>(
    walk: &mut Walk<'t>,
    statement: Node<'t>,
    left: Node<'t>,
    value: Node<'t>,
    module: Scope,
) -> Option<Scope> {
    let kind = Value::of(walk, value);
    match kind {
        Value::Object => return Some(module),
        Value::Function | Value::Class => {}
        Value::Other => {
            if value.kind() == "identifier" {
                publish(walk, walk.str(value), Export::Unsaid);
            }
            return None;
        }
    }
    let name = value.child_by_field_name("name");
    let mut draft = draft(walk, "variable", statement, left, name.unwrap_or(left), &[Facet::Value, Facet::Public]);
    if name.is_none() {
        draft.name = "default".into();
    }
    Some(declare_value(walk, &module, draft, left, value, kind, "function"))
}

fn draft<'t>(
    walk: &Walk<'t>,
    kind: &'static str,
    statement: Node<'t>,
    left: Node<'t>,
    name: Node<'t>,
    facets: &[Facet],
) -> Draft<'t> {
    let mut draft = Draft::named(kind, statement, walk.str(name).into());
    draft.name_range = range(name);
    draft.facets = Facets::of(facets);
    if name.kind() == "private_property_identifier" {
        draft.visibility = Some("#private".to_owned());
    }
    draft.signature = signature(walk, left, left.start_byte(), left.end_byte());
    attach(walk, &walk.leading, walk.outer(statement).start_byte(), &mut draft);
    draft
}

/// Declares an assigned value, whose draft's signature is the left side so far; `callable` is the kind of a function.
fn declare_value<'t>(
    walk: &mut Walk<'t>,
    scope: &Scope,
    mut draft: Draft<'t>,
    left: Node<'t>,
    value: Node<'t>,
    kind: Value,
    callable: &'static str,
) -> Scope {
    let code = value.child_by_field_name("body").filter(|_| matches!(kind, Value::Function | Value::Class));
    draft.body = range(code.unwrap_or(value));
    draft.signature = match code {
        Some(code) => {
            format!("{} = {}", draft.signature, signature(walk, value, value.start_byte(), code.start_byte()))
        }
        None => head_with_value(walk, &signature(walk, left, left.start_byte(), left.end_byte()), Some(value)),
    };
    let mut below = scope::LOCAL;
    match kind {
        Value::Function => {
            let keep = |f: &Facet| !matches!(f, Facet::Property | Facet::Mutable);
            draft.kind = callable;
            draft.facets = Facets::of(&draft.facets.iter().filter(keep).collect::<Vec<_>>()).with(Facet::Callable);
            function_value(walk, value, &mut draft);
        }
        Value::Class => {
            class_value(&mut draft);
            below = scope::VALUE;
        }
        Value::Object => {
            draft.facets = draft.facets.with(Facet::MemberContainer);
            below = scope::OBJECT + 1;
        }
        Value::Other => {}
    }
    if draft.kind == "variable" {
        draft.facets = draft.facets.with(Facet::Mutable);
    }
    let id = declare(walk, scope, draft);
    walk.scope_of(id, below)
}
