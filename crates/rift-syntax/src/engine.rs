//! The walk that turns a tree into facts. A language says which node kinds it wants to see and what each declares
//! (see [`Definition`]); the engine walks once with a cursor, keeps the stack of scopes, collects leading comments and
//! attributes, and enforces the bounds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use rift_base::{ByteRange, Facet, Facets, Language, NamePath};
use tree_sitter::Node;

use crate::binding::{Binder, BindingFacts};
use crate::documents::Document;
use crate::facts::*;
use crate::languages::{Definition, Plan, definition, prepared};
use crate::parse::{Bounds, parse_best};
use crate::text::{clip, one_line, range, squeeze};

/// Parses `text` as `language`, extracts its facts and drops the tree. Absent when no provider serves `language`.
/// Ranges lie on character borders inside `text`.
pub fn extract(text: &str, language: &Language, bounds: &Bounds) -> Option<FileFacts> {
    Some(read(text, language, bounds, false)?.0)
}

/// Like [`extract`], with what the names in the text can mean, from the same parse. The latter is absent for a language
/// that has no binding provider and for a text that is not parsed.
pub fn extract_bound(text: &str, language: &Language, bounds: &Bounds) -> Option<(FileFacts, Option<BindingFacts>)> {
    read(text, language, bounds, true)
}

fn read(text: &str, language: &Language, bounds: &Bounds, bind: bool) -> Option<(FileFacts, Option<BindingFacts>)> {
    let definition = definition(language)?;
    let parsed = prepared(definition, text);
    let (tree, definition) = match parse_best(definition, &parsed, bounds) {
        Ok(read) => read,
        Err(problem) => {
            let outline = Outline { problems: vec![problem], ..Outline::default() };
            let facts = FileFacts { outline: Arc::new(outline), positions: Arc::default(), document: Arc::default() };
            return Some((facts, None));
        }
    };
    let mut walk = Walk::new(text, &parsed, bounds);
    if tree.root_node().has_error() {
        walk.problem(Problem::BrokenSyntax);
    }
    match definition.whole_file {
        Some(whole_file) => whole_file(&mut walk, tree.root_node()),
        None => walk.run(definition, tree.root_node()),
    }
    let facts = walk.finish();
    let binding = definition.binding.as_ref().filter(|_| bind).map(|provider| {
        let mut binder = Binder::new(text, &facts, provider.lexical);
        (provider.walk)(&mut binder, tree.root_node());
        binder.finish()
    });
    Some((facts, binding))
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
        let start = self.item.start as usize;
        let end = match body {
            Some(body) => {
                self.body = range(body);
                body.start_byte()
            }
            None => self.item.end as usize,
        };
        // What is cut off again need not be read.
        let end = text.floor_char_boundary(end.min(start + 4 * SIGNATURE_MAX));
        self.signature = squeeze(text.get(start..end).unwrap_or(""));
    }
}

/// One walk over one tree.
pub(crate) struct Walk<'t> {
    /// The file's text.
    pub(crate) text: &'t str,
    /// What the parser saw of it: the text itself, or one of the same length with macros masked.
    pub(crate) parsed: &'t str,
    /// The enclosing scope of the node being visited. To change it for what lies below, answer [`Visit::Enter`].
    pub(crate) scope: Scope,
    /// Comments and attributes directly before the node being visited (or before its outermost wrapper), in source
    /// order: siblings of the kinds that [`Definition::leading`] lists with no other named sibling between.
    pub(crate) leading: Vec<Node<'t>>,
    /// The outermost [`Visit::Unwrap`] node around the node being visited.
    pub(crate) wrapper: Option<Node<'t>>,
    /// The package that the text states.
    pub(crate) package: Option<NamePath>,
    /// The blocks of a document.
    pub(crate) document: Document,
    declarations: Vec<Declaration>,
    positions: Vec<DeclPosition>,
    problems: Vec<Problem>,
    /// Looked up by key alone, never iterated.
    names: HashMap<(Option<DeclId>, &'t str), DeclId>,
    /// Takes what is written to a declaration that was left out.
    spare: Declaration,
    /// The first type of each path among the first `types_of` declarations.
    types: HashMap<NamePath, DeclId>,
    types_of: usize,
    /// Nodes that end before this byte are passed over.
    skip: usize,
    pub(crate) bounds: Bounds,
}

/// Encoded bytes of the longest logical path kept. Without it, deep nesting of long names takes quadratic memory.
pub(crate) const PATH_MAX: usize = 4096;

