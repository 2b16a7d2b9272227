//! The walk that turns a tree into facts. A language says which node kinds it wants to see and what each declares
//! (see [`Definition`]); the engine walks once with a cursor, keeps the stack of scopes, collects leading comments and
//! attributes, and enforces the bounds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use rift_base::{ByteRange, Facets, Language, NamePath};
use tree_sitter::Node;

use crate::facts::*;
use crate::languages::{Definition, definition};
use crate::parse::{Bounds, parse_best};
use crate::text::{range, squeeze};

/// Parses `text` as `language`, extracts its facts and drops the tree. Absent when no provider serves `language`.
/// Ranges lie on character borders inside `text`.
pub fn extract(text: &str, language: &Language, bounds: &Bounds) -> Option<FileFacts> {
    let definition = definition(language)?;
    let (tree, definition) = match parse_best(definition, text, bounds) {
        Ok(read) => read,
        Err(problem) => {
            let outline = Outline { problems: vec![problem], ..Outline::default() };
            return Some(FileFacts { outline: Arc::new(outline), positions: Arc::default() });
        }
    };
    let mut walk = Walk::new(text, bounds);
    if tree.root_node().has_error() {
        walk.problem(Problem::BrokenSyntax);
    }
    match definition.whole_file {
        Some(whole_file) => whole_file(&mut walk, tree.root_node()),
        None => walk.run(definition, tree.root_node()),
    }
    Some(walk.finish())
}

/// What the engine does after a language has seen a node.
pub(crate) enum Visit {
    /// Nothing below is of interest.
    Skip,
    /// Go on below, in the same scope.
    Descend,
    /// Go on below in the same scope; what is declared there starts at this node and owns the comments and attributes
    /// before it (`export`, `decorated_definition`, `template`).
    Unwrap,
    /// Go on below, inside this scope.
    Enter(Scope),
}

/// Where declarations are made.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The declaration that contains them, when it stands in this file.
    pub(crate) decl: Option<DeclId>,
    /// Logical path of the container.
    pub(crate) path: NamePath,
    /// A word of the language's own to tell kinds of scopes apart; 0 is the file.
    pub(crate) tag: u8,
}

/// A declaration that a language has read off its node. Build it with [`Draft::new`].
pub(crate) struct Draft<'a> {
    pub(crate) kind: &'static str,
    pub(crate) name: Cow<'a, str>,
    /// Names between the scope and the name (`A::B` of an out-of-line `A::B::f`).
    pub(crate) qualifier: Vec<String>,
    pub(crate) facets: Facets,
    pub(crate) visibility: Option<String>,
    pub(crate) modifiers: Vec<Box<str>>,
    pub(crate) signature: String,
    pub(crate) callable: Option<Callable>,
    pub(crate) value_type: Option<String>,
    pub(crate) documentation: Option<Documentation>,
    pub(crate) joins: Joins,
    pub(crate) file_local: bool,
    /// First byte of the declaration with its documentation and attributes.
    pub(crate) start: usize,
    pub(crate) item: ByteRange,
    pub(crate) name_range: ByteRange,
    pub(crate) body: ByteRange,
}

impl<'a> Draft<'a> {
    /// A draft for `item`, named by `name`'s text. The body starts out empty at the item's end.
    pub(crate) fn new(kind: &'static str, text: &'a str, item: Node<'_>, name: Node<'_>) -> Self {
        let mut draft = Self::named(kind, item, Cow::Borrowed(range(name).of(text)));
        draft.name_range = range(name);
        draft
    }

    /// A draft for `item` whose name the source does not spell as one node.
    pub(crate) fn named(kind: &'static str, item: Node<'_>, name: Cow<'a, str>) -> Self {
        let item = range(item);
        Self {
            kind,
            name,
            qualifier: Vec::new(),
            facets: Facets::NONE,
            visibility: None,
            modifiers: Vec::new(),
            signature: String::new(),
            callable: None,
            value_type: None,
            documentation: None,
            joins: Joins::Alone,
            file_local: false,
            start: item.start as usize,
            item,
            name_range: ByteRange { start: item.start, end: item.start },
            body: ByteRange { start: item.end, end: item.end },
        }
    }

