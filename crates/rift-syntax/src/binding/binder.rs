//! What a language tells about one file while it walks the tree.

use std::borrow::Cow;
use std::collections::HashMap;

use rift_base::ByteRange;
use tree_sitter::Node;

use super::facts::{BindingFacts, PARAMETERS, Role, UnitCounts};
use super::scopes::{Scope, ScopeId};
use super::settle::settle;
use crate::facts::{DeclId, FileFacts};
use crate::text::range;

/// Deepest nesting of nodes that a language's walk goes into; what lies deeper is not bound. Real code stays below 100.
pub(crate) const DEPTH_MAX: usize = 400;

/// A term's number while the file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Raw(pub(super) u32);

/// A name's number while the file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RawName(pub(super) u32);

/// A term before lexical scoping.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RawTerm {
    Unknown,
    /// A name as it is looked up at byte `at` of `scope`.
    Name {
        name: RawName,
        scope: ScopeId,
        branch: u32,
        at: u32,
        space: Space,
    },
    Module(RawName),
    /// A name that no scope of the file is asked for.
    Free(RawName, Option<DeclId>),
    Decl(DeclId),
    This(DeclId),
    Super(DeclId),
    Member(Raw, RawName),
    Call(Raw),
    Value(Raw),
    Applied(Raw, Vec<Raw>),
    Inner(Raw, i8),
    Either(Vec<Raw>),
    First(Vec<Raw>),
}

/// What a scope's name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Defined {
    /// A declaration of this file.
    Decl(DeclId),
    /// An import or alias: stands for what the term denotes.
    Alias(Raw),
    /// A local variable or parameter whose values the term tells. It is no symbol itself.
    Value(Raw),
    /// A local variable, parameter or type parameter of which the text says nothing more.
    Opaque,
    /// A type parameter that stands for its bounds, in languages that keep names of types and values apart. It is no
    /// symbol itself.
    Parameter(Raw),
    /// The name of an enclosing function scope that is not the module's (`nonlocal`).
    Enclosing,
    /// The name of the file's own scope (`global`).
    File,
}

/// What a scope is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// A module or namespace: the file itself, or one declared in it.
    Module,
    /// The body of a type.
    Type,
    /// A callable with its parameters.
    Callable,
    /// A block inside a callable.
    Block,
}

/// Which names a lookup is for, in languages where one name can mean a type, a value and a macro side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// All of them: the language has one space of names.
    Any,
    /// Types, modules and type parameters.
    Types,
    /// Variables, constants and callables.
    Values,
    /// Macros, whose scope is textual: those of enclosing modules are visible too.
    Macros,
    /// Items of any kind, as the import at that byte sees them: what it defines itself is not meant.
    Import,
}

/// How a language looks names up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexical {
    /// Whether a name in a callable or a block is visible from its definition on, and a later one shadows it.
    pub(crate) ordered: bool,
    /// Whether callables inside a type see the names of its body without a receiver.
    pub(crate) members_in_scope: bool,
    /// Whether lookup ends at the innermost module declared in the file.
    pub(crate) modules_closed: bool,
}

pub(super) struct RawReference {
    pub(super) term: Raw,
    pub(super) role: Role,
    pub(super) owner: Option<DeclId>,
    pub(super) site: ByteRange,
    pub(super) arguments: Option<u8>,
    pub(super) unproven: bool,
}

pub(super) struct RawEntry {
    pub(super) within: Option<DeclId>,
    pub(super) name: RawName,
    pub(super) means: Raw,
    pub(super) starred: bool,
}

pub(super) struct RawExtension {
    pub(super) of: Raw,
    pub(super) name: RawName,
    pub(super) member: Option<DeclId>,
    pub(super) base: Option<Raw>,
}

