//! Evaluates terms: from what the text says to the declarations that it means. Explicit names come before wildcards,
//! members are looked for in a type before its bases, equal candidates all stay, and what cannot be placed gives nothing.

use std::sync::Arc;

use rift_base::Facet;
use rift_syntax::PARAMETERS;
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::inputs::File;

use super::arguments::{Given, Term};
use super::extensions::{extended, extending};
use super::inclusion::ScopeNames;
use super::languages::{Layout, Lookup};
use super::modules::{ModuleRef, PackageName, file_layout, package_file, resolved_imports};
use super::names::{DeclKey, Declared, Meaning, NameIn, What, declared, named, wildcards};
use super::textual::Visible;
use super::tree::Tree;

/// What a term denotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Denoted {
    /// A module.
    Module(ModuleRef),
    /// A declaration itself: a type with arguments where they are written, a member with those of its type.
    Symbol(DeclKey, Arc<[Term]>),
    /// A value of a type.
    Instance(DeclKey, Arc<[Term]>),
    /// A type that is declared nowhere here, or a value of it: what its arguments say is all that is known.
    Opaque(Arc<[Term]>),
    /// A namespace that continues in other files, as this file sees it.
    Space(File, rift_base::NamePath),
}

impl Denoted {
    /// A declaration without type arguments.
    pub(super) fn symbol(decl: DeclKey) -> Self {
        Denoted::Symbol(decl, Arc::default())
    }
}

/// What evaluation may cost. See `[providers.binding]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Steps for one reference (`max_reference_work`).
    pub(super) work: u32,
    /// Terms that lead from one to the next (`max_path_depth`).
    pub(super) depth: usize,
    /// Meanings of one term that are followed (`max_reference_targets`).
    pub(super) targets: usize,
}

/// Evaluates the terms of one file, and of the files that they lead to.
pub(super) struct Evaluator<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) limits: Limits,
    /// Steps left for the reference at hand.
    pub(super) left: u32,
    /// Terms being evaluated, by where they lie: what comes back to one of them says nothing more.
    open: Vec<(File, usize, usize)>,
    /// What the type parameters in the term at hand stand for.
    pub(super) given: Option<Arc<Given>>,
    /// Steps that are open around the one at hand, those that evaluate no term included.
    depth: usize,
    /// How often a cycle or a bound cut evaluation short.
    cuts: u32,
    /// What terms denote, by where they lie; the term is kept so that it stays there.
    known: FxHashMap<(File, usize), (Arc<Tree>, Vec<Denoted>)>,
    ancestors: FxHashMap<DeclKey, Arc<[DeclKey]>>,
    /// What other files give to types.
    extensions: FxHashMap<DeclKey, Arc<[TypeExtension]>>,
    /// Whether a file includes others as text.
    pub(super) textual: FxHashMap<File, bool>,
    /// What files bind, by file, and by the file that includes them.
    pub(super) names: FxHashMap<File, Arc<ScopeNames>>,
    pub(super) visible: FxHashMap<File, Visible>,
    /// Files that may bind a name, by the file that includes them and the hash of the name.
    pub(super) binders: FxHashMap<(File, u32), Arc<[File]>>,
    /// The file whose references are evaluated.
    pub(super) home: Option<File>,
}

/// What one file gives to a type of another one.
#[derive(Debug, Clone)]
struct TypeExtension {
    /// The members: the file and the path that they stand in.
    members: Option<DeclKey>,
    /// What the type implements by it.
    bases: Vec<DeclKey>,
}

impl<'db> Evaluator<'db> {
    pub(super) fn new(db: &'db dyn Db, limits: Limits) -> Self {
        Self {
            db,
            limits,
            left: limits.work,
            open: Vec::new(),
            given: None,
            depth: 0,
            cuts: 0,
            known: FxHashMap::default(),
            ancestors: FxHashMap::default(),
            textual: FxHashMap::default(),
            names: FxHashMap::default(),
            visible: FxHashMap::default(),
            binders: FxHashMap::default(),
            extensions: FxHashMap::default(),
            home: None,
        }
    }

