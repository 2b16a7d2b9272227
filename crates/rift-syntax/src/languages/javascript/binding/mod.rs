//! How names are bound in JavaScript and TypeScript: a name belongs to its whole block or function wherever in it the name
//! is declared, `var` to the function around (ECMA-262, 8.2 "Scope Analysis" and 9.1 "Environment Records"); modules show
//! what they export and nothing else.
//!
//! | file | tells |
//! |---|---|
//! | `statements` | blocks and control flow |
//! | `variables` | variables, and what their initial values say |
//! | `patterns` | the names that patterns bind, and assignments |
//! | `functions` | functions, parameters, and what a call yields |
//! | `classes` | classes and their members |
//! | `declarations` | interfaces, aliases, enums, namespaces |
//! | `imports`, `exports`, `commonjs` | modules |
//! | `expressions`, `calls`, `objects`, `jsx` | which names are used, and what expressions yield |
//! | `types` | annotations |
//! | `jsdoc` | types and links in documentation |
//! | `expected` | literals whose type is stated |

mod calls;
mod classes;
mod commonjs;
mod declarations;
mod expected;
mod exports;
mod expressions;
mod functions;
mod imports;
mod jsdoc;
mod jsx;
mod objects;
mod patterns;
mod statements;
mod types;
mod variables;

use std::collections::HashSet;

use tree_sitter::Node;

use crate::binding::{Binder, Defined, Lexical, Raw, ScopeId, Walker};
use crate::facts::DeclId;
use crate::languages::BindingProvider;

pub(super) const PROVIDER: BindingProvider =
    BindingProvider { lexical: Lexical { ordered: false, members_in_scope: false, modules_closed: false }, walk };

/// Where a name is defined that its whole scope sees: behind everything, so that no use comes after one definition of
/// it and before another.
const HOISTED: usize = u32::MAX as usize;

/// The specifier that stands for the file itself, which no source can spell (`module.exports`, read as a value).
const ITSELF: &str = "";

/// What a CommonJS module or `export =` is set to, as the name of an export that no source can spell.
const WHOLE: &str = "export=";

/// How a declaration is exported where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Export {
    No,
    Named,
    Default,
}

/// The walk of one file.
struct JavaScript<'b, 't> {
    binder: &'b mut Binder<'t>,
    /// What `this` is; absent where the text does not say.
    this: Option<Raw>,
    /// The class or interface whose members are being walked (`super`, the type `this`).
    class: Option<DeclId>,
    /// The namespace whose block is being walked.
    within: Option<DeclId>,
    /// Whether everything that the namespace declares is exported (`declare namespace`).
    ambient: bool,
    /// The scope of `var`.
    variables: ScopeId,
    /// What the callable being walked returns, so far.
    results: Vec<Raw>,
    /// What the callable being walked says that it returns.
    returns: Option<Raw>,
    /// What the documentation of the declaration being walked says, until its callable has read it.
    described: jsdoc::Described<'t>,
    /// What the parameters of the callable walked last take.
    parameters: Vec<Raw>,
    /// Local names with an annotation: what is assigned later changes nothing.
    annotated: HashSet<(ScopeId, &'t str)>,
    /// Whether `exports.name = …` and the like export names.
    exports_names: bool,
    /// Whether `module.exports = …` or `export = …` exports one thing.
    exports_whole: bool,
    /// The scopes of namespaces by their path, as the parts of one share their names.
    namespaces: Vec<(String, ScopeId)>,
}

fn walk<'t>(binder: &mut Binder<'t>, root: Node<'t>) {
    let (this, variables) = (None, binder.scope());
    let mut javascript = JavaScript {
        binder,
        this,
        class: None,
        within: None,
        ambient: false,
        variables,
        results: Vec::new(),
        returns: None,
        described: jsdoc::Described::default(),
        parameters: Vec::new(),
        annotated: HashSet::new(),
        exports_names: false,
        exports_whole: false,
        namespaces: Vec::new(),
    };
    javascript.statements(root);
    if javascript.exports_names && !javascript.exports_whole {
        // A default import of a CommonJS module is what `require` of it yields.
        let itself = javascript.binder.module(ITSELF);
        javascript.binder.export(None, "default", itself, false);
    }
}

impl<'t> Walker<'t> for JavaScript<'_, 't> {
    fn binder(&mut self) -> &mut Binder<'t> {
        self.binder
    }
}

impl<'t> JavaScript<'_, 't> {
    fn is_known(&self, term: Raw) -> bool {
        !self.binder.is_unknown(term)
    }

    /// Runs `go` for what `decl` owns.
    fn owned<T>(&mut self, decl: Option<DeclId>, go: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(decl) = decl {
            self.binder.own(decl);
            self.described = self.describe(decl);
        }
        let out = go(self);
        decl.into_iter().for_each(|_| self.binder.disown());
        out
    }

    /// Runs `go` as a part that may not run.
    fn branched<T>(&mut self, go: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.binder.branch();
        let out = go(self);
        self.binder.end_branch(before);
        out
    }

    /// Binds the declaration whose name is `name` in the current scope, and exports it.
    fn introduce(&mut self, name: Node<'t>, export: Export) -> Option<DeclId> {
        let text = self.binder.str(name);
        let decl = self.binder.declared_at(name);
        let what = decl.map_or(Defined::Opaque, Defined::Decl);
        self.binder.define(text, what, HOISTED);
        if let Some(decl) = decl {
            let term = self.binder.decl(decl);
            self.publish(text, term, export);
        }
        decl
    }

    /// Others find `means` as `name`, when it is exported where it stands.
    fn publish(&mut self, name: &'t str, means: Raw, export: Export) {
        match export {
            Export::Default => self.binder.export(self.within, "default", means, false),
            Export::Named => self.binder.export(self.within, name, means, true),
            Export::No if self.ambient => self.binder.export(self.within, name, means, true),
            Export::No => {}
        }
    }

    /// The name that a member's key spells; none for what is computed.
    fn key(&self, node: Node<'t>) -> Option<&'t str> {
        match node.kind() {
            "string" => Some(self.binder.str(content(node)?)),
            "computed_property_name" => {
                let inner = node.named_child(0).filter(|inner| inner.kind() == "string")?;
                Some(self.binder.str(content(inner)?))
            }
            _ => Some(self.binder.str(node)),
        }
    }
}

/// Where the name in `node` stands: without quotes, when it is a string.
fn name_site(node: Node<'_>) -> Node<'_> {
    Some(node).filter(|node| node.kind() == "string").and_then(content).unwrap_or(node)
}

/// The text of a string literal without its quotes; none for an empty one and for one with escapes.
fn content(string: Node<'_>) -> Option<Node<'_>> {
    let inner = string.named_child(0)?;
    (string.named_child_count() == 1 && inner.kind() == "string_fragment").then_some(inner)
}

/// The named children of `node`, without comments.
fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// Whether one of the tokens directly in `node` is `word`.
fn has_token(node: Node<'_>, word: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == word)
}