/// Gathers what a language's walk tells, and settles it.
pub(crate) struct Binder<'t> {
    /// The file's text.
    pub(crate) text: &'t str,
    /// The text as the parser saw it: as long, with what the grammar does not know blanked out.
    pub(crate) parsed: &'t str,
    /// What is declared; [`Binder::declared_at`] finds a node's.
    pub(crate) facts: &'t FileFacts,
    pub(super) lexical: Lexical,
    by_name: HashMap<u32, DeclId>,
    members: HashMap<(Option<DeclId>, Cow<'t, str>), DeclId>,
    names: HashMap<Cow<'t, str>, RawName>,
    pub(super) spelled: Vec<Cow<'t, str>>,
    known: HashMap<RawTerm, Raw>,
    pub(super) terms: Vec<RawTerm>,
    pub(super) scopes: Vec<Scope>,
    /// Parents of branches; the branch 0 is its own.
    pub(super) branches: Vec<u32>,
    scope: ScopeId,
    branch: u32,
    owners: Vec<DeclId>,
    pub(super) references: Vec<RawReference>,
    pub(super) entries: Vec<RawEntry>,
    pub(super) wildcards: Vec<(Option<DeclId>, Raw, bool)>,
    pub(super) bases: HashMap<DeclId, Vec<Raw>>,
    pub(super) extensions: Vec<RawExtension>,
    pub(super) values: HashMap<DeclId, Vec<Raw>>,
    pub(super) counts: UnitCounts,
    /// Nesting of the walk; see [`DEPTH_MAX`].
    pub(crate) depth: usize,
    /// Whether the walk is inside the body of a macro.
    pub(crate) unproven: bool,
}

impl<'t> Binder<'t> {
    pub(crate) fn new(text: &'t str, parsed: &'t str, facts: &'t FileFacts, lexical: Lexical) -> Self {
        let by_name = facts.positions.iter().enumerate().rev().map(|(at, p)| (p.name.start, DeclId(at as u32)));
        Self {
            text,
            parsed,
            facts,
            lexical,
            by_name: by_name.collect(),
            members: HashMap::new(),
            names: HashMap::new(),
            spelled: Vec::new(),
            known: HashMap::new(),
            terms: Vec::new(),
            scopes: vec![Scope::new(None, ScopeKind::Module, None)],
            branches: vec![0],
            scope: ScopeId(0),
            branch: 0,
            owners: Vec::new(),
            references: Vec::new(),
            entries: Vec::new(),
            wildcards: Vec::new(),
            bases: HashMap::new(),
            extensions: Vec::new(),
            values: HashMap::new(),
            counts: UnitCounts { scopes: 1, ..UnitCounts::default() },
            depth: 0,
            unproven: false,
        }
    }

