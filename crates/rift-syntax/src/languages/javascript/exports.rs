//! `export` statements: default exports without a name, export clauses, and the new names that they give.

use rift_base::Facet;
use tree_sitter::Node;

use super::callables::function_value;
use super::parts::{Export, begin, body, declare, is_default, local, name_of, publish, scope, short, signature};
use super::variables::{Value, class_value, unwrap};
use crate::engine::{Draft, Visit, Walk};
use crate::text::{range, squeeze};

/// An `export` statement. What it exports by declaring it starts at the statement.
pub(super) fn statement<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    if node.child_by_field_name("declaration").is_some() {
        return Visit::Unwrap;
    }
    if let Some(value) = node.child_by_field_name("value") {
        return default_value(walk, node, value);
    }
    let from = node.child_by_field_name("source");
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "export_clause" => clause(walk, node, child, from),
            "namespace_export" => namespace(walk, node, child, from),
            "identifier" if is_global_name(node) => {
                let mut draft = alias_of(walk, node, child);
                draft.facets = draft.facets.with(Facet::Namespace);
                draft.signature = format!("as namespace {}", walk.str(child));
                draft.visibility = Some("export".to_owned());
                let scope = walk.scope.clone();
                declare(walk, &scope, draft);
            }
            "identifier" => publish(walk, walk.str(child), Export::Unsaid),
            _ => {}
        }
    }
    Visit::Unwrap
}

/// `export as namespace Name`.
fn is_global_name(statement: Node<'_>) -> bool {
    let mut cursor = statement.walk();
    statement.children(&mut cursor).any(|n| n.kind() == "namespace")
}

/// `export default <expression>`. A name is exported as it is; anything else is declared as `default`.
fn default_value<'t>(walk: &mut Walk<'t>, node: Node<'t>, value: Node<'t>) -> Visit {
    let inner = unwrap(value);
    if inner.kind() == "identifier" {
        publish(walk, walk.str(inner), Export::Default);
        return Visit::Skip;
    }
    let mut draft = Draft::named("constant", value, "default".into());
    draft.facets = rift_base::Facets::of(&[Facet::Value, Facet::Public]);
    draft.visibility = Some("export default".to_owned());
    super::parts::attach(walk, &walk.leading, walk.outer(node).start_byte(), &mut draft);
    if let Some(word) = default_word(node) {
        draft.name_range = range(word);
    }
    let mut below = scope::LOCAL;
    match Value::of(walk, inner) {
        Value::Function => {
            draft.kind = "function";
            draft.facets = draft.facets.with(Facet::Callable);
            function_value(walk, inner, &mut draft);
            body(walk, value, inner.child_by_field_name("body"), &mut draft);
        }
        Value::Class => {
            class_value(&mut draft);
            below = scope::VALUE;
            body(walk, value, inner.child_by_field_name("body"), &mut draft);
        }
        kind => {
            if kind == Value::Object {
                draft.facets = draft.facets.with(Facet::MemberContainer);
                below = scope::OBJECT + 1;
            }
            draft.body = range(value);
            draft.signature = short(walk.str(value)).unwrap_or_default().to_owned();
        }
    }
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    Visit::Enter(walk.scope_of(id, below))
}

fn default_word(statement: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = statement.walk();
    is_default(statement).then(|| statement.children(&mut cursor).find(|n| n.kind() == "default"))?
}

/// `export { a, b as c }`, with or without `from`. Only a new name is a declaration.
fn clause<'t>(walk: &mut Walk<'t>, statement: Node<'t>, clause: Node<'t>, from: Option<Node<'t>>) {
    let mut cursor = clause.walk();
    for specifier in clause.named_children(&mut cursor).filter(|n| n.kind() == "export_specifier") {
        let Some(name) = specifier.child_by_field_name("name") else { continue };
        let spelled = walk.str(name);
        let alias = specifier.child_by_field_name("alias").filter(|a| name_of(walk, *a) != name_of(walk, name));
        match (alias, from) {
            (None, None) => publish(walk, spelled, Export::Named),
            (None, Some(_)) => {}
            (Some(alias), None) if walk.str(alias) == "default" => publish(walk, spelled, Export::Default),
            (Some(alias), _) => {
                if from.is_none() {
                    publish(walk, spelled, Export::Unsaid);
                }
                let mut draft = alias_of(walk, specifier, alias);
                draft.signature = format!("{{ {} }}{}", squeeze(walk.str(specifier)), origin(walk, from));
                if is_type_only(statement) || is_type_only(specifier) {
                    draft.facets = draft.facets.with(Facet::Type);
                }
                draft.visibility = Some("export".to_owned());
                let scope = walk.scope.clone();
                declare(walk, &scope, draft);
            }
        }
    }
}

fn is_type_only(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|n| n.kind() == "type" && !n.is_named())
}

fn origin(walk: &Walk<'_>, from: Option<Node<'_>>) -> String {
    from.map_or_else(String::new, |source| format!(" from {}", walk.str(source)))
}

/// `export * as name from "…"`.
fn namespace<'t>(walk: &mut Walk<'t>, statement: Node<'t>, node: Node<'t>, from: Option<Node<'t>>) {
    let Some(name) = node.named_child(0) else { return };
    let mut draft = alias_of(walk, statement, name);
    draft.facets = draft.facets.with(Facet::Namespace);
    draft.signature = format!("{}{}", squeeze(walk.str(node)), origin(walk, from));
    draft.visibility = Some("export".to_owned());
    let scope = walk.scope.clone();
    declare(walk, &scope, draft);
}

/// A public name for something declared elsewhere.
pub(super) fn alias_of<'t>(walk: &Walk<'t>, item: Node<'t>, name: Node<'t>) -> Draft<'t> {
    begin(walk, "export_alias", item, name, &[Facet::Alias, Facet::Public])
}

/// `export import A = B.C`; without `export` it is an import.
pub(super) fn import_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let name = node.named_child(0).filter(|_| walk.wrapper.is_some_and(|w| w.kind() == "export_statement"));
    let Some(name) = name else { return local(walk) };
    let mut draft = alias_of(walk, node, name);
    draft.signature = signature(walk, node, node.start_byte(), node.end_byte());
    let scope = walk.scope.clone();
    declare(walk, &scope, draft);
    Visit::Skip
}
