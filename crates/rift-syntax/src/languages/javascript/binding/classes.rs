//! Classes: what they extend and implement, their members, and what `this` is in each.

use rift_base::Facet;
use tree_sitter::Node;

use super::{Export, HOISTED, JavaScript, children};
use crate::binding::{Defined, Raw, Role, Walker as _};
use crate::facts::DeclId;

impl<'t> JavaScript<'_, 't> {
    pub(super) fn class_declaration(&mut self, node: Node<'t>, export: Export) {
        let decl = node.child_by_field_name("name").and_then(|name| self.introduce(name, export));
        self.class(node, decl);
    }

    /// A class; `decl` declares it or holds it.
    pub(super) fn class(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        let own = |javascript: &mut Self| javascript.scoped(|javascript| javascript.class_here(node, decl));
        self.deeper(|javascript| javascript.owned(decl, own));
    }

    fn class_here(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        if node.kind() == "class"
            && let Some(name) = node.child_by_field_name("name")
        {
            self.binder.define(self.binder.str(name), decl.map_or(Defined::Opaque, Defined::Decl), HOISTED);
        }
        self.decorators(node);
        self.type_parameters(node);
        for heritage in children(node).into_iter().filter(|child| child.kind() == "class_heritage") {
            self.heritage(heritage, decl);
        }
        let (class, this) = (std::mem::replace(&mut self.class, decl), self.this.take());
        if let Some(body) = node.child_by_field_name("body") {
            self.members(body, decl);
        }
        (self.class, self.this) = (class, this);
    }

    /// `extends value<arguments>`, `implements types`; without a clause in JavaScript.
    fn heritage(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        for part in children(node) {
            match part.kind() {
                "extends_clause" => {
                    let value = part.child_by_field_name("value");
                    let base = value.map(|value| self.reference(value, Role::Extends));
                    let arguments = part.child_by_field_name("type_arguments").into_iter().flat_map(children);
                    let arguments: Vec<Raw> = arguments.map(|argument| self.denoted(argument)).collect();
                    let is_component = value.is_some_and(|value| self.binder.str(value).ends_with("Component"));
                    if let (Some(decl), Some(first)) = (decl, arguments.first().filter(|_| is_component)) {
                        let properties = self.binder.value(*first);
                        self.binder.takes(decl, 0, properties);
                    }
                    if let (Some(decl), Some(base)) = (decl, base) {
                        let base = self.binder.applied(base, arguments);
                        self.binder.base(decl, base);
                    }
                }
                "implements_clause" => self.bases(part, decl, Role::Implements),
                _ => {
                    let base = self.reference(part, Role::Extends);
                    decl.into_iter().for_each(|decl| self.binder.base(decl, base));
                }
            }
        }
    }

    /// The types in a clause, each a base of `decl`.
    pub(super) fn bases(&mut self, clause: Node<'t>, decl: Option<DeclId>, role: Role) {
        for base in children(clause) {
            let base = self.denoted_as(base, role);
            decl.into_iter().for_each(|decl| self.binder.base(decl, base));
        }
    }

    /// Members of a class. Decorators stand before the method that they decorate.
    fn members(&mut self, body: Node<'t>, class: Option<DeclId>) {
        let mut decorators: Vec<Node<'t>> = Vec::new();
        for member in children(body) {
            match member.kind() {
                "decorator" => decorators.push(member),
                "class_static_block" => {
                    self.this = class.map(|class| self.binder.decl(class));
                    if let Some(block) = member.child_by_field_name("body") {
                        self.callable_block(block);
                    }
                }
                "index_signature" => self.types(Some(member)),
                "ERROR" => self.statements(member),
                _ => self.member(member, class, std::mem::take(&mut decorators)),
            }
        }
    }

    /// A block that runs like a callable without parameters.
    fn callable_block(&mut self, block: Node<'t>) {
        let scope = self.binder.enter(crate::binding::ScopeKind::Callable, None);
        let variables = std::mem::replace(&mut self.variables, scope);
        self.branched(|javascript| javascript.statements(block));
        self.variables = variables;
        self.binder.leave();
    }

    fn member(&mut self, node: Node<'t>, class: Option<DeclId>, decorators: Vec<Node<'t>>) {
        let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("property"));
        let Some(name) = name else { return };
        let decl = self.binder.declared_at(name);
        let is_static = match decl.and_then(|decl| self.binder.facts.outline.get(decl)) {
            Some(declaration) => declaration.facets.has(Facet::Static),
            None => false,
        };
        self.this = class.map(|class| if is_static { self.binder.decl(class) } else { self.binder.this(class) });
        self.owned(decl, |javascript| {
            decorators.into_iter().for_each(|decorator| javascript.decorator(decorator));
            javascript.computed(name);
            match node.kind() {
                "public_field_definition" | "field_definition" => javascript.field(node, decl),
                _ => javascript.method(node, decl),
            }
        });
    }

    /// The expression in a computed name is a use of what it names.
    pub(super) fn computed(&mut self, name: Node<'t>) {
        if name.kind() == "computed_property_name" {
            self.expressions(children(name));
        }
    }

    /// A method, getter or setter, with or without a body, of a class, an interface or an object.
    pub(super) fn method(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        self.decorators(node);
        let yielded = self.callable(node, &[]);
        let Some(decl) = decl else { return };
        let outline = &self.binder.facts.outline;
        let constructs = outline.get(decl).filter(|d| d.facets.has(Facet::Constructor)).and_then(|d| d.container);
        self.takes(constructs.unwrap_or(decl));
        let is_setter = self.binder.facts.outline.get(decl).is_some_and(|d| d.modifiers.iter().any(|m| **m == *"set"));
        if !is_setter {
            self.binder.holds(decl, yielded);
        }
    }

    fn field(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        self.decorators(node);
        let promised = node.child_by_field_name("type").map(|annotation| self.promised(annotation));
        let promised = promised.or(self.described.of);
        let value = node.child_by_field_name("value");
        let given = value.map(|value| self.initial(value, decl));
        if let (Some(promised), Some(value)) = (promised, value) {
            self.expect(value, promised);
        }
        let known = promised.filter(|promised| self.is_known(*promised)).or(given);
        if let (Some(decl), Some(known)) = (decl, known) {
            self.binder.holds(decl, known);
        }
    }
}