/// Bytes of the longest signature kept.
const SIGNATURE_MAX: usize = 4096;

/// Stands for a declaration that was left out because it has no name; what it contains belongs to its container.
const NAMELESS: DeclId = DeclId(u32::MAX);

/// Stands for a declaration that was left out by a bound; so is what it contains.
const OUT_OF_BOUNDS: DeclId = DeclId(u32::MAX - 1);

/// What is open around the node being visited: one per tree level that the walk went into.
#[derive(Default)]
struct Level<'t> {
    /// The scope to return to, when this level entered another.
    outer: Option<Scope>,
    /// Comments and attributes since the last other named sibling.
    leading: Vec<Node<'t>>,
    /// Those before the outermost wrapper.
    inherited: Vec<Node<'t>>,
    wrapper: Option<Node<'t>>,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, parsed: &'t str, bounds: &Bounds) -> Self {
        Self {
            text,
            parsed,
            scope: Scope { decl: None, path: NamePath::default(), tag: 0 },
            leading: Vec::new(),
            wrapper: None,
            package: None,
            document: Document::default(),
            declarations: Vec::new(),
            positions: Vec::new(),
            problems: Vec::new(),
            names: HashMap::new(),
            spare: nothing(),
            types: HashMap::new(),
            types_of: 0,
            skip: 0,
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

    /// The declaration numbered `id`, to add to it what comes to light later.
    pub(crate) fn declared(&mut self, id: DeclId) -> &mut Declaration {
        self.declarations.get_mut(id.0 as usize).unwrap_or(&mut self.spare)
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

    /// Declares `draft` in `scope`. Containers must be declared before their members. A draft without a name (the
    /// parser invents missing tokens) and one past a bound are left out; the id that comes back then names no
    /// declaration, and [`Walk::scope_of`] and [`Walk::declared`] take it.
    pub(crate) fn declare_in(&mut self, scope: &Scope, draft: Draft<'_>) -> DeclId {
        if draft.name.is_empty() {
            return NAMELESS;
        }
        let qualifier: usize = draft.qualifier.iter().map(String::len).sum();
        if scope.path.as_str().len() + qualifier + draft.name.len() > PATH_MAX {
            self.problem(Problem::Depth);
            return OUT_OF_BOUNDS;
        }
        if !self.has_room() {
            return OUT_OF_BOUNDS;
        }
        let mut path = scope.path.clone();
        for name in &draft.qualifier {
            path = path.child(name);
        }
        let id = DeclId(self.declarations.len() as u32);
        self.declarations.push(Declaration {
            kind: draft.kind,
            path: path.child(&draft.name),
            container: scope.decl.filter(|c| c.0 < id.0),
            facets: draft.facets,
            visibility: draft.visibility.map(Into::into),
            modifiers: draft.modifiers,
            signature: clip(one_line(draft.signature), SIGNATURE_MAX).into(),
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
        match self.declarations.get(id.0 as usize) {
            Some(declaration) => Scope { decl: Some(id), path: declaration.path.clone(), tag },
            None if id == NAMELESS => Scope { tag, ..self.scope.clone() },
            None => Scope { decl: None, path: NamePath::default().child(&"_".repeat(PATH_MAX + 1)), tag },
        }
    }

    /// The type declared so far at `path`, for members that stand outside it (impl blocks, receivers, `A::f`).
    pub(crate) fn find_type(&mut self, path: &NamePath) -> Option<DeclId> {
        for (at, declaration) in self.declarations.iter().enumerate().skip(self.types_of) {
            if declaration.facets.has(Facet::Type) {
                self.types.entry(declaration.path.clone()).or_insert(DeclId(at as u32));
            }
        }
        self.types_of = self.declarations.len();
        self.types.get(path).copied()
    }

    /// Passes over the nodes that lie before byte `end`: a language has read them otherwise.
    pub(crate) fn skip_until(&mut self, end: usize) {
        self.skip = self.skip.max(end);
    }

    /// The node that the declaration being visited starts at: its outermost wrapper, or `node`.
    pub(crate) fn outer(&self, node: Node<'t>) -> Node<'t> {
        self.wrapper.unwrap_or(node)
    }

    /// Walks the tree below `root` in source order, without recursion.
    fn run(&mut self, definition: &Definition, root: Node<'t>) {
        let plan = definition.plan();
        let mut cursor = root.walk();
        let mut levels: Vec<Level<'t>> = vec![Level::default()];
        let mut nodes = 0u32;
        if root.is_error() {
            // What the language reads off an error, it reads off this one; the walk goes below it in any case.
            self.step(definition, plan, root, &mut Level::default());
        }
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            nodes += 1;
            if nodes > self.bounds.nodes {
                self.problem(Problem::Nodes);
                return;
            }
            let node = cursor.node();
            let Some(level) = levels.last_mut() else { return };
            if let Some(inner) = self.step(definition, plan, node, level) {
                if levels.len() >= self.bounds.depth as usize {
                    self.problem(Problem::Depth);
                    self.leave(inner);
                } else if cursor.goto_first_child() {
                    levels.push(inner);
                    continue;
                } else {
                    self.leave(inner);
                }
            }
            while !cursor.goto_next_sibling() {
                if let Some(level) = levels.pop() {
                    self.leave(level);
                }
                if levels.is_empty() || !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// Looks at one node; the level to go on with below it, if any.
    fn step(
        &mut self,
        definition: &Definition,
        plan: &Plan,
        node: Node<'t>,
        level: &mut Level<'t>,
    ) -> Option<Level<'t>> {
        let kind = node.kind_id();
        let inner = if self.skip > 0 && node.end_byte() <= self.skip {
            None
        } else if plan.visits(kind) {
            self.visit(definition, node, level)
        } else {
            plan.passes(kind).then(Level::default)
        };
        if plan.leads(kind) {
            level.leading.push(node);
        } else if !level.leading.is_empty() && node.is_named() {
            level.leading.clear();
        }
        inner
    }

    /// Shows `node` to the language.
    fn visit(&mut self, definition: &Definition, node: Node<'t>, level: &mut Level<'t>) -> Option<Level<'t>> {
        self.wrapper = level.wrapper;
        self.leading.clear();
        self.leading.extend_from_slice(&level.inherited);
        self.leading.extend_from_slice(&level.leading);
        match (definition.visit)(self, node) {
            Visit::Skip => None,
            Visit::Descend => Some(Level::default()),
            Visit::Unwrap => Some(Level {
                inherited: std::mem::take(&mut self.leading),
                wrapper: Some(self.outer(node)),
                ..Level::default()
            }),
            Visit::Enter(scope) => {
                Some(Level { outer: Some(std::mem::replace(&mut self.scope, scope)), ..Level::default() })
            }
        }
    }

    fn leave(&mut self, level: Level<'t>) {
        if let Some(outer) = level.outer {
            self.scope = outer;
        }
    }

    /// A member of a type that turns out to be declared further down in this file extends it from inside.
    fn settle_extensions(&mut self) {
        for at in 0..self.declarations.len() {
            if self.declarations[at].facets.has(Facet::Extension) {
                let container = NamePath::parse(self.declarations[at].path.container()).unwrap_or_default();
                if self.find_type(&container).is_some() {
                    let facets = &mut self.declarations[at].facets;
                    *facets = facets.without(Facet::Extension);
                }
            }
        }
    }

    /// Brings the declarations into source order where a language read ahead (heads in an error), containers first.
    fn settle_order(&mut self) {
        let mut keys: Vec<u32> = Vec::with_capacity(self.positions.len());
        for (declaration, position) in self.declarations.iter().zip(&self.positions) {
            let container = declaration.container.map_or(0, |c| keys[c.0 as usize]);
            keys.push(position.item.start.max(container));
        }
        if keys.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|at| keys[*at]);
        let mut moved = vec![DeclId(0); order.len()];
        for (to, from) in order.iter().enumerate() {
            moved[*from] = DeclId(to as u32);
        }
        self.positions = order.iter().map(|at| self.positions[*at]).collect();
        let mut old: Vec<Option<Declaration>> = std::mem::take(&mut self.declarations).into_iter().map(Some).collect();
        self.declarations = order.iter().filter_map(|at| old[*at].take()).collect();
        for declaration in &mut self.declarations {
            declaration.container = declaration.container.map(|c| moved[c.0 as usize]);
        }
    }

    fn finish(mut self) -> FileFacts {
        self.settle_extensions();
        self.settle_order();
        let outline = Outline { declarations: self.declarations, package: self.package, problems: self.problems };
        FileFacts { outline: Arc::new(outline), positions: Arc::new(self.positions), document: Arc::new(self.document) }
    }
}

fn nothing() -> Declaration {
    Declaration {
        kind: "",
        path: NamePath::default(),
        container: None,
        facets: Facets::NONE,
        visibility: None,
        modifiers: Vec::new(),
        signature: "".into(),
        callable: None,
        value_type: None,
        documentation: None,
        joins: Joins::Alone,
        file_local: false,
    }
}