    /// Sets the body, and the signature to the item's text up to it.
    pub(crate) fn body(&mut self, text: &str, body: Option<Node<'_>>) {
        let end = match body {
            Some(body) => {
                self.body = range(body);
                body.start_byte()
            }
            None => self.item.end as usize,
        };
        self.signature = squeeze(text.get(self.item.start as usize..end).unwrap_or(""));
    }
}

/// One walk over one tree.
pub(crate) struct Walk<'t> {
    /// The file's text.
    pub(crate) text: &'t str,
    /// The enclosing scope of the node being visited.
    pub(crate) scope: Scope,
    /// Comments and attributes directly before the node being visited (or before its outermost wrapper), in source
    /// order: siblings of the kinds that [`Definition::leading`] lists with no other named sibling between.
    pub(crate) leading: Vec<Node<'t>>,
    /// The outermost [`Visit::Unwrap`] node around the node being visited.
    pub(crate) wrapper: Option<Node<'t>>,
    /// The package that the text states.
    pub(crate) package: Option<NamePath>,
    declarations: Vec<Declaration>,
    positions: Vec<DeclPosition>,
    problems: Vec<Problem>,
    /// Looked up by key alone, never iterated.
    names: HashMap<(Option<DeclId>, &'t str), DeclId>,
    bounds: Bounds,
}