    /// Text of `node`.
    pub(crate) fn str(&self, node: Node<'_>) -> &'t str {
        range(node).of(self.text)
    }

    /// The declaration whose name is `name`.
    pub(crate) fn declared_at(&self, name: Node<'_>) -> Option<DeclId> {
        self.by_name.get(&(name.start_byte() as u32)).copied()
    }

    /// The first declaration of `name` directly inside `container`, wherever in the file it stands.
    pub(crate) fn declared_in(&mut self, container: Option<DeclId>, name: &'t str) -> Option<DeclId> {
        let facts = self.facts;
        if self.members.is_empty() {
            for (id, declaration) in facts.outline.iter() {
                self.members.entry((declaration.container, declaration.path.name())).or_insert(id);
            }
        }
        self.members.get(&(container, Cow::Borrowed(name))).copied()
    }

    fn name_id(&mut self, name: &'t str) -> RawName {
        self.spelled_id(Cow::Borrowed(name))
    }

    fn spelled_id(&mut self, name: Cow<'t, str>) -> RawName {
        let next = RawName(self.spelled.len() as u32);
        let spelled = &mut self.spelled;
        *self.names.entry(name).or_insert_with_key(|name| {
            spelled.push(name.clone());
            next
        })
    }

    fn term(&mut self, term: RawTerm) -> Raw {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let id = Raw(self.terms.len() as u32);
        self.terms.push(term.clone());
        self.known.insert(term, id);
        id
    }

    /// Nothing that binding can use.
    pub(crate) fn unknown(&mut self) -> Raw {
        self.term(RawTerm::Unknown)
    }

    /// Whether the text says nothing about `term`.
    pub(crate) fn is_unknown(&self, term: Raw) -> bool {
        matches!(self.terms.get(term.0 as usize), Some(RawTerm::Unknown) | None)
    }

    /// `name`, looked up from the current scope as of byte `at`.
    pub(crate) fn name(&mut self, name: &'t str, at: usize) -> Raw {
        self.name_among(Space::Any, name, at)
    }

    /// `name` among those of `space`, looked up from the current scope as of byte `at`.
    pub(crate) fn name_among(&mut self, space: Space, name: &'t str, at: usize) -> Raw {
        let (scope, branch) = (self.scope, self.branch);
        let name = self.name_id(name);
        self.term(RawTerm::Name { name, scope, branch, at: at as u32, space })
    }

    /// `name`, looked up from `scope`, whatever stands where in it.
    pub(crate) fn name_in(&mut self, name: &'t str, scope: ScopeId) -> Raw {
        let name = self.name_id(name);
        self.term(RawTerm::Name { name, scope, branch: 0, at: u32::MAX, space: Space::Any })
    }

    /// `name` as other files may bind it, whatever the scopes of this file say: met inside `within`.
    pub(crate) fn free(&mut self, name: &'t str, within: Option<DeclId>) -> Raw {
        let name = self.name_id(name);
        self.term(RawTerm::Free(name, within))
    }

    /// The module that `specifier` names.
    pub(crate) fn module(&mut self, specifier: &'t str) -> Raw {
        let name = self.name_id(specifier);
        self.term(RawTerm::Module(name))
    }

    /// A declaration of this file.
    pub(crate) fn decl(&mut self, decl: DeclId) -> Raw {
        self.term(RawTerm::Decl(decl))
    }

    /// A value of the type `decl` (`self`, `this`).
    pub(crate) fn this(&mut self, decl: DeclId) -> Raw {
        self.term(RawTerm::This(decl))
    }

    /// The bases of the type `decl` (`super`).
    pub(crate) fn super_of(&mut self, decl: DeclId) -> Raw {
        self.term(RawTerm::Super(decl))
    }

    /// What `of` holds under `name`. Members of what is unknown are kept: the name may be all there is.
    pub(crate) fn member(&mut self, of: Raw, name: &'t str) -> Raw {
        let name = self.name_id(name);
        self.term(RawTerm::Member(of, name))
    }

    /// What calling `of` yields.
    pub(crate) fn call(&mut self, of: Raw) -> Raw {
        if self.is_unknown(of) { of } else { self.term(RawTerm::Call(of)) }
    }

    /// A value of the type that `of` denotes.
    pub(crate) fn value(&mut self, of: Raw) -> Raw {
        if self.is_unknown(of) { of } else { self.term(RawTerm::Value(of)) }
    }

    /// The type `of` applied to `arguments`.
    pub(crate) fn applied(&mut self, of: Raw, arguments: Vec<Raw>) -> Raw {
        if arguments.is_empty() || self.is_unknown(of) { of } else { self.term(RawTerm::Applied(of, arguments)) }
    }

    /// A type without a name of its own, made of others: an array, a map, a function, a tuple.
    pub(crate) fn made_of(&mut self, parts: Vec<Raw>) -> Raw {
        let nameless = self.unknown();
        if parts.iter().all(|part| *part == nameless) { nameless } else { self.term(RawTerm::Applied(nameless, parts)) }
    }

    /// The type argument number `at` of the applied type `of`; counts from the end when negative.
    pub(crate) fn argument(&self, of: Raw, at: i8) -> Option<Raw> {
        let Some(RawTerm::Applied(_, arguments)) = self.terms.get(of.0 as usize) else { return None };
        let at = if at < 0 { arguments.len().checked_sub(usize::from(at.unsigned_abs()))? } else { at as usize };
        arguments.get(at).copied()
    }

    /// A value of the type argument number `at` of what `of` is a value of.
    pub(crate) fn inner(&mut self, of: Raw, at: i8) -> Raw {
        if self.is_unknown(of) { of } else { self.term(RawTerm::Inner(of, at)) }
    }

    /// Any of `terms`.
    pub(crate) fn either(&mut self, mut terms: Vec<Raw>) -> Raw {
        terms.sort_unstable();
        terms.dedup();
        match terms.as_slice() {
            [] => self.unknown(),
            [one] => *one,
            _ => self.term(RawTerm::Either(terms)),
        }
    }

    /// The first of `terms` that denotes anything.
    pub(crate) fn first(&mut self, mut terms: Vec<Raw>) -> Raw {
        let nothing = self.unknown();
        terms.retain(|term| *term != nothing);
        match terms.as_slice() {
            [] => nothing,
            [one] => *one,
            _ => self.term(RawTerm::First(terms)),
        }
    }

    /// The current scope.
    pub(crate) fn scope(&self) -> ScopeId {
        self.scope
    }

    /// The scope around `scope`; the file's own has none.
    pub(crate) fn parent(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes.get(scope.0 as usize).and_then(|s| s.parent)
    }

    /// Enters a scope inside the current one. `decl` is the module or type whose body it is, for these kinds.
    pub(crate) fn enter(&mut self, kind: ScopeKind, decl: Option<DeclId>) -> ScopeId {
        self.counts.scopes += 1;
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope::new(Some(self.scope), kind, decl));
        self.scope = id;
        id
    }

