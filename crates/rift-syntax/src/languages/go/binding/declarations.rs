//! Functions, methods, constants and variables.

use rift_base::NamePath;
use tree_sitter::Node;

use super::{Go, all, children};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

impl<'t> Go<'_, 't> {
    /// `name` declares `decl`, for the whole package when it stands at the file's own level.
    pub(super) fn declare(&mut self, name: Node<'t>, decl: DeclId) {
        let text = self.binder.str(name);
        self.binder.define(text, Defined::Decl(decl), name.start_byte());
        if self.top {
            let means = self.binder.decl(decl);
            self.binder.export(None, text, means, true);
        }
    }

    pub(super) fn function(&mut self, node: Node<'t>) {
        let name = node.child_by_field_name("name");
        let decl = name.and_then(|name| self.binder.declared_at(name));
        if let (Some(name), Some(decl)) = (name, decl)
            && node.kind() == "function_declaration"
        {
            self.declare(name, decl);
        }
        decl.into_iter().for_each(|decl| self.binder.own(decl));
        let top = std::mem::replace(&mut self.top, false);
        self.binder.enter(ScopeKind::Callable, None);
        self.type_parameters(node, None);
        if let Some(receiver) = node.child_by_field_name("receiver") {
            self.receiver(receiver, decl);
        }
        let yielded = self.signature(node, true);
        self.yields(decl, yielded);
        self.ranges(node, decl);
        if let Some(body) = node.child_by_field_name("body") {
            self.statements(body);
        }
        self.binder.leave();
        self.top = top;
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    /// A function that takes one function alone can be ranged over: what that takes is handed out.
    fn ranges(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        let parameters = node.child_by_field_name("parameters").into_iter().flat_map(children);
        let mut stated = parameters.filter_map(|parameter| parameter.child_by_field_name("type"));
        let is_function = stated.next().is_some_and(|stated| stated.kind() == "function_type");
        let (Some(decl), [yields], true) = (decl, self.taken.as_slice(), is_function) else { return };
        let value = self.binder.value(*yields);
        self.binder.takes(decl, 0, value);
    }

    /// `(r *T[P])`: the value that a method is called on. A method whose type another file declares is told to the package.
    fn receiver(&mut self, list: Node<'t>, method: Option<DeclId>) {
        let Some(parameter) = children(list).into_iter().find(|child| child.kind() == "parameter_declaration") else {
            return;
        };
        let Some(stated) = parameter.child_by_field_name("type") else { return };
        let mut bare = stated;
        let mut given = None;
        while matches!(bare.kind(), "pointer_type" | "parenthesized_type" | "generic_type") {
            if bare.kind() == "generic_type" {
                given = bare.child_by_field_name("type_arguments");
            }
            let inner = bare.child_by_field_name("type").or_else(|| bare.named_child(0));
            let Some(inner) = inner else { return };
            bare = inner;
        }
        let of = self.denoted(bare, None);
        let outline = &self.binder.facts.outline;
        let holder = method.and_then(|method| outline.get(method)).and_then(|declaration| declaration.container);
        if let (Some(method), None) = (method, holder) {
            let path = outline.get(method).map(|declaration| declaration.path.to_string()).unwrap_or_default();
            if NamePath::parse(&path).is_ok_and(|path| !path.container().is_empty()) {
                self.binder.export_member(path, method);
            }
        }
        // The receiver's type arguments name the type's parameters anew.
        for (at, argument) in given.into_iter().flat_map(children).enumerate() {
            let name = if argument.kind() == "type_elem" { argument.named_child(0) } else { Some(argument) };
            let (Some(name), Ok(at)) = (name, i8::try_from(at)) else { continue };
            let stands = match holder {
                Some(holder) => {
                    let this = self.binder.this(holder);
                    self.binder.inner(this, at)
                }
                None => self.unknown(),
            };
            self.define_value(name, stands, list.start_byte());
        }
        let value = match holder {
            Some(holder) => self.binder.this(holder),
            None => self.binder.value(of),
        };
        all(parameter, "name").into_iter().for_each(|name| self.define_value(name, value, name.start_byte()));
    }

    /// `const` and `var`, grouped or not. A constant without a value repeats the line before it.
    pub(super) fn group(&mut self, node: Node<'t>) {
        let mut repeated = None;
        let mut lines = Vec::new();
        for child in children(node) {
            match child.kind() {
                "var_spec_list" => lines.extend(children(child)),
                _ => lines.push(child),
            }
        }
        for line in lines.into_iter().filter(|line| matches!(line.kind(), "const_spec" | "var_spec")) {
            self.spec(line, &mut repeated);
        }
    }

    fn spec(&mut self, node: Node<'t>, repeated: &mut Option<Raw>) {
        let names = all(node, "name");
        let decls: Vec<Option<DeclId>> = names.iter().map(|name| self.binder.declared_at(*name)).collect();
        let only = decls.first().copied().flatten();
        only.into_iter().for_each(|only| self.binder.own(only));
        let holder = only.filter(|_| names.len() == 1);
        let stated = node.child_by_field_name("type").map(|stated| self.denoted(stated, holder));
        let stated = stated.map(|denoted| self.binder.value(denoted));
        let given = node.child_by_field_name("value");
        let values = given.map(|given| self.values(given)).unwrap_or_default();
        only.into_iter().for_each(|_| self.binder.disown());
        let is_constant = node.kind() == "const_spec";
        for (at, name) in names.iter().enumerate() {
            let value = match stated {
                Some(stated) => stated,
                None if given.is_none() => repeated.unwrap_or_else(|| self.unknown()),
                None => self.value_at(&values, at, names.len(), given),
            };
            if is_constant && at == 0 {
                *repeated = Some(value);
            }
            match decls.get(at).copied().flatten() {
                Some(decl) => {
                    self.declare(*name, decl);
                    self.binder.holds(decl, value);
                }
                None => self.define_value(*name, value, node.end_byte()),
            }
        }
    }

    /// What the expressions of a list yield.
    pub(super) fn values(&mut self, list: Node<'t>) -> Vec<Raw> {
        match list.kind() {
            "expression_list" => children(list).into_iter().map(|value| self.expression(value)).collect(),
            _ => vec![self.expression(list)],
        }
    }

    /// The value number `at` of `count` that `values`, which stand in `list`, are assigned to.
    pub(super) fn value_at(&mut self, values: &[Raw], at: usize, count: usize, list: Option<Node<'t>>) -> Raw {
        if values.len() == count {
            return values.get(at).copied().unwrap_or_else(|| self.unknown());
        }
        let (&[one], Ok(number)) = (values, i8::try_from(at)) else { return self.unknown() };
        let source =
            list.and_then(|list| if list.kind() == "expression_list" { list.named_child(0) } else { Some(list) });
        match source.map(|source| source.kind()) {
            // A call with several results.
            Some("call_expression") => self.binder.inner(one, number),
            // `v, ok :=` of a map's element, a type assertion or a channel.
            Some(_) if at == 0 => one,
            _ => self.unknown(),
        }
    }

    /// What is assigned to.
    pub(super) fn target(&mut self, node: Node<'t>) {
        match node.kind() {
            "identifier" => {
                self.variable(node, Role::Write);
            }
            "selector_expression" => {
                self.selector(node, Role::Write);
            }
            _ => {
                self.expression(node);
            }
        }
    }
}