struct Level<'t> {
    scope: Scope,
    leading: Vec<Node<'t>>,
    inherited: Vec<Node<'t>>,
    wrapper: Option<Node<'t>>,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, bounds: &Bounds) -> Self {
        Self {
            text,
            scope: Scope { decl: None, path: NamePath::default(), tag: 0 },
            leading: Vec::new(),
            wrapper: None,
            package: None,
            declarations: Vec::new(),
            positions: Vec::new(),
            problems: Vec::new(),
            names: HashMap::new(),
            bounds: *bounds,
        }
    }

    /// Text of `node`.
    pub(crate) fn str(&self, node: Node<'_>) -> &'t str {
        range(node).of(self.text)
    }

    /// Records a problem once.
    pub(crate) fn problem(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// The declaration made last.
    pub(crate) fn declared(&mut self, id: DeclId) -> &mut Declaration {
        &mut self.declarations[id.0 as usize]
    }

    /// The declaration numbered `id`.
    pub(crate) fn get(&self, id: DeclId) -> Option<&Declaration> {
        self.declarations.get(id.0 as usize)
    }

    /// Remembers `id` under `name` in `container`, in place of what was there.
    pub(crate) fn remember(&mut self, container: Option<DeclId>, name: &'t str, id: DeclId) {
        self.names.insert((container, name), id);
    }

    /// What [`Walk::remember`] kept last.
    pub(crate) fn recall(&self, container: Option<DeclId>, name: &'t str) -> Option<DeclId> {
        self.names.get(&(container, name)).copied()
    }

    /// Whether the bound on declarations leaves room for one more.
    pub(crate) fn has_room(&mut self) -> bool {
        if self.declarations.len() < self.bounds.declarations as usize {
            return true;
        }
        self.problem(Problem::Declarations);
        false
    }

    /// Declares `draft` in `scope`. Containers must be declared before their members. Past the bound on declarations,
    /// nothing is kept and the container's id (or 0) comes back.
    pub(crate) fn declare_in(&mut self, scope: &Scope, draft: Draft<'_>) -> DeclId {
        if !self.has_room() {
            return scope.decl.unwrap_or(DeclId(0));
        }
        let mut path = scope.path.clone();
        for name in &draft.qualifier {
            path = path.child(name);
        }
        let id = DeclId(self.declarations.len() as u32);
        self.declarations.push(Declaration {
            kind: draft.kind,
            path: path.child(&draft.name),
            container: scope.decl,
            facets: draft.facets,
            visibility: draft.visibility.map(Into::into),
            modifiers: draft.modifiers,
            signature: draft.signature.into(),
            callable: draft.callable.map(Box::new),
            value_type: draft.value_type.map(Into::into),
            documentation: draft.documentation,
            joins: draft.joins,
            file_local: draft.file_local,
        });
        let start = (draft.start as u32).min(draft.item.start);
        self.positions.push(DeclPosition {
            declaration: ByteRange { start, end: draft.item.end },
            item: draft.item,
            name: draft.name_range,
            body: draft.body,
        });
        id
    }

    /// Declares `draft` in the scope of the node being visited.
    pub(crate) fn declare(&mut self, draft: Draft<'_>) -> DeclId {
        let scope = self.scope.clone();
        self.declare_in(&scope, draft)
    }

    /// The scope of declaration `id`'s members.
    pub(crate) fn scope_of(&self, id: DeclId, tag: u8) -> Scope {
        let path = self.declarations.get(id.0 as usize).map(|d| d.path.clone()).unwrap_or_default();
        Scope { decl: Some(id), path, tag }
    }

    /// The node that the declaration being visited starts at: its outermost wrapper, or `node`.
    pub(crate) fn outer(&self, node: Node<'t>) -> Node<'t> {
        self.wrapper.unwrap_or(node)
    }

    fn run(&mut self, definition: &Definition, root: Node<'t>) {
        let plan = definition.plan();
        let mut cursor = root.walk();
        let mut levels: Vec<Level<'t>> = Vec::new();
        let mut nodes = 0u32;
        if !cursor.goto_first_child() {
            return;
        }
        levels.push(self.level(Vec::new(), None));
        loop {
            nodes += 1;
            if nodes > self.bounds.nodes {
                self.problem(Problem::Nodes);
                return;
            }
            let node = cursor.node();
            let kind = node.kind_id();
            let descend = if plan.visits(kind) {
                self.visit(definition, node, &mut levels)
            } else if plan.passes(kind) {
                Some(self.level(Vec::new(), None))
            } else {
                None
            };
            if let Some(level) = levels.last_mut() {
                if plan.leads(kind) {
                    level.leading.push(node);
                } else if node.is_named() {
                    level.leading.clear();
                }
            }
            if let Some(level) = descend {
                if levels.len() >= self.bounds.depth as usize {
                    self.problem(Problem::Depth);
                } else if cursor.goto_first_child() {
                    levels.push(level);
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                levels.pop();
                match levels.last() {
                    Some(level) => self.scope = level.scope.clone(),
                    None => return,
                }
            }
        }
    }

    /// Shows `node` to the language; the level to go on with below it, if any.
    fn visit(&mut self, definition: &Definition, node: Node<'t>, levels: &mut [Level<'t>]) -> Option<Level<'t>> {
        let level = levels.last_mut()?;
        self.scope = level.scope.clone();
        self.wrapper = level.wrapper;
        self.leading = if level.wrapper.is_some() && !level.inherited.is_empty() {
            let mut all = level.inherited.clone();
            all.append(&mut level.leading.clone());
            all
        } else {
            level.leading.clone()
        };
        match (definition.visit)(self, node) {
            Visit::Skip => None,
            Visit::Descend => Some(self.level(Vec::new(), None)),
            Visit::Unwrap => {
                let wrapper = Some(self.outer(node));
                let leading = std::mem::take(&mut self.leading);
                Some(self.level(leading, wrapper))
            }
            Visit::Enter(scope) => {
                self.scope = scope;
                Some(self.level(Vec::new(), None))
            }
        }
    }

    fn level(&self, inherited: Vec<Node<'t>>, wrapper: Option<Node<'t>>) -> Level<'t> {
        Level { scope: self.scope.clone(), leading: Vec::new(), inherited, wrapper }
    }

    fn finish(self) -> FileFacts {
        let outline = Outline { declarations: self.declarations, package: self.package, problems: self.problems };
        FileFacts { outline: Arc::new(outline), positions: Arc::new(self.positions) }
    }
}
