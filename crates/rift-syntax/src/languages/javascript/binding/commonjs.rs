//! Assignments that declare or export: `exports.x = …`, `module.exports = …`, `Foo.prototype.x = …`, `Foo.x = …`.

use tree_sitter::Node;

use super::patterns::Bind;
use super::{ITSELF, JavaScript};
use crate::binding::{Raw, Role, Walker as _};
use crate::facts::DeclId;
use crate::languages::javascript::variables::unwrap;

/// What the left side of an assignment names.
#[derive(Clone, Copy)]
enum Target<'t> {
    /// `exports.name`, `module.exports.name`.
    Export(Node<'t>),
    /// `exports`, `module.exports`.
    Exports,
    /// `Owner.name = …` or `Owner.prototype.name = …`, which declares a member.
    Member,
    Other,
}

impl<'t> JavaScript<'_, 't> {
    /// `left = right`, which may be an assignment itself; the value.
    pub(super) fn assignment(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|javascript| javascript.assignment_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn assignment_here(&mut self, node: Node<'t>) -> Raw {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return self.unknown();
        };
        let target = self.target(left);
        let decl = self.declared_by(left, right, target);
        let outer = self.this;
        if let Some(this) = decl.and_then(|decl| self.receiver(left, decl)) {
            self.this = Some(this);
        }
        let inner = unwrap(right);
        let mut described = None;
        let value = self.owned(decl, |javascript| {
            described = decl.and(javascript.described.of);
            javascript.assigned_value(target, right, inner, decl)
        });
        self.this = outer;
        if let Some(decl) = decl {
            self.binder.holds(decl, described.unwrap_or(value));
        }
        match target {
            Target::Export(name) => self.export_assigned(name, decl, value),
            Target::Exports => self.export_whole(decl, inner, value),
            Target::Member => {
                if let Some((object, _)) = access(left) {
                    self.expression(object);
                }
            }
            Target::Other => {
                self.bind(left, value, Bind::Assign);
                if matches!(inner.kind(), "object" | "array") {
                    let expected = self.assigned(left);
                    self.expect(inner, expected);
                }
            }
        }
        value
    }

    /// Walks the right side of an assignment to `target`, which makes `decl`.
    fn assigned_value(&mut self, target: Target<'t>, right: Node<'t>, inner: Node<'t>, decl: Option<DeclId>) -> Raw {
        match target {
            Target::Exports if inner.kind() == "object" => self.object(inner, true),
            Target::Member | Target::Export(_) if inner.kind().contains("function") => self.method_value(inner, decl),
            Target::Exports | Target::Export(_) if inner.kind() == "identifier" => self.reference(inner, Role::Export),
            _ if inner.kind() == "assignment_expression" => self.assignment(inner),
            _ => self.initial(right, decl),
        }
    }

    /// What a left side that has been walked stands for: only what is typed says more about what is assigned.
    fn assigned(&mut self, left: Node<'t>) -> Raw {
        match (left.kind(), access(left)) {
            ("identifier", _) => self.binder.name(self.binder.str(left), left.start_byte()),
            (_, Some((object, name))) if object.kind() == "this" => match self.this {
                Some(this) => self.binder.member(this, self.binder.str(name)),
                None => self.unknown(),
            },
            _ => self.unknown(),
        }
    }

    fn target(&self, left: Node<'t>) -> Target<'t> {
        if left.kind() == "identifier" {
            return if self.binder.str(left) == "exports" { Target::Exports } else { Target::Other };
        }
        let Some((object, name)) = access(left) else { return Target::Other };
        match (object.kind(), self.binder.str(object), self.binder.str(name)) {
            (_, "exports" | "module.exports", _) => Target::Export(name),
            (_, "module", "exports") => Target::Exports,
            ("this", ..) => Target::Other,
            _ if self.binder.declared_at(name).is_some() => Target::Member,
            _ => Target::Other,
        }
    }

    /// The declaration that the assignment makes. An alias for something else is none.
    fn declared_by(&mut self, left: Node<'t>, right: Node<'t>, target: Target<'t>) -> Option<DeclId> {
        let decl = match target {
            Target::Export(name) => self.binder.declared_at(name),
            Target::Exports => {
                let name = unwrap(right).child_by_field_name("name");
                self.binder.declared_at(left).or_else(|| self.binder.declared_at(name?))
            }
            Target::Member => access(left).and_then(|(_, name)| self.binder.declared_at(name)),
            Target::Other => match access(left) {
                Some((object, name)) if object.kind() == "this" => self.binder.declared_at(name),
                _ => None,
            },
        };
        decl.filter(|decl| !self.is_alias(*decl))
    }

    /// Whether `decl` is another name of something that is declared elsewhere.
    pub(super) fn is_alias(&self, decl: DeclId) -> bool {
        self.binder.facts.outline.get(decl).is_some_and(|declaration| declaration.kind == "export_alias")
    }

    /// What `this` is in a function assigned to a member: the object, or what the constructor function makes.
    fn receiver(&mut self, left: Node<'t>, decl: DeclId) -> Option<Raw> {
        let (object, _) = access(left)?;
        let owner = self.binder.facts.outline.get(decl)?.container?;
        let of_instances = access(object).is_some_and(|(_, name)| self.binder.str(name) == "prototype");
        if object.kind() == "this" {
            return self.this;
        }
        Some(if of_instances { self.binder.this(owner) } else { self.binder.decl(owner) })
    }

    /// A function that is the value of a member: `this` is the object that has it.
    pub(super) fn method_value(&mut self, node: Node<'t>, decl: Option<DeclId>) -> Raw {
        let this = self.this;
        let yielded = match node.kind() {
            "arrow_function" => self.function(node, decl, &[]),
            _ => self.callable(node, &[]),
        };
        self.this = this;
        if let Some(decl) = decl {
            self.binder.holds(decl, yielded);
            self.takes(decl);
        }
        self.unknown()
    }

    /// `exports.name = value`.
    fn export_assigned(&mut self, name: Node<'t>, decl: Option<DeclId>, value: Raw) {
        let means = decl.map_or(value, |decl| self.binder.decl(decl));
        if self.is_known(means) {
            self.binder.export(None, self.binder.str(name), means, true);
            match self.binder.str(name) {
                "default" => self.exports_whole = true,
                _ => self.exports_names = true,
            }
        }
    }

    /// `module.exports = value`.
    fn export_whole(&mut self, decl: Option<DeclId>, value: Node<'t>, term: Raw) {
        if let Some(decl) = decl {
            let means = self.binder.decl(decl);
            self.set_whole(means, false);
        } else if value.kind() == "object" {
            self.exports_names = true;
        } else {
            let names = matches!(value.kind(), "identifier" | "member_expression") || self.is_require(value);
            self.set_whole(term, names);
        }
    }

    fn is_require(&self, value: Node<'t>) -> bool {
        let function = value.child_by_field_name("function");
        function.is_some_and(|function| self.binder.str(function) == "require")
    }

    /// `exports` or `module.exports`, read: the file itself.
    pub(super) fn own_exports(&mut self, node: Node<'t>) -> Option<Raw> {
        let is_own = match node.kind() {
            "identifier" => self.binder.str(node) == "exports",
            _ => self.binder.str(node) == "module.exports",
        };
        is_own.then(|| self.binder.module(ITSELF))
    }

    /// Exports a key of the object that `module.exports` is set to.
    pub(super) fn export_key(&mut self, name: &'t str, decl: Option<DeclId>, value: Raw) {
        let alias = decl.filter(|decl| self.is_alias(*decl));
        alias.into_iter().for_each(|alias| self.binder.holds(alias, value));
        let means = match decl.filter(|_| alias.is_none()) {
            Some(decl) => self.binder.decl(decl),
            None => value,
        };
        if self.is_known(means) {
            self.binder.export(None, name, means, true);
        }
    }

    /// Uses of `Owner.prototype`: a value of what the constructor makes.
    pub(super) fn prototype(&mut self, object: Node<'t>) -> Raw {
        let owner = self.reference(object, Role::Read);
        self.binder.value(owner)
    }
}

fn access(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    if node.kind() != "member_expression" {
        return None;
    }
    Some((node.child_by_field_name("object")?, node.child_by_field_name("property")?))
}
