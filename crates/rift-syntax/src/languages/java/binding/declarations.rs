//! Types and their members.

use tree_sitter::Node;

use super::lambdas::Call;
use super::{Enclosing, Java, child_of, children};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

/// Types of the library that no lambda is a value of, and that many parameters are of.
const NO_FUNCTIONS: &[&str] = &[
    "Boolean",
    "CharSequence",
    "Class",
    "Collection",
    "Integer",
    "Iterable",
    "List",
    "Long",
    "Map",
    "Object",
    "Set",
    "String",
    "Throwable",
];

impl<'t> Java<'_, 't> {
    /// A class, interface, enum, record or annotation type.
    pub(super) fn type_declaration(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let text = self.binder.str(name);
        let decl = self.binder.declared_at(name);
        if let Some(decl) = decl {
            self.binder.define(text, Defined::Decl(decl), name.start_byte());
            if self.types.is_empty() {
                let means = self.binder.decl(decl);
                self.binder.export(None, text, means, true);
            }
            self.binder.own(decl);
        }
        self.modifiers(node);
        self.binder.enter(ScopeKind::Block, None);
        self.type_parameters(node, decl);
        let base = self.bases(node, decl);
        let scope = self.binder.enter(ScopeKind::Type, decl);
        if let Some(decl) = decl {
            // Its constructors have the type's name and do not hide it.
            self.binder.define(text, Defined::Decl(decl), name.start_byte());
            if !self.binder.bases_of(decl).is_empty() {
                self.binder.inherits();
            }
        }
        self.types.push(Enclosing { decl, name: text, scope, base, own: Vec::new() });
        if let Some(components) = node.child_by_field_name("parameters") {
            children(components).into_iter().for_each(|component| self.component(component));
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.members(body);
        }
        self.types.pop();
        self.binder.leave();
        self.binder.leave();
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    /// Tells the types that `node` extends and implements; the class that it extends.
    fn bases(&mut self, node: Node<'t>, decl: Option<DeclId>) -> Option<Raw> {
        let is_interface = node.kind() == "interface_declaration";
        let mut superclass = None;
        for part in children(node) {
            let role = match part.kind() {
                "superclass" | "extends_interfaces" => Role::Extends,
                "super_interfaces" => Role::Implements,
                "permits" => {
                    self.listed(part, Role::Type);
                    continue;
                }
                _ => continue,
            };
            for base in self.listed(part, role) {
                superclass = superclass.or((role == Role::Extends && !is_interface).then_some(base));
                decl.into_iter().for_each(|decl| self.binder.base(decl, base));
            }
        }
        superclass
    }

    fn members(&mut self, body: Node<'t>) {
        self.deeper(|java| children(body).into_iter().for_each(|member| java.member_declaration(member)));
    }

    fn member_declaration(&mut self, node: Node<'t>) {
        match node.kind() {
            "field_declaration" | "constant_declaration" => self.fields(node),
            "method_declaration"
            | "constructor_declaration"
            | "compact_constructor_declaration"
            | "annotation_type_element_declaration" => self.callable(node),
            "enum_constant" => self.enum_constant(node),
            "enum_body_declarations" | "ERROR" => self.members(node),
            _ => self.statement(node),
        }
    }

    /// The annotations before a declaration.
    pub(super) fn modifiers(&mut self, node: Node<'t>) {
        for part in children(node) {
            match part.kind() {
                "modifiers" => children(part).into_iter().for_each(|annotation| self.annotation(annotation)),
                "annotation" | "marker_annotation" => self.annotation(part),
                _ => {}
            }
        }
    }

    pub(super) fn annotation(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let denoted = self.denoted(name, Role::Decorate, None);
        for argument in node.child_by_field_name("arguments").into_iter().flat_map(children) {
            self.annotation_value(argument, denoted);
        }
    }

    fn annotation_value(&mut self, node: Node<'t>, of: Raw) {
        match node.kind() {
            "element_value_pair" => {
                if let Some(key) = node.child_by_field_name("key") {
                    let element = self.binder.member(of, self.binder.str(key));
                    self.binder.refer(element, Role::Read, key);
                }
                if let Some(value) = node.child_by_field_name("value") {
                    self.deeper(|java| java.annotation_value(value, of));
                }
            }
            "element_value_array_initializer" => {
                self.deeper(|java| children(node).into_iter().for_each(|value| java.annotation_value(value, of)));
            }
            "annotation" | "marker_annotation" => {
                self.deeper(|java| java.annotation(node));
            }
            _ => {
                self.expression(node);
            }
        }
    }

    /// A component of a record: a field, which its accessor yields.
    fn component(&mut self, node: Node<'t>) {
        let Some((name, value)) = self.parameter(node) else { return };
        if let Some(decl) = self.binder.declared_at(name) {
            self.binder.define(self.binder.str(name), Defined::Decl(decl), name.start_byte());
            self.binder.holds(decl, value);
        }
    }

    fn fields(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
        let named = |declarator: &Node<'t>| declarator.child_by_field_name("name");
        let decls: Vec<Option<DeclId>> =
            declarators.iter().map(|d| named(d).and_then(|name| self.binder.declared_at(name))).collect();
        let first = decls.first().copied().flatten();
        first.into_iter().for_each(|first| self.binder.own(first));
        self.modifiers(node);
        let denoted = match node.child_by_field_name("type") {
            Some(stated) => self.denoted(stated, Role::Type, None),
            None => self.unknown(),
        };
        first.into_iter().for_each(|_| self.binder.disown());
        for (declarator, decl) in declarators.into_iter().zip(decls) {
            if let (Some(name), Some(decl)) = (named(&declarator), decl) {
                let dimensions = declarator.child_by_field_name("dimensions").is_some();
                let held = if dimensions { self.binder.made_of(vec![denoted]) } else { denoted };
                let held = self.binder.value(held);
                self.binder.define(self.binder.str(name), Defined::Decl(decl), name.start_byte());
                self.binder.holds(decl, held);
                self.binder.own(decl);
            }
            if let Some(value) = declarator.child_by_field_name("value") {
                self.initial(value, Some(denoted));
            }
            decl.into_iter().for_each(|_| self.binder.disown());
        }
    }

    /// An enum constant; with a body it is a class of its own that extends the enum.
    fn enum_constant(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let decl = self.binder.declared_at(name);
        if let Some(decl) = decl {
            self.binder.define(self.binder.str(name), Defined::Decl(decl), name.start_byte());
            self.binder.own(decl);
        }
        self.modifiers(node);
        if let Some(arguments) = node.child_by_field_name("arguments") {
            let around = self.types.last().and_then(|around| around.decl);
            let callee = match around {
                Some(around) => self.binder.decl(around),
                None => self.unknown(),
            };
            self.arguments(arguments, &Call { callee, receiver: None, name: "" });
        }
        if let Some(body) = node.child_by_field_name("body") {
            let around = self.types.last().and_then(|around| around.decl);
            let base = around.map(|around| self.binder.decl(around));
            let scope = self.binder.enter(ScopeKind::Type, decl);
            if let (Some(decl), Some(base)) = (decl, base) {
                self.binder.base(decl, base);
                self.binder.inherits();
            }
            let text = self.binder.str(name);
            self.types.push(Enclosing { decl, name: text, scope, base, own: Vec::new() });
            self.members(body);
            self.types.pop();
            self.binder.leave();
        }
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    /// A method, a constructor or an annotation's element.
    pub(super) fn callable(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let decl = self.binder.declared_at(name);
        let is_constructor = node.kind().ends_with("constructor_declaration");
        if let Some(decl) = decl {
            if !is_constructor {
                self.binder.define(self.binder.str(name), Defined::Decl(decl), name.start_byte());
            }
            self.binder.own(decl);
        }
        self.modifiers(node);
        self.binder.enter(ScopeKind::Callable, None);
        self.type_parameters(node, None);
        if let Some(returned) = node.child_by_field_name("type") {
            let value = self.promised(returned, node.child_by_field_name("dimensions").is_some());
            decl.into_iter().for_each(|decl| self.binder.holds(decl, value));
        }
        match node.child_by_field_name("parameters") {
            Some(parameters) => {
                let values = self.parameters(parameters);
                decl.into_iter().for_each(|decl| self.takes(node, decl, &values));
            }
            None if node.kind() == "compact_constructor_declaration" => self.implicit_parameters(node),
            None => {}
        }
        if let Some(thrown) = child_of(node, "throws") {
            self.listed(thrown, Role::Type);
        }
        if let Some(value) = node.child_by_field_name("value") {
            self.expression(value);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.statements(body);
        }
        self.binder.leave();
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    /// Binds the parameters of a list in the current scope; their values, as far as they may be functions.
    pub(super) fn parameters(&mut self, list: Node<'t>) -> Vec<Raw> {
        let mut values = Vec::new();
        for parameter in children(list) {
            if let Some((name, value)) = self.parameter(parameter) {
                self.define_value(name, value, name.start_byte());
                let stated = parameter.child_by_field_name("type").map_or("", |stated| self.binder.str(stated));
                let may_be_function = !NO_FUNCTIONS.contains(&stated.split('<').next().unwrap_or(""));
                values.push(if may_be_function { value } else { self.unknown() });
            }
        }
        values
    }

    /// The name of a parameter and the values that its type promises.
    fn parameter(&mut self, node: Node<'t>) -> Option<(Node<'t>, Raw)> {
        match node.kind() {
            "formal_parameter" => {
                self.modifiers(node);
                let dimensions = node.child_by_field_name("dimensions").is_some();
                let value = match node.child_by_field_name("type") {
                    Some(stated) if self.binder.str(stated) != "var" => self.promised(stated, dimensions),
                    _ => self.unknown(),
                };
                Some((node.child_by_field_name("name")?, value))
            }
            "spread_parameter" => {
                self.modifiers(node);
                let mut value = self.unknown();
                let mut name = None;
                for part in children(node) {
                    match part.kind() {
                        "variable_declarator" => name = part.child_by_field_name("name"),
                        kind if kind == "modifiers" || kind.ends_with("annotation") => {}
                        _ => value = self.promised(part, true),
                    }
                }
                Some((name?, value))
            }
            _ => None,
        }
    }

    /// The parameters of a compact constructor are the record's components (8.10.4.2).
    fn implicit_parameters(&mut self, constructor: Node<'t>) {
        let record = constructor.parent().and_then(|body| body.parent());
        let components = record.and_then(|record| record.child_by_field_name("parameters"));
        for component in components.into_iter().flat_map(children) {
            let name = match component.kind() {
                "spread_parameter" => child_of(component, "variable_declarator"),
                _ => Some(component),
            };
            let name = name.and_then(|named| named.child_by_field_name("name"));
            let Some(name) = name else { continue };
            let Some(decl) = self.binder.declared_at(name) else { continue };
            let value = self.binder.held(decl);
            self.define_value(name, value, constructor.start_byte());
        }
    }
}
