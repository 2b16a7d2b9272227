//! Declarations of variables, fields, prototypes and types' other names.

use tree_sitter::Node;

use super::super::declarators::{Declarator, declarator};
use super::shapes::Shape;
use super::types::is_pointer;
use super::{Family, last_name};
use crate::binding::{Defined, Raw, Role, Walker as _};
use crate::facts::DeclId;

impl<'t> Family<'_, 't> {
    /// `type declarator, declarator;` wherever it stands.
    pub(super) fn declaration(&mut self, node: Node<'t>) -> Raw {
        let kind = node.child_by_field_name("type");
        let declarators = self.fields(node, "declarator");
        let owner = declarators.first().and_then(|d| declarator(*d)).map(|d| last_name(d.name));
        let first = owner.and_then(|name| self.binder.declared_at(name));
        first.into_iter().for_each(|decl| self.binder.own(decl));
        let typed = kind.map(|kind| (self.declared_type(kind, first), self.type_shape(kind)));
        first.into_iter().for_each(|_| self.binder.disown());
        let external = self.is_external(node);
        for each in &declarators {
            match declarator(*each) {
                Some(d) if self.is_prototype(&d) => self.prototype_of(&d, typed.map(|t| t.0)),
                Some(d) => self.variable(&d, kind, typed, external),
                None => self.other_declarator(*each),
            }
        }
        for child in self.children(node) {
            if Some(child) != kind && !declarators.contains(&child) {
                self.walk(child);
            }
        }
        self.unknown()
    }

    /// A value of the type `kind`. A type without a name belongs to what is declared of it.
    fn declared_type(&mut self, kind: Node<'t>, owner: Option<DeclId>) -> Raw {
        match kind.kind() {
            "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                let denoted = self.specifier(kind, Role::Type, owner);
                match owner {
                    // A type without a name: what is declared of it holds its members.
                    Some(owner) if kind.child_by_field_name("name").is_none() => self.binder.this(owner),
                    _ => self.binder.value(denoted),
                }
            }
            _ => self.promised(kind),
        }
    }

    /// Whether a declaration in a function names something that is defined outside it.
    fn is_external(&mut self, node: Node<'t>) -> bool {
        let words = node.children(&mut self.cursor).filter(|child| child.kind() == "storage_class_specifier");
        words.into_iter().any(|word| word.child(0).is_some_and(|word| word.kind() == "extern"))
    }

    /// Whether `d` declares a function. In a C++ function, `T name(other)` and `T name(make(other))` are variables, unless
    /// what stands in the brackets can only be parameters.
    fn is_prototype(&mut self, d: &Declarator<'t>) -> bool {
        let Some(function) = d.function else { return false };
        if !self.local || !self.cpp {
            return true;
        }
        let parameters = function.child_by_field_name("parameters").map(|list| self.children(list)).unwrap_or_default();
        parameters.iter().all(|parameter| {
            let primitive = parameter.child_by_field_name("type").is_some_and(|t| t.kind() == "primitive_type");
            let declares =
                |d: Node<'_>| matches!(d.kind(), "identifier" | "pointer_declarator" | "reference_declarator");
            primitive || parameter.child_by_field_name("declarator").is_some_and(declares)
        })
    }

    /// A function without a body.
    fn prototype_of(&mut self, d: &Declarator<'t>, returned: Option<Raw>) {
        let name = last_name(d.name);
        let Some(decl) = self.binder.declared_at(name) else {
            self.prototype_in_function(d);
            return;
        };
        if self.binds_name(d, name) {
            self.declare(name, decl);
        }
        self.binder.own(decl);
        if let Some(function) = d.function {
            self.signature(function, Some(decl), returned);
        }
        self.binder.disown();
    }

    /// Whether `d` binds its name: not outside its class, and in C no field does.
    fn binds_name(&self, d: &Declarator<'t>, name: Node<'t>) -> bool {
        d.name == name && (self.cpp || name.kind() != "field_identifier")
    }

    /// A function named inside another one is the one outside.
    fn prototype_in_function(&mut self, d: &Declarator<'t>) {
        if let Some(list) = d.function.and_then(|f| f.child_by_field_name("parameters")) {
            self.prototype(list);
        }
        if self.local && d.name.kind() == "identifier" {
            let text = self.binder.str(d.name);
            let outside = self.binder.name_in(text, self.home);
            self.binder.define(text, Defined::Alias(outside), d.name.start_byte());
        }
    }

    /// The types of parameters that nothing is done with.
    pub(super) fn prototype(&mut self, list: Node<'t>) {
        self.in_block(|family| family.each(list));
    }

    fn variable(&mut self, d: &Declarator<'t>, kind: Option<Node<'t>>, typed: Option<(Raw, Shape)>, external: bool) {
        self.declarator_parts(d.whole);
        let name = last_name(d.name);
        let decl = self.binder.declared_at(name);
        // A pointer to a function holds no value of its result.
        let calls = points_to_function(d);
        let declared = typed.map(|(value, _)| value).filter(|value| !calls && !self.binder.is_unknown(*value));
        let shape = self.declared_shape(d, typed.map_or(Shape::Unknown, |t| t.1));
        if let Some(decl) = decl {
            self.binder.own(decl);
            let member = self.enter_member(d.name, decl);
            if self.binds_name(d, name) {
                self.declare(name, decl);
            }
            let given = d.value.map(|value| self.initializer(value, declared, shape));
            if let Some(value) = declared.or(given.filter(|_| kind.is_none_or(is_deduced))) {
                self.binder.holds(decl, value);
            }
            self.leave_member(member);
            self.binder.disown();
            return;
        }
        if name.kind() != "identifier" {
            return;
        }
        if external {
            let text = self.binder.str(name);
            let outside = self.binder.name_in(text, self.home);
            self.binder.define(text, Defined::Alias(outside), name.start_byte());
            return;
        }
        let deduced = declared.is_none() && kind.is_none_or(is_deduced);
        let given = match (deduced, d.value) {
            // `auto x = x.y` uses no `x` of its own.
            (true, Some(value)) => Some(self.initializer(value, None, shape)),
            _ => None,
        };
        let nothing = self.unknown();
        self.declare_local(name, declared.or(given).unwrap_or(nothing), shape);
        if let (false, Some(value)) = (deduced, d.value) {
            self.initializer(value, declared, shape);
        }
        if let Some(list) = d.function.and_then(|f| f.child_by_field_name("parameters")) {
            self.vexing(list);
        }
    }

    /// Arguments of `T name(a, f(b))`, which the grammar takes for parameters.
    fn vexing(&mut self, list: Node<'t>) {
        let go = |family: &mut Self| {
            for parameter in family.children(list) {
                let (kind, declarator) =
                    (parameter.child_by_field_name("type"), parameter.child_by_field_name("declarator"));
                match (kind, declarator.map(|d| (d, d.kind()))) {
                    (Some(kind), None) if is_name(kind) => {
                        family.named(kind, Role::Read, None);
                    }
                    (Some(kind), Some((call, "abstract_function_declarator"))) if is_name(kind) => {
                        let given = call.child_by_field_name("parameters");
                        let count = given.map(|given| family.count(given));
                        family.named(kind, Role::Call, count);
                        given.into_iter().for_each(|given| family.vexing(given));
                    }
                    // `f(a)`, which might declare `a`.
                    (Some(kind), Some((inner, "parenthesized_declarator" | "function_declarator")))
                        if is_name(kind) =>
                    {
                        family.named(kind, Role::Call, Some(1));
                        family.vexing_names(inner);
                    }
                    _ => {
                        family.walk(parameter);
                    }
                }
            }
        };
        self.deeper(go);
    }

    /// The names in a declarator that is an expression in truth.
    fn vexing_names(&mut self, node: Node<'t>) {
        let go = |family: &mut Self| {
            for child in family.children(node) {
                match child.kind() {
                    "identifier" | "qualified_identifier" => {
                        family.named(child, Role::Read, None);
                    }
                    "parameter_list" => family.vexing(child),
                    _ => family.vexing_names(child),
                }
            }
        };
        self.deeper(go);
    }

    /// Sizes of arrays and parameters of pointers to functions, inside a declarator.
    fn declarator_parts(&mut self, declarator: Node<'t>) {
        let mut here = Some(declarator);
        while let Some(node) = here.take() {
            match node.kind() {
                "array_declarator" => {
                    if let Some(size) = node.child_by_field_name("size") {
                        self.walk(size);
                    }
                }
                "function_declarator" if points_below(node) => {
                    if let Some(list) = node.child_by_field_name("parameters") {
                        self.prototype(list);
                    }
                }
                _ => {}
            }
            here = node.child_by_field_name("declarator").or_else(|| {
                let inner = |c: &Node<'_>| c.kind().ends_with("_declarator");
                node.named_children(&mut self.cursor).find(inner)
            });
        }
    }

    /// The form of the values that `d` declares, whose type alone has `shape`.
    pub(super) fn declared_shape(&self, d: &Declarator<'t>, shape: Shape) -> Shape {
        let mut node = d.whole;
        while node != d.name {
            if is_pointer(node.kind()) {
                return Shape::Pointer;
            }
            match node.child_by_field_name("declarator").or_else(|| node.named_child(0)) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        shape
    }

    /// `auto [a, b] = value`, and declarators that name nothing.
    fn other_declarator(&mut self, node: Node<'t>) {
        match node.kind() {
            "init_declarator" => {
                let value = node.child_by_field_name("value").map(|value| self.walk(value));
                if let Some(names) = node.child_by_field_name("declarator") {
                    let nothing = self.unknown();
                    self.structured(names, None, value.unwrap_or(nothing));
                }
            }
            _ => {
                self.walk(node);
            }
        }
    }

    /// Binds the names of `[a, b]` to the parts of `whole`, or of the entries of the map `of`.
    pub(super) fn structured(&mut self, node: Node<'t>, of: Option<Raw>, whole: Raw) {
        let mut here = Some(node);
        while let Some(node) = here.take() {
            if node.kind() != "structured_binding_declarator" {
                here = self.children(node).into_iter().next();
                continue;
            }
            for (at, name) in self.children(node).into_iter().enumerate() {
                let at = i8::try_from(at).unwrap_or(i8::MAX);
                let mut parts = vec![self.binder.inner(whole, at)];
                parts.extend(of.map(|of| self.binder.inner(of, at)));
                let value = self.known(parts);
                self.declare_local(name, value, Shape::Unknown);
            }
        }
    }

    /// `using name = type;`
    pub(super) fn alias(&mut self, node: Node<'t>) -> Raw {
        let Some(name) = node.child_by_field_name("name") else { return self.unknown() };
        let decl = self.binder.declared_at(name);
        decl.into_iter().for_each(|decl| self.binder.own(decl));
        let denoted = node.child_by_field_name("type").map(|kind| self.denoted(kind, Role::Type));
        decl.into_iter().for_each(|_| self.binder.disown());
        self.name_type(name, denoted);
        self.unknown()
    }

    /// `typedef type name;`
    pub(super) fn type_definition(&mut self, node: Node<'t>) -> Raw {
        let Some(kind) = node.child_by_field_name("type") else { return self.unknown() };
        let declarators = self.fields(node, "declarator");
        let names: Vec<Declarator<'t>> = declarators.iter().filter_map(|each| declarator(*each)).collect();
        let owner = names.first().and_then(|d| self.binder.declared_at(d.name));
        owner.into_iter().for_each(|decl| self.binder.own(decl));
        let denoted = match kind.kind() {
            "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                self.specifier(kind, Role::Type, owner)
            }
            _ => self.denoted(kind, Role::Type),
        };
        owner.into_iter().for_each(|_| self.binder.disown());
        for d in names {
            self.declarator_parts(d.whole);
            if let Some(list) = d.function.and_then(|f| f.child_by_field_name("parameters")) {
                self.prototype(list);
            }
            let stands = d.function.is_none() && !points_to_function(&d);
            self.name_type(d.name, Some(denoted).filter(|_| stands));
        }
        self.unknown()
    }

    /// `name` stands for the type `denoted`.
    fn name_type(&mut self, name: Node<'t>, denoted: Option<Raw>) {
        let nothing = self.unknown();
        let denoted = denoted.unwrap_or(nothing);
        match self.binder.declared_at(name) {
            Some(decl) => {
                self.declare(name, decl);
                let own = self.binder.decl(decl);
                if denoted != own {
                    self.binder.holds(decl, denoted);
                }
            }
            None => {
                let scope = if self.local { self.binder.scope() } else { self.home };
                self.binder.define_in(scope, self.binder.str(name), Defined::Alias(denoted), name.start_byte());
            }
        }
    }
}

/// Whether a type says nothing, so that the initializer does.
fn is_deduced(kind: Node<'_>) -> bool {
    kind.kind() == "placeholder_type_specifier"
}

/// Whether a type is spelled by its name alone, so that it may be a variable or a function in truth.
fn is_name(kind: Node<'_>) -> bool {
    matches!(kind.kind(), "type_identifier" | "qualified_identifier" | "template_type")
}

/// Whether `d` declares a pointer to a function.
fn points_to_function(d: &Declarator<'_>) -> bool {
    let mut node = d.whole;
    while node != d.name {
        if node.kind() == "function_declarator" {
            return d.function.is_none();
        }
        match node.child_by_field_name("declarator").or_else(|| node.named_child(0)) {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    false
}

/// Whether a function declarator is that of a pointer: `(*f)(…)`.
fn points_below(function: Node<'_>) -> bool {
    function.child_by_field_name("declarator").is_some_and(|d| d.kind() == "parenthesized_declarator")
}
