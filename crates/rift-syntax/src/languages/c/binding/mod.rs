//! How names are bound in C and C++: blocks bind from a declarator on, members see their class, namespaces are open
//! (C17 6.2.1 and 6.2.3, C++20 [basic.scope] and [basic.lookup]). Headers are text: what a file includes, its own
//! includers see too.

mod calls;
mod declarations;
mod expressions;
mod functions;
mod initializers;
mod lambdas;
mod macros;
mod namespaces;
mod records;
mod shapes;
mod statements;
mod types;

use std::collections::HashMap;

use rift_base::Facet;
use tree_sitter::{Node, TreeCursor};

use crate::binding::{Binder, Defined, Lexical, Raw, ScopeId, Walker};
use crate::facts::{DeclId, Declaration};
use crate::languages::BindingProvider;
use shapes::Shape;

const LEXICAL: Lexical = Lexical { ordered: true, members_in_scope: true, modules_closed: false };

pub(super) const C: BindingProvider =
    BindingProvider { lexical: LEXICAL, walk: |binder, root| walk(binder, root, false) };

pub(super) const CPP: BindingProvider =
    BindingProvider { lexical: LEXICAL, walk: |binder, root| walk(binder, root, true) };

/// From here on a name is visible in its whole scope, whatever order the text has.
const EVERYWHERE: usize = u32::MAX as usize;

/// The walk of one file.
struct Family<'b, 't> {
    binder: &'b mut Binder<'t>,
    cpp: bool,
    /// Kept to list children without a new cursor for each node.
    cursor: TreeCursor<'t>,
    /// The file's own scope.
    file: ScopeId,
    /// The scope that declarations belong to: the file's, a namespace's or a class's.
    home: ScopeId,
    /// The scope of the namespace around the walk, or the file's.
    around: ScopeId,
    /// The namespace around the walk; absent for the file.
    namespace: Option<DeclId>,
    /// The class whose members are being walked, for `this`.
    class: Option<Class>,
    /// Whether the walk is inside a function's body.
    local: bool,
    /// Scopes of namespaces, by the scope around them: all parts of one share it.
    namespaces: HashMap<(ScopeId, &'t str), (ScopeId, Option<DeclId>)>,
    /// Classes with a body in this file, by their logical path.
    classes: HashMap<&'t str, (DeclId, ScopeId)>,
    /// The types that `struct name` can mean in C, where tags are names of their own.
    tags: HashMap<&'t str, Vec<DeclId>>,
    /// Types declared in the functions around, innermost last.
    local_tags: Vec<(&'t str, DeclId)>,
    /// Variables of the functions around, with the form that their declaration gives their values; innermost last.
    locals: Vec<(&'t str, Shape)>,
    /// Names of the template parameters of what is being declared.
    parameters: Vec<&'t str>,
    /// Functions by where their body starts, for those whose name a macro makes.
    bodies: Option<HashMap<u32, DeclId>>,
}

/// What `this` points to.
#[derive(Clone, Copy)]
enum Class {
    /// A class with a body in this file.
    Here(DeclId),
    /// A class that another file declares, as an out-of-class definition names it.
    Named(Raw),
}

fn walk<'t>(binder: &mut Binder<'t>, root: Node<'t>, cpp: bool) {
    let file = binder.scope();
    let mut family = Family {
        binder,
        cpp,
        cursor: root.walk(),
        file,
        home: file,
        around: file,
        namespace: None,
        class: None,
        local: false,
        namespaces: HashMap::new(),
        classes: HashMap::new(),
        tags: HashMap::new(),
        local_tags: Vec::new(),
        locals: Vec::new(),
        parameters: Vec::new(),
        bodies: None,
    };
    if !cpp {
        family.gather_tags();
    }
    family.each(root);
    family.masked();
    // A header is text: whoever includes it sees every name of it.
    family.binder.export_all(|_| true);
}

impl<'t> Walker<'t> for Family<'_, 't> {
    fn binder(&mut self) -> &mut Binder<'t> {
        self.binder
    }
}

impl<'t> Family<'_, 't> {
    /// The named children of `node`, comments left out.
    fn children(&mut self, node: Node<'t>) -> Vec<Node<'t>> {
        let count = node.named_child_count();
        if count == 0 {
            return Vec::new();
        }
        let mut out = Vec::with_capacity(count);
        out.extend(node.named_children(&mut self.cursor).filter(|child| child.kind() != "comment"));
        out
    }

    /// The children of `node` under `field`.
    fn fields(&mut self, node: Node<'t>, field: &'static str) -> Vec<Node<'t>> {
        node.children_by_field_name(field, &mut self.cursor).filter(|child| child.is_named()).collect()
    }

    /// Walks all children of `node`.
    fn each(&mut self, node: Node<'t>) {
        for child in self.children(node) {
            self.walk(child);
        }
    }

    /// Binds a declaration's name in the scope that it belongs to. A constructor has none: its class's name is the class.
    fn declare(&mut self, name: Node<'t>, decl: DeclId) {
        let constructs = |d: &Declaration| d.facets.has(Facet::Constructor);
        if self.binder.facts.outline.get(decl).is_some_and(constructs) {
            return;
        }
        let scope = if self.local { self.binder.scope() } else { self.home };
        self.binder.define_in(scope, self.binder.str(name), Defined::Decl(decl), EVERYWHERE);
    }

    /// Binds a local variable or parameter from its name on.
    fn declare_local(&mut self, name: Node<'t>, value: Raw, shape: Shape) {
        let what = if self.binder.is_unknown(value) { Defined::Opaque } else { Defined::Value(value) };
        let text = self.binder.str(name);
        self.binder.define(text, what, name.start_byte());
        self.locals.push((text, shape));
    }

    /// What `this` points to.
    fn this(&mut self) -> Raw {
        match self.class {
            Some(Class::Here(decl)) => self.binder.this(decl),
            Some(Class::Named(term)) => self.binder.value(term),
            None => self.unknown(),
        }
    }
}

/// The last name of a declarator's name, without qualifiers and template arguments.
fn last_name(name: Node<'_>) -> Node<'_> {
    let mut node = name;
    loop {
        let inner = match node.kind() {
            "qualified_identifier" | "template_function" | "template_method" | "template_type" => {
                node.child_by_field_name("name")
            }
            "dependent_name" => node.named_child(0),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}