    /// Leaves the current scope.
    pub(crate) fn leave(&mut self) {
        self.scope = self.parent(self.scope).unwrap_or(ScopeId(0));
    }

    /// The current scope, a type's, has members that this text does not tell: they are inherited.
    pub(crate) fn inherits(&mut self) {
        if let Some(scope) = self.scopes.get_mut(self.scope.0 as usize) {
            scope.inherits = true;
        }
    }

    /// Goes on in `scope` instead of the current one, which is returned.
    pub(crate) fn switch(&mut self, scope: ScopeId) -> ScopeId {
        std::mem::replace(&mut self.scope, scope)
    }

    /// Begins a part of the current scope that may not run, or not before what follows; returns what to give
    /// [`Binder::end_branch`].
    pub(crate) fn branch(&mut self) -> u32 {
        let before = self.branch;
        self.branch = self.branches.len() as u32;
        self.branches.push(before);
        before
    }

    /// Ends the part that [`Binder::branch`] began.
    pub(crate) fn end_branch(&mut self, before: u32) {
        self.branch = before;
    }

    /// Begins what `decl` owns.
    pub(crate) fn own(&mut self, decl: DeclId) {
        self.owners.push(decl);
    }

    /// Ends what the last [`Binder::own`] began.
    pub(crate) fn disown(&mut self) {
        self.owners.pop();
    }

    /// The innermost declaration that is being walked.
    pub(crate) fn owner(&self) -> Option<DeclId> {
        self.owners.last().copied()
    }

    /// `name` means `what` in the current scope, from byte `at` on where order counts.
    pub(crate) fn define(&mut self, name: &'t str, what: Defined, at: usize) {
        self.define_in(self.scope, name, what, at);
    }

    /// `name` means `what` in `scope`.
    pub(crate) fn define_in(&mut self, scope: ScopeId, name: &'t str, what: Defined, at: usize) {
        self.counts.definitions += 1;
        let (name, branch) = (self.name_id(name), self.branch);
        if let Some(scope) = self.scopes.get_mut(scope.0 as usize) {
            scope.define(name, what, at as u32, branch);
        }
    }

