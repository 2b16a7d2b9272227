//! Imports: `import a, { b as c } from "m"`, `import * as n from "m"`, `import a = require("m")`, `import A = B.C`.

use tree_sitter::Node;

use super::{Export, JavaScript, WHOLE, children, content};
use crate::binding::{Raw, Role, Walker as _};
use crate::languages::javascript::variables::unwrap;

impl<'t> JavaScript<'_, 't> {
    pub(super) fn import(&mut self, node: Node<'t>) {
        for clause in children(node) {
            match clause.kind() {
                "import_clause" => {
                    let Some(source) = node.child_by_field_name("source") else { return };
                    children(clause).into_iter().for_each(|part| self.import_part(part, source));
                }
                "import_require_clause" => {
                    let source = clause.child_by_field_name("source").or_else(|| node.child_by_field_name("source"));
                    let Some(module) = source.and_then(|source| self.specified(source)) else { return };
                    let whole = self.whole(module);
                    if let Some(name) = children(clause).into_iter().find(|child| child.kind() == "identifier") {
                        self.alias(name, whole);
                    }
                }
                // For its effects alone.
                "string" => drop(self.specified(clause)),
                _ => {}
            }
        }
    }

    fn import_part(&mut self, part: Node<'t>, source: Node<'t>) {
        if part.kind() == "namespace_import" {
            if let (Some(name), Some(module)) = (part.named_child(0), self.specified(source)) {
                self.alias(name, module);
            }
            return;
        }
        let Some(module) = self.spelled_module(source) else { return };
        match part.kind() {
            "identifier" => {
                let default = self.of_module(module, "default", Role::Import, part);
                self.alias(part, default);
            }
            "named_imports" => {
                for specifier in children(part) {
                    let Some(name) = specifier.child_by_field_name("name") else { continue };
                    let Some(text) = self.key(name) else { continue };
                    let member = self.of_module(module, text, Role::Import, name);
                    self.alias(specifier.child_by_field_name("alias").unwrap_or(name), member);
                }
            }
            _ => {}
        }
    }

    /// The module that the statement's `from` names.
    pub(super) fn source(&mut self, statement: Node<'t>) -> Option<Raw> {
        self.spelled_module(statement.child_by_field_name("source")?)
    }

    fn spelled_module(&mut self, literal: Node<'t>) -> Option<Raw> {
        let specifier = content(literal).filter(|_| literal.kind() == "string")?;
        Some(self.binder.module(self.binder.str(specifier)))
    }

    /// The module that a string literal names, which is a use of it: where no name of the module is imported, nothing else
    /// says that this file needs it.
    pub(super) fn specified(&mut self, literal: Node<'t>) -> Option<Raw> {
        let module = self.spelled_module(literal)?;
        self.binder.refer(module, Role::Import, content(literal)?);
        Some(module)
    }

    /// What `require` of `module` yields: the module with its exports, or what it was set to as a whole.
    pub(super) fn whole(&mut self, module: Raw) -> Raw {
        let whole = self.binder.member(module, WHOLE);
        self.binder.either(vec![module, whole])
    }

    /// What `require("m")` yields, and members of it; none for any other value.
    pub(super) fn required(&mut self, value: Node<'t>) -> Option<Raw> {
        let value = unwrap(value);
        match value.kind() {
            "member_expression" => {
                let object = value.child_by_field_name("object")?;
                let object = self.deeper(|javascript| javascript.required(object))??;
                let name = value.child_by_field_name("property")?;
                Some(self.of_module(object, self.binder.str(name), Role::Import, name))
            }
            "call_expression" => {
                let function = value.child_by_field_name("function")?;
                if function.kind() != "identifier" || self.binder.str(function) != "require" {
                    return None;
                }
                let literal = children(value.child_by_field_name("arguments")?).into_iter().next()?;
                let module = self.specified(literal)?;
                Some(self.whole(module))
            }
            _ => None,
        }
    }

    /// `import A = B.C`.
    pub(super) fn import_alias(&mut self, node: Node<'t>, export: Export) {
        let parts = children(node);
        let [name, target] = parts.as_slice() else { return };
        let term = self.qualified(*target, Role::Read);
        self.alias(*name, term);
        self.publish(self.binder.str(*name), term, export);
    }
}