    /// The declarations that `tree`, read in `file`, refers to. Absent when that takes more work than is allowed.
    pub(super) fn refer(&mut self, file: File, tree: &Arc<Tree>) -> Option<Vec<DeclKey>> {
        self.left = self.limits.work;
        self.home = Some(file);
        let denoted = self.evaluate(file, tree);
        let mut out: Vec<DeclKey> = denoted
            .into_iter()
            .filter_map(|denoted| match denoted {
                Denoted::Symbol(decl, _) => Some(decl),
                Denoted::Space(file, path) => self.part_of(file, &path),
                _ => None,
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        (self.left > 0).then_some(out)
    }

    pub(super) fn evaluate(&mut self, file: File, tree: &Arc<Tree>) -> Vec<Denoted> {
        let key = (file, Arc::as_ptr(tree).addr());
        if self.given.is_none()
            && let Some((_, known)) = self.known.get(&key)
        {
            return known.clone();
        }
        let here = (key.0, key.1, self.given.as_ref().map_or(0, |given| Arc::as_ptr(given).addr()));
        if self.open.contains(&here) {
            self.cuts += 1;
            return Vec::new();
        }
        let cuts = self.cuts;
        self.open.push(here);
        let mut found = self.deeper(|this| this.step(file, tree));
        self.open.pop();
        dedup(&mut found);
        found.truncate(self.limits.targets);
        // What a cycle or a bound cut short inside another term is not its meaning elsewhere.
        if self.given.is_none() && (self.open.is_empty() || !found.is_empty() || self.cuts == cuts) {
            self.known.insert(key, (tree.clone(), found.clone()));
        }
        found
    }

    /// The file whose term is being evaluated.
    fn asker(&self) -> Option<File> {
        self.open.last().map(|(file, ..)| *file)
    }

    fn step(&mut self, file: File, tree: &Arc<Tree>) -> Vec<Denoted> {
        let db = self.db;
        match &**tree {
            Tree::Unknown => Vec::new(),
            Tree::Module(specifier) => {
                let found = resolved_imports(db, file);
                found.get(specifier).into_iter().flatten().map(|module| Denoted::Module(*module)).collect()
            }
            Tree::Decl(path) if self.is_textual(file) => self.text_decl(file, path),
            Tree::Decl(path) => vec![Denoted::symbol(DeclKey::new(db, file, path.clone()))],
            Tree::Free(name, within) if self.is_textual(file) => self.text_free(file, name, within),
            Tree::Free(name, within) => self.free(file, name, within),
            Tree::This(path) => {
                let this = DeclKey::new(db, file, path.clone());
                let given = self.given.as_ref().filter(|given| given.of == this);
                vec![Denoted::Instance(this, given.map(|given| given.arguments.clone()).unwrap_or_default())]
            }
            Tree::Super(path) => {
                let of = DeclKey::new(db, file, path.clone());
                self.bases(of).into_iter().map(|base| Denoted::Instance(base, Arc::default())).collect()
            }
            Tree::Member(of, name) => match &**of {
                Tree::Super(path) => {
                    let ancestors = self.ancestors(DeclKey::new(db, file, path.clone()));
                    self.first_member(ancestors.get(1..).unwrap_or(&[]), name)
                }
                _ => {
                    let receivers = self.evaluate(file, of);
                    self.member_of_any(receivers, name)
                }
            },
            Tree::Call(of) => {
                if let Tree::Member(receiver, name) = &**of
                    && let Some(of) = file_layout(db, file).and_then(|layout| (layout.library)(name))
                {
                    let found = self.library(file, receiver, of);
                    if !found.is_empty() {
                        return found;
                    }
                }
                let callees = self.evaluate(file, of);
                let yielded = |this: &mut Self, callee: Denoted| match &**of {
                    Tree::Member(receiver, _) if this.yields_itself(&callee) => this.evaluate(file, receiver),
                    _ => this.called(callee),
                };
                callees.into_iter().flat_map(|callee| yielded(self, callee)).collect()
            }
            Tree::Value(of) => {
                let types = self.evaluate(file, of);
                types.into_iter().flat_map(|of| self.value_of(of)).collect()
            }
            Tree::Applied(of, arguments) => {
                let term = |tree: &Arc<Tree>| Term { file, tree: tree.clone(), given: self.given.clone() };
                let arguments: Arc<[Term]> = arguments.iter().map(term).collect();
                let types = self.evaluate(file, of);
                if types.is_empty() {
                    return vec![Denoted::Opaque(arguments)];
                }
                let apply = |denoted| match denoted {
                    Denoted::Symbol(decl, _) => Denoted::Symbol(decl, arguments.clone()),
                    other => other,
                };
                types.into_iter().map(apply).collect()
            }
            Tree::Inner(of, at) => self.inner(file, of, *at),
            Tree::First(terms) => {
                let mut found = Vec::new();
                for term in terms.iter() {
                    found = self.evaluate(file, term);
                    if !found.is_empty() {
                        break;
                    }
                }
                found
            }
            Tree::Either(any) => any.iter().flat_map(|one| self.evaluate(file, one)).collect(),
        }
    }

    /// Runs `go` one step deeper, unless that is deeper than is allowed.
    pub(super) fn deeper(&mut self, go: impl FnOnce(&mut Self) -> Vec<Denoted>) -> Vec<Denoted> {
        if self.left == 0 || self.depth >= self.limits.depth {
            self.cuts += 1;
            return Vec::new();
        }
        self.left -= 1;
        self.depth += 1;
        let found = go(self);
        self.depth -= 1;
        found
    }

    /// A name that no scope of `file` binds.
    fn free(&mut self, file: File, name: &Arc<str>, within: &rift_base::NamePath) -> Vec<Denoted> {
        let db = self.db;
        let Some(layout) = file_layout(db, file) else { return Vec::new() };
        if layout.implicit_members {
            let mut path = within.clone();
            while !path.is_empty() {
                let ancestors = self.ancestors(DeclKey::new(db, file, path.clone()));
                for of in ancestors.iter() {
                    let mut found = self.first_member(std::slice::from_ref(of), name);
                    // The name of a type alone never means its constructor.
                    found.retain(|found| !self.is_constructor(found));
                    if !found.is_empty() {
                        return found;
                    }
                }
                path = rift_base::NamePath::parse(path.container()).unwrap_or_default();
            }
        }
        let lookup = Lookup::new(db, file);
        for package in (layout.package)(&lookup) {
            let found = self.package_member(file, package, name);
            if !found.is_empty() {
                return found;
            }
        }
        let scopes = [within, &rift_base::NamePath::default()];
        for scope in scopes.into_iter().filter(|_| layout.wildcards_bind) {
            let found = self.starred(DeclKey::new(db, file, scope.clone()), name, false, &mut Vec::new());
            if !found.is_empty() {
                return found;
            }
        }
        (layout.free)(&lookup, name).into_iter().map(Denoted::Module).collect()
    }

    /// What a package itself declares under `name`, as `asker` sees it: no wildcard and no module in it counts.
    fn package_member(&mut self, asker: File, package: ModuleRef, name: &Arc<str>) -> Vec<Denoted> {
        let files = self.files_with(asker, package, name, false);
        let scope = |file: &File| DeclKey::new(self.db, *file, rift_base::NamePath::default());
        let scopes: Vec<DeclKey> = files.iter().map(scope).collect();
        let named_in = |of: &DeclKey| (of.file(self.db), named(self.db, NameIn::new(self.db, *of, name.clone())));
        let found: Vec<_> = scopes.iter().map(named_in).collect();
        found
            .iter()
            .flat_map(|(file, found)| found.iter().map(|one| self.meaning(*file, one)).collect::<Vec<_>>())
            .flatten()
            .collect()
    }

    /// The files of `module` that have `name`, as `asker` sees them: from outside when it imports the module.
    fn files_with(&self, asker: File, module: ModuleRef, name: &Arc<str>, imported: bool) -> Vec<File> {
        let db = self.db;
        match module {
            ModuleRef::File(file) => vec![file],
            ModuleRef::Package(directory) => {
                let found = package_file(db, PackageName::new(db, directory, name.clone()));
                let lookup = Lookup::new(db, asker);
                let seen = |file: &&File| {
                    file_layout(db, **file).is_some_and(|layout| (layout.part_of_package)(&lookup, **file, imported))
                };
                found.iter().filter(seen).copied().collect()
            }
        }
    }

    fn is_constructor(&self, denoted: &Denoted) -> bool {
        let Denoted::Symbol(decl, _) = denoted else { return false };
        declared(self.db, *decl).is_some_and(|what| what.facets.has(Facet::Constructor) && !what.is_type())
    }

    /// What the wildcard imports of `scope` bring under `name`; only those that others see when `exported`.
    fn starred(&mut self, scope: DeclKey, name: &Arc<str>, exported: bool, seen: &mut Vec<DeclKey>) -> Vec<Denoted> {
        if seen.contains(&scope) || seen.len() >= self.limits.depth {
            return Vec::new();
        }
        seen.push(scope);
        let file = scope.file(self.db);
        let mut out = Vec::new();
        for star in wildcards(self.db, scope).iter().filter(|star| star.exported || !exported) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            for of in self.with(None, |this| this.evaluate(file, &star.of)) {
                out.extend(match of {
                    Denoted::Module(module) => self.module_member(module, name, true, seen),
                    Denoted::Symbol(decl, _) => self.starred_symbol(decl, name, seen),
                    _ => Vec::new(),
                });
            }
        }
        out
    }

    /// What `receivers` hold under `name`. Modules come by precedence: the first that declares the name.
    fn member_of_any(&mut self, receivers: Vec<Denoted>, name: &Arc<str>) -> Vec<Denoted> {
        let mut out = Vec::new();
        let mut declared = false;
        for receiver in receivers {
            let is_module = matches!(receiver, Denoted::Module(_));
            if is_module && declared {
                continue;
            }
            let found = self.member(receiver, name);
            if is_module && found.iter().any(|found| !matches!(found, Denoted::Module(_))) {
                declared = true;
                out.retain(|found| !matches!(found, Denoted::Module(_)));
            }
            out.extend(found);
        }
        out
    }

    /// What a wildcard import of `decl`, a type or a module, takes under `name`: also when the module has a file of its own.
    fn starred_symbol(&mut self, decl: DeclKey, name: &Arc<str>, seen: &mut Vec<DeclKey>) -> Vec<Denoted> {
        let found = self.scope_member(decl, name, true, seen);
        let Some(what) = declared(self.db, decl).filter(|what| found.is_empty() && !what.is_type()) else {
            return found;
        };
        let mut out = Vec::new();
        for held in self.held(decl, &what, &Arc::default()) {
            out.extend(match held {
                Denoted::Module(module) => self.module_member(module, name, true, seen),
                Denoted::Symbol(inner, _) if inner != decl => self.scope_member(inner, name, true, seen),
                _ => Vec::new(),
            });
        }
        out
    }

    /// What `receiver` holds under `name`.
    pub(super) fn member(&mut self, receiver: Denoted, name: &Arc<str>) -> Vec<Denoted> {
        self.deeper(|this| this.member_here(receiver, name))
    }

    fn member_here(&mut self, receiver: Denoted, name: &Arc<str>) -> Vec<Denoted> {
        match receiver {
            Denoted::Module(module) => self.module_member(module, name, false, &mut Vec::new()),
            Denoted::Opaque(_) => Vec::new(),
            Denoted::Space(file, path) => self.space_member(file, &path, name),
            Denoted::Instance(of, arguments) => {
                let ancestors = self.ancestors(of);
                let found = self.first_member(&ancestors, name);
                found.into_iter().map(|member| self.member_given(member, of, &arguments)).collect()
            }
            Denoted::Symbol(decl, arguments) => self.symbol_member(decl, name, &arguments),
        }
    }

    /// What a declaration holds under `name`: a type its members and inherited ones, a module its names, also those in a file
    /// of its own; anything else what its value holds.
    fn symbol_member(&mut self, decl: DeclKey, name: &Arc<str>, arguments: &Arc<[Term]>) -> Vec<Denoted> {
        let Some(what) = declared(self.db, decl) else { return Vec::new() };
        if what.is_type() {
            let ancestors = self.ancestors(decl);
            return self.first_member(&ancestors, name);
        }
        // A variant that extends its type is seen as a value of that.
        let is_scope = what.facets.has(Facet::Variant) && what.bases.is_empty();
        if what.facets.has(Facet::Namespace) || is_scope {
            let found = self.scope_member(decl, name, false, &mut Vec::new());
            if !found.is_empty() {
                return found;
            }
        }
        // A function has none of the members of what it yields, unless a field has its name. What a value is declared as comes
        // before what it is.
        let only_callable = what.facets.has(Facet::Callable) && what.value.is_none();
        let is_function = only_callable && !what.facets.has(Facet::Property);
        let held = if is_function { Vec::new() } else { self.held(decl, &what, arguments) };
        let found: Vec<_> = held.into_iter().flat_map(|value| self.member(value, name)).collect();
        if found.is_empty() { self.own_member(decl, &what, name) } else { found }
    }

    /// What a value that is declared with members of its own, an object literal or a function that was given some, holds under
    /// `name`. What else is declared inside a function is none of its members.
    fn own_member(&mut self, decl: DeclKey, what: &Declared, name: &Arc<str>) -> Vec<Denoted> {
        if !what.facets.has(Facet::MemberContainer) && !PARAMETERS.contains(&&**name) {
            return Vec::new();
        }
        let is_member = |db: &dyn Db, denoted: &Denoted| match denoted {
            Denoted::Symbol(member, _) => declared(db, *member).is_some_and(|what| what.facets.has(Facet::Member)),
            _ => true,
        };
        let mut found = self.first_member(&[decl], name);
        found.retain(|denoted| is_member(self.db, denoted));
        found
    }

    /// What a module holds under `name`: its own names, then those that its wildcards bring, then the modules in it. Only what a
    /// wildcard import takes when `by_star`.
    fn module_member(
        &mut self,
        module: ModuleRef,
        name: &Arc<str>,
        by_star: bool,
        seen: &mut Vec<DeclKey>,
    ) -> Vec<Denoted> {
        self.deeper(|this| this.module_member_here(module, name, by_star, seen))
    }

    fn module_member_here(
        &mut self,
        module: ModuleRef,
        name: &Arc<str>,
        by_star: bool,
        seen: &mut Vec<DeclKey>,
    ) -> Vec<Denoted> {
        let db = self.db;
        let Some(asker) = self.asker() else { return Vec::new() };
        let files = self.files_with(asker, module, name, true);
        let mut out = Vec::new();
        for file in &files {
            let scope = DeclKey::new(db, *file, rift_base::NamePath::default());
            out.extend(self.scope_member(scope, name, by_star, seen));
        }
        if out.is_empty() && !by_star {
            let layout = match module {
                ModuleRef::File(file) => file_layout(db, file).map(|layout| (layout, file)),
                ModuleRef::Package(directory) => {
                    layout_of_package(db, directory).or_else(|| file_layout(db, asker).map(|layout| (layout, asker)))
                }
            };
            if let Some((layout, file)) = layout {
                let found = (layout.submodule)(&Lookup::new(db, file), module, name);
                out.extend(found.into_iter().map(Denoted::Module));
            }
        }
        out
    }

    /// What the module scope `scope` holds under `name`.
    fn scope_member(
        &mut self,
        scope: DeclKey,
        name: &Arc<str>,
        by_star: bool,
        seen: &mut Vec<DeclKey>,
    ) -> Vec<Denoted> {
        let db = self.db;
        let file = scope.file(db);
        let found = named(db, NameIn::new(db, scope, name.clone()));
        let mut out = Vec::new();
        for meaning in found.iter().filter(|meaning| meaning.starred || !by_star) {
            out.extend(self.meaning(file, meaning));
        }
        let not_starred = || file_layout(db, file).and_then(|layout| layout.not_starred);
        if out.is_empty() && not_starred() != Some(&**name) {
            out = self.starred(scope, name, true, seen);
        }
        out
    }

    /// What the first of `types` that declares `name` holds under it, else what other files give the first of them.
    pub(super) fn first_member(&mut self, types: &[DeclKey], name: &Arc<str>) -> Vec<Denoted> {
        let found = self.declared_member(types, name);
        match types.first() {
            Some(of) if found.is_empty() => self.extension_member(*of, name),
            _ => found,
        }
    }

    /// What extensions of the type `of` hold under `name`: their own members, then those of what it implements by them.
    fn extension_member(&mut self, of: DeclKey, name: &Arc<str>) -> Vec<Denoted> {
        let extensions = self.extensions(of);
        let members = extensions.iter().filter_map(|extension| extension.members);
        let mut out = Vec::new();
        for within in members {
            out.extend(self.declared_member(&[within], name));
        }
        for base in extensions.iter().flat_map(|extension| &extension.bases) {
            if !out.is_empty() {
                break;
            }
            let ancestors = self.ancestors(*base);
            out = self.declared_member(&ancestors, name);
        }
        out
    }

    /// What files of its package, and of the package that asks, give to the type `of`.
    fn extensions(&mut self, of: DeclKey) -> Arc<[TypeExtension]> {
        if let Some(known) = self.extensions.get(&of) {
            return known.clone();
        }
        let db = self.db;
        // While they are looked for, there are none.
        self.extensions.insert(of, Arc::default());
        let name: Arc<str> = (&*of.path(db).name()).into();
        let mut directories = Vec::new();
        for file in [Some(of.file(db)), self.home].into_iter().flatten() {
            let layout = file_layout(db, file);
            let directory = layout.and_then(|layout| (layout.extended_in)(&Lookup::new(db, file)));
            directories.extend(directory.filter(|directory| !directories.contains(directory)));
        }
        let mut out = Vec::new();
        for directory in directories {
            for file in extending(db, PackageName::new(db, directory, name.clone())).iter() {
                let scope = DeclKey::new(db, *file, rift_base::NamePath::default());
                for extension in extended(db, NameIn::new(db, scope, name.clone())).iter() {
                    let types = self.evaluate(*file, &extension.of);
                    let types: Vec<DeclKey> = types.into_iter().flat_map(|found| self.type_of(found)).collect();
                    if !types.contains(&of) {
                        continue;
                    }
                    let base = extension.base.as_ref().map(|base| self.evaluate(*file, base)).unwrap_or_default();
                    let bases = base.into_iter().flat_map(|base| self.type_of(base)).collect();
                    let members = extension.within.as_ref().map(|path| DeclKey::new(db, *file, path.clone()));
                    out.push(TypeExtension { members, bases });
                }
            }
        }
        let out: Arc<[TypeExtension]> = out.into();
        self.extensions.insert(of, out.clone());
        out
    }

    /// What the first of `types` that declares `name` holds under it.
    fn declared_member(&mut self, types: &[DeclKey], name: &Arc<str>) -> Vec<Denoted> {
        let db = self.db;
        for of in types {
            if self.left == 0 {
                return Vec::new();
            }
            self.left -= 1;
            let found = named(db, NameIn::new(db, *of, name.clone()));
            let file = of.file(db);
            if found.is_empty() {
                let apart = self.member_apart(*of, name);
                if apart.is_empty() {
                    continue;
                }
                return apart;
            }
            return found.iter().flat_map(|meaning| self.meaning(file, meaning)).collect();
        }
        Vec::new()
    }

    /// The member `name` of the type `of` that another file of its package declares.
    fn member_apart(&mut self, of: DeclKey, name: &Arc<str>) -> Vec<Denoted> {
        let db = self.db;
        let file = of.file(db);
        if !file_layout(db, file).is_some_and(|layout| layout.members_apart) {
            return Vec::new();
        }
        let path: Arc<str> = of.path(db).child(name).as_str().into();
        self.package_member(file, ModuleRef::Package(file.directory(db)), &path)
    }

    fn meaning(&mut self, file: File, meaning: &Meaning) -> Vec<Denoted> {
        match &meaning.what {
            What::Decl(path) => vec![Denoted::symbol(DeclKey::new(self.db, file, path.clone()))],
            What::Term(term) => self.with(None, |this| this.evaluate(file, term)),
        }
    }

    /// What calling `callee` yields.
    fn called(&mut self, callee: Denoted) -> Vec<Denoted> {
        self.deeper(|this| this.called_here(callee))
    }

    fn called_here(&mut self, callee: Denoted) -> Vec<Denoted> {
        let (decl, arguments) = match callee {
            Denoted::Symbol(decl, arguments) => (decl, arguments),
            // A value of a function's type, which is made of what it yields.
            Denoted::Instance(..) | Denoted::Opaque(_) => return self.argument(callee, -1),
            Denoted::Module(_) | Denoted::Space(..) => return Vec::new(),
        };
        let Some(what) = declared(self.db, decl) else { return Vec::new() };
        if what.is_type() {
            return vec![Denoted::Instance(decl, arguments)];
        }
        if what.facets.has(Facet::Alias) {
            let types = self.held(decl, &what, &Arc::default());
            return types.into_iter().flat_map(|of| self.called(of)).collect();
        }
        if what.facets.has(Facet::Variant) {
            return self.owner_value(decl);
        }
        if let Some(yields) = &what.yields {
            return self.stated(decl, yields, &arguments);
        }
        let held = self.held(decl, &what, &arguments);
        let accesses = what.facets.has(Facet::Property);
        let yielded = |this: &mut Self, value: Denoted| match value {
            // What an accessor of that name yields.
            Denoted::Instance(..) | Denoted::Opaque(_) if accesses => vec![value],
            // A variable or field that holds a callable or a type itself.
            _ => this.called(value),
        };
        match what.facets.has(Facet::Callable) {
            true => held,
            false => held.into_iter().flat_map(|value| yielded(self, value)).collect(),
        }
    }

    /// Whether a method yields what it is called on (`return this`), whatever the type that declares it.
    fn yields_itself(&self, callee: &Denoted) -> bool {
        let Denoted::Symbol(decl, _) = callee else { return false };
        let what = declared(self.db, *decl);
        let container = decl.path(self.db).container();
        what.is_some_and(|what| {
            let is_own = |value: &Tree| matches!(value, Tree::This(of) if of.as_str() == container);
            what.facets.has(Facet::Callable) && what.yields.as_deref().is_some_and(is_own)
        })
    }

    /// A value of the type that `of` is.
    pub(super) fn value_of(&mut self, of: Denoted) -> Vec<Denoted> {
        self.deeper(|this| this.value_here(of))
    }

    fn value_here(&mut self, of: Denoted) -> Vec<Denoted> {
        match of {
            Denoted::Symbol(decl, arguments) => {
                let Some(what) = declared(self.db, decl) else { return Vec::new() };
                if what.is_type() {
                    return vec![Denoted::Instance(decl, arguments)];
                }
                if what.facets.has(Facet::Alias) {
                    let types = self.held(decl, &what, &Arc::default());
                    let values: Vec<_> = types.into_iter().flat_map(|of| self.stood_for(of)).collect();
                    return values.into_iter().map(|value| filled(value, &arguments)).collect();
                }
                Vec::new()
            }
            Denoted::Opaque(arguments) => vec![Denoted::Opaque(arguments)],
            // A promise that is a value already: what an alias of a value stands for.
            Denoted::Instance(..) => vec![of],
            Denoted::Module(_) | Denoted::Space(..) => Vec::new(),
        }
    }

    /// A value of what an alias stands for, which may be the type of a value (`typeof x`).
    fn stood_for(&mut self, of: Denoted) -> Vec<Denoted> {
        if let Denoted::Symbol(decl, _) = of
            && declared(self.db, decl).is_some_and(|what| !what.is_type() && !what.facets.has(Facet::Alias))
        {
            return vec![of];
        }
        self.value_of(of)
    }

    /// What `decl`, which is `what`, holds, yields or stands for.
    /// `arguments` are those of the type that it is a member of.
    pub(super) fn held(&mut self, decl: DeclKey, what: &Declared, arguments: &Arc<[Term]>) -> Vec<Denoted> {
        match what.value.as_ref().or(what.yields.as_ref()) {
            Some(value) => self.stated(decl, value, arguments),
            None if what.facets.has(Facet::Variant) => self.owner_value(decl),
            None => Vec::new(),
        }
    }

    /// What `value`, stated of `decl`, denotes when the type around that has these `arguments`.
    fn stated(&mut self, decl: DeclKey, value: &Arc<Tree>, arguments: &Arc<[Term]>) -> Vec<Denoted> {
        let of = self.owner(decl).filter(|_| !arguments.is_empty() && value.is_generic());
        let given = of.map(|of| Arc::new(Given { of, arguments: arguments.clone() }));
        self.with(given, |this| this.evaluate(decl.file(this.db), value))
    }

    /// A value of the type that `decl` is declared in.
    fn owner_value(&mut self, decl: DeclKey) -> Vec<Denoted> {
        match self.owner(decl).filter(|owner| declared(self.db, *owner).is_some_and(|owner| owner.is_type())) {
            Some(owner) => vec![Denoted::Instance(owner, Arc::default())],
            None => Vec::new(),
        }
    }

    /// The types that `of` extends or implements, as far as they are declared here.
    fn bases(&mut self, of: DeclKey) -> Vec<DeclKey> {
        let Some(what) = declared(self.db, of) else { return Vec::new() };
        let file = of.file(self.db);
        let mut out = Vec::new();
        for base in &what.bases {
            for denoted in self.with(None, |this| this.evaluate(file, base)) {
                out.extend(self.type_of(denoted));
            }
        }
        out
    }

    /// The type that `denoted` is, through aliases.
    fn type_of(&mut self, denoted: Denoted) -> Vec<DeclKey> {
        self.value_of(denoted)
            .into_iter()
            .filter_map(|value| match value {
                Denoted::Instance(decl, _) => Some(decl),
                _ => None,
            })
            .collect()
    }

    /// `of` and all types that it inherits from, in the order in which a member is looked for: depth first, and a type that
    /// several lead to after all of them, as the C3 linearization has it where it exists.
    pub(super) fn ancestors(&mut self, of: DeclKey) -> Arc<[DeclKey]> {
        if let Some(known) = self.ancestors.get(&of) {
            return known.clone();
        }
        let asked = of;
        let of = self.complete(of);
        let mut order: Vec<DeclKey> = Vec::new();
        let mut stack = vec![(of, 0usize)];
        while let Some((here, depth)) = stack.pop() {
            if depth > self.limits.depth || order.len() > self.limits.work as usize {
                continue;
            }
            let repeated = order.iter().filter(|other| **other == here).count();
            if repeated > 1 {
                continue;
            }
            order.push(here);
            let bases: Vec<DeclKey> = self.bases(here).into_iter().map(|base| self.complete(base)).collect();
            stack.extend(bases.into_iter().rev().filter(|base| *base != of).map(|base| (base, depth + 1)));
        }
        // The last place of a type counts.
        let mut seen = Vec::new();
        order.reverse();
        order.retain(|here| {
            let new = !seen.contains(here);
            if new {
                seen.push(*here);
            }
            new
        });
        order.reverse();
        let order: Arc<[DeclKey]> = order.into();
        if self.open.len() <= 1 {
            self.ancestors.insert(asked, order.clone());
        }
        order
    }
}

/// `value` of what an alias stands for, with `given` in place of the type arguments that the alias leaves open: its own
/// parameters, when there are as many.
fn filled(value: Denoted, given: &[Term]) -> Denoted {
    let (Denoted::Instance(_, arguments) | Denoted::Opaque(arguments)) = &value else { return value };
    let open = |term: &&Term| matches!(*term.tree, Tree::Unknown);
    if given.is_empty() || arguments.iter().filter(open).count() != given.len() {
        return value;
    }
    let mut given = given.iter();
    let fill = |term: &Term| if open(&term) { given.next().unwrap_or(term).clone() } else { term.clone() };
    let arguments: Arc<[Term]> = arguments.iter().map(fill).collect();
    match value {
        Denoted::Instance(of, _) => Denoted::Instance(of, arguments),
        _ => Denoted::Opaque(arguments),
    }
}

/// The layout of a package by its first file in a bound language, and that file.
fn layout_of_package(db: &dyn Db, directory: crate::inputs::Directory) -> Option<(&'static Layout, File)> {
    let files = directory.files(db);
    files.iter().find_map(|file| Some((file_layout(db, *file)?, *file)))
}

/// Drops repeated meanings, whose first places stay.
fn dedup(found: &mut Vec<Denoted>) {
    let mut at = 0;
    while at < found.len() {
        if found[..at].contains(&found[at]) {
            found.remove(at);
        } else {
            at += 1;
        }
    }
}