    /// The name at `site` refers to what `term` denotes.
    pub(crate) fn refer(&mut self, term: Raw, role: Role, site: Node<'_>) {
        self.refer_at(term, role, range(site), None);
    }

    /// The name at `site` refers to what `term` denotes, called with so many `arguments`.
    pub(crate) fn refer_at(&mut self, term: Raw, role: Role, site: ByteRange, arguments: Option<u8>) {
        if self.is_unknown(term) || site.start == site.end {
            return;
        }
        let callable = |id: &&DeclId| {
            let declaration = self.facts.outline.get(**id);
            declaration.is_some_and(|d| d.facets.has(rift_base::Facet::Callable))
        };
        let owner = self.owners.iter().rev().find(callable).or(self.owners.last()).copied();
        self.references.push(RawReference { term, role, owner, site, arguments, unproven: self.unproven });
    }

    /// The last reference told was another one: a name that turns out to be called or assigned.
    pub(crate) fn last_reference_is(&mut self, role: Role, arguments: Option<u8>) {
        if let Some(last) = self.references.last_mut() {
            last.role = role;
            last.arguments = arguments;
        }
    }

    /// Others find `means` under `name` in the module `within`.
    pub(crate) fn export(&mut self, within: Option<DeclId>, name: &'t str, means: Raw, starred: bool) {
        self.counts.links += 1;
        let name = self.name_id(name);
        self.entries.push(RawEntry { within, name, means, starred });
    }

    /// The callable or type `decl` takes `value` as its parameter number `at`; those past [`PARAMETERS`] are not kept.
    pub(crate) fn takes(&mut self, decl: DeclId, at: usize, value: Raw) {
        if let Some(name) = PARAMETERS.get(at).filter(|_| !self.is_unknown(value)) {
            let name = self.name_id(name);
            self.entries.push(RawEntry { within: Some(decl), name, means: value, starred: false });
        }
    }

    /// What `of` takes as its parameter number `at`.
    pub(crate) fn parameter(&mut self, of: Raw, at: usize) -> Raw {
        match PARAMETERS.get(at) {
            Some(name) if !self.is_unknown(of) => self.member(of, name),
            _ => self.unknown(),
        }
    }

    /// Others find the declaration `decl` at the logical path `path` of the file's module: a member of a type that another
    /// file of the package declares.
    pub(crate) fn export_member(&mut self, path: String, decl: DeclId) {
        self.counts.links += 1;
        let (name, means) = (self.spelled_id(Cow::Owned(path)), self.decl(decl));
        self.entries.push(RawEntry { within: None, name, means, starred: false });
    }

    /// All names of `of` are names of the module `within`, and for others too when `exported`.
    pub(crate) fn wildcard(&mut self, within: Option<DeclId>, of: Raw, exported: bool) {
        self.counts.links += 1;
        self.wildcards.push((within, of, exported));
    }

    /// The type `decl` extends or implements what `base` denotes.
    pub(crate) fn base(&mut self, decl: DeclId, base: Raw) {
        if !self.is_unknown(base) {
            self.bases.entry(decl).or_default().push(base);
        }
    }

    /// A type of another file, `of`, whose last name is `name`, gets members like `member` and implements `base`.
    pub(crate) fn extends(&mut self, of: Raw, name: &'t str, member: Option<DeclId>, base: Option<Raw>) {
        if !self.is_unknown(of) {
            self.counts.links += 1;
            let name = self.name_id(name);
            self.extensions.push(RawExtension { of, name, member, base });
        }
    }

    /// The bases of `decl` that were told so far.
    pub(crate) fn bases_of(&self, decl: DeclId) -> &[Raw] {
        self.bases.get(&decl).map_or(&[], Vec::as_slice)
    }

    /// What `decl` holds, as far as it was told.
    pub(crate) fn held(&mut self, decl: DeclId) -> Raw {
        let values = self.values.get(&decl).cloned().unwrap_or_default();
        self.either(values)
    }

