//! Terms that stand for themselves: without the tables of their file, so that they compare across its revisions.

use std::sync::Arc;

use rift_base::NamePath;
use rift_syntax::{DeclId, Outline, Term, TermId, Terms};

/// A term by value. Declarations are named by their logical path in the file, so that a declaration added above changes
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// See [`Term::Unknown`].
    Unknown,
    /// See [`Term::Module`].
    Module(Arc<str>),
    /// See [`Term::Decl`].
    Decl(NamePath),
    /// See [`Term::Free`]; an empty path is the file's own level.
    Free(Arc<str>, NamePath),
    /// See [`Term::This`].
    This(NamePath),
    /// See [`Term::Super`].
    Super(NamePath),
    /// See [`Term::Member`].
    Member(Arc<Tree>, Arc<str>),
    /// See [`Term::Call`].
    Call(Arc<Tree>),
    /// See [`Term::Value`].
    Value(Arc<Tree>),
    /// See [`Term::Applied`].
    Applied(Arc<Tree>, Arc<[Arc<Tree>]>),
    /// See [`Term::Inner`].
    Inner(Arc<Tree>, i8),
    /// See [`Term::Either`].
    Either(Arc<[Arc<Tree>]>),
    /// See [`Term::First`].
    First(Arc<[Arc<Tree>]>),
}

impl Tree {
    /// Whether it depends on the type arguments of the type around it.
    pub(super) fn is_generic(&self) -> bool {
        match self {
            Tree::Inner(of, _) if matches!(**of, Tree::This(_)) => true,
            Tree::Member(of, _) | Tree::Call(of) | Tree::Value(of) | Tree::Inner(of, _) => of.is_generic(),
            Tree::Applied(of, parts) => of.is_generic() || parts.iter().any(|part| part.is_generic()),
            Tree::Either(parts) | Tree::First(parts) => parts.iter().any(|part| part.is_generic()),
            Tree::This(_) => true,
            _ => false,
        }
    }
}

/// Largest term, in nodes, that other files see of a declaration; what lies past it is unknown to them. Types as people
/// write them stay below 50.
const NODES_MAX: usize = 256;

/// The term `id` for readers of other files.
pub(super) fn tree(outline: &Outline, terms: &Terms, id: TermId) -> Arc<Tree> {
    let mut left = NODES_MAX;
    bounded(outline, terms, id, &mut left)
}

fn bounded(outline: &Outline, terms: &Terms, id: TermId, left: &mut usize) -> Arc<Tree> {
    if *left == 0 {
        return Arc::new(Tree::Unknown);
    }
    *left -= 1;
    Arc::new(shallow(outline, terms, id, &mut |inner| bounded(outline, terms, inner, left)))
}

/// Every term of a table, in its order: terms name only terms before them.
pub(super) fn forest(outline: &Outline, terms: &Terms) -> Vec<Arc<Tree>> {
    let mut out: Vec<Arc<Tree>> = Vec::with_capacity(terms.terms.len());
    let unknown = Arc::new(Tree::Unknown);
    for at in 0..terms.terms.len() {
        let made = shallow(outline, terms, TermId(at as u32), &mut |inner| {
            out.get(inner.0 as usize).unwrap_or(&unknown).clone()
        });
        out.push(Arc::new(made));
    }
    out
}

fn shallow(outline: &Outline, terms: &Terms, id: TermId, inner: &mut dyn FnMut(TermId) -> Arc<Tree>) -> Tree {
    let path = |decl: DeclId| outline.get(decl).map(|declaration| declaration.path.clone()).unwrap_or_default();
    let name = |name: rift_syntax::NameId| -> Arc<str> { terms.name(name).into() };
    match terms.get(id) {
        Term::Unknown => Tree::Unknown,
        Term::Module(specifier) => Tree::Module(name(*specifier)),
        Term::Decl(decl) => Tree::Decl(path(*decl)),
        Term::Free { name: free, within } => Tree::Free(name(*free), within.map(path).unwrap_or_default()),
        Term::This(decl) => Tree::This(path(*decl)),
        Term::Super(decl) => Tree::Super(path(*decl)),
        Term::Member { of, name: member } => Tree::Member(inner(*of), name(*member)),
        Term::Call(of) => Tree::Call(inner(*of)),
        Term::Value(of) => Tree::Value(inner(*of)),
        Term::Applied { of, arguments } => {
            let of = inner(*of);
            Tree::Applied(of, arguments.iter().map(|argument| inner(*argument)).collect())
        }
        Term::Inner { of, at } => Tree::Inner(inner(*of), *at),
        Term::First(terms) => Tree::First(terms.iter().map(|one| inner(*one)).collect()),
        Term::Either(any) => Tree::Either(any.iter().map(|one| inner(*one)).collect()),
    }
}