    /// What `decl` holds, returns or stands for; several when the text gives several.
    pub(crate) fn holds(&mut self, decl: DeclId, value: Raw) {
        if !self.is_unknown(value) {
            let values = self.values.entry(decl).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }

    /// The names that the file's own scope and the modules in it bind, exported as they are; `starred` tells which of them
    /// a wildcard import takes.
    pub(crate) fn export_all(&mut self, starred: impl Fn(&str) -> bool) {
        for at in 0..self.scopes.len() {
            let scope = &self.scopes[at];
            if scope.kind != ScopeKind::Module {
                continue;
            }
            let within = scope.decl;
            let found: Vec<(RawName, Defined)> = scope.definitions().collect();
            for (name, what) in found {
                let means = match what {
                    Defined::Decl(decl) => self.decl(decl),
                    Defined::Alias(term) | Defined::Value(term) => term,
                    Defined::Opaque | Defined::Parameter(_) | Defined::Enclosing | Defined::File => continue,
                };
                let starred = starred(&self.spelled[name.0 as usize]);
                self.entries.push(RawEntry { within, name, means, starred });
            }
        }
    }

    /// The declaration that `name` means in the current scope itself.
    pub(crate) fn defined_decl(&self, name: &str) -> Option<DeclId> {
        self.defined(name).find_map(|what| match what {
            Defined::Decl(decl) => Some(decl),
            _ => None,
        })
    }

    /// The innermost scope from the current one outwards that binds `name` so far, and the declaration that it is there.
    pub(crate) fn binding_of(&self, name: &str) -> Option<(ScopeId, Option<DeclId>)> {
        let name = self.names.get(name)?;
        let mut here = Some(self.scope);
        while let Some(id) = here {
            let scope = self.scopes.get(id.0 as usize)?;
            let mut found = scope.of(*name).peekable();
            if found.peek().is_some() {
                let decl = |what| if let Defined::Decl(decl) = what { Some(decl) } else { None };
                return Some((id, found.find_map(decl)));
            }
            here = scope.parent;
        }
        None
    }

    /// What the member `term` is a member of.
    pub(crate) fn receiver(&self, term: Raw) -> Option<Raw> {
        match self.terms.get(term.0 as usize) {
            Some(RawTerm::Member(of, _)) => Some(*of),
            _ => None,
        }
    }

    /// What is called, when `term` is what a call yields.
    pub(crate) fn callee(&self, term: Raw) -> Option<Raw> {
        match self.terms.get(term.0 as usize) {
            Some(RawTerm::Call(of)) => Some(*of),
            _ => None,
        }
    }

    /// Whether the current scope or one around it imports `name`, as far as it was told.
    pub(crate) fn imports(&self, name: &str) -> bool {
        let Some(name) = self.names.get(name) else { return false };
        let mut here = Some(self.scope);
        while let Some(scope) = here.and_then(|id| self.scopes.get(id.0 as usize)) {
            if scope.of(*name).any(|what| matches!(what, Defined::Alias(_))) {
                return true;
            }
            here = scope.parent;
        }
        false
    }

    /// Whether the current scope says that `name` is another scope's.
    pub(crate) fn is_redirected(&self, name: &str) -> bool {
        self.defined(name).any(|what| matches!(what, Defined::File | Defined::Enclosing))
    }

    fn defined(&self, name: &str) -> impl Iterator<Item = Defined> {
        let scope = self.scopes.get(self.scope.0 as usize);
        let known = self.names.get(name).copied();
        scope.zip(known).into_iter().flat_map(|(scope, name)| scope.of(name))
    }

    /// The facts.
    pub(crate) fn finish(mut self) -> BindingFacts {
        self.counts.references = self.references.len() as u32;
        if !self.counts.within(&UnitCounts::MOST) {
            let uses = super::facts::Uses { counts: self.counts, ..Default::default() };
            return BindingFacts { uses: uses.into(), ..BindingFacts::default() };
        }
        settle(self)
    }
}
