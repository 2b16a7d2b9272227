//! How each language lays modules out in files: one file of rules a language, registered here.

use rift_base::{Facet, Facets, ProjectPath};
use rift_syntax::{Reference, Role};

use crate::db::Db;
use crate::inputs::{Directory, File};
use crate::place::{PackageContext, package};

use super::lookup::{PathKey, directory_at, file_at};
use super::modules::{ModuleRef, joined};

pub(super) mod c;
mod go;
pub(super) mod java;
mod javascript;
mod python;
mod rust;

/// The layout rules of one language. All of them look paths up through [`Lookup`], so that what they depend on is known.
pub(crate) struct Layout {
    /// The modules that a specifier names, by precedence; those of the first rule that finds any.
    pub(crate) resolve: fn(&Lookup<'_>, &str) -> Vec<ModuleRef>,
    /// The module called `name` inside a module of several files or directories, when no declaration there has that name.
    pub(crate) submodule: fn(&Lookup<'_>, ModuleRef, &str) -> Vec<ModuleRef>,
    /// The module that a free name may name (a crate).
    pub(crate) free: fn(&Lookup<'_>, &str) -> Vec<ModuleRef>,
    /// The package whose names every file of it sees.
    pub(crate) package: fn(&Lookup<'_>) -> Vec<ModuleRef>,
    /// Whether a free name inside a type can be an inherited member.
    pub(crate) implicit_members: bool,
    /// Whether files include others as text, so that their names and namespaces are one.
    pub(crate) textual: bool,
    /// Whether a file that lies in a package's directory is part of it, for the file that asks: as its own package, or as one
    /// that it imports (`true`).
    pub(crate) part_of_package: fn(&Lookup<'_>, File, bool) -> bool,
    /// Whether members of a type can stand in other files of its package.
    pub(crate) members_apart: bool,
    /// Whether a type that extends a container is one of what that is applied to.
    pub(crate) extends_containers: bool,
    /// What calling the method of this name yields on a value of a type that is declared nowhere here.
    pub(crate) library: fn(&str) -> Option<Yield>,
    /// The name under which a type holds what constructs it, where that is not the type's own: a call of the type calls it.
    pub(crate) constructor: Option<&'static str>,
    /// Whether a variable that holds a type is another name of that type.
    pub(crate) assigned_types: bool,
    /// Whether the names that a wildcard brings are names of the file's own scope, too.
    pub(crate) wildcards_bind: bool,
    /// A name that wildcards leave out.
    pub(crate) not_starred: Option<&'static str>,
    /// Whether files extend types that other files declare.
    pub(crate) has_extensions: bool,
    /// The directory with the files that may extend the types of a file, and those that a file may use.
    pub(crate) extended_in: fn(&Lookup<'_>) -> Option<Directory>,
    /// Whether a name used in a role can mean a declaration with these facets, in languages where one name can mean several
    /// things side by side.
    pub(crate) fits: fn(Role, Facets) -> bool,
    /// Whether a use rather means a symbol with these facets than another one of the same path.
    pub(crate) prefers: fn(&Reference, Facets) -> bool,
    /// Whether members of a type stand in place of those of one name that it inherits.
    pub(crate) overrides: bool,
    /// Whether callables of one name are told apart by what they take.
    pub(crate) overloads: bool,
}

/// What a method of a library's container yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yield {
    /// A value of the container's type argument of that number; counts from the end when negative.
    Argument(i8),
    /// Another container of the same type arguments.
    Same,
}

impl Layout {
    /// Rules of a language without any.
    pub(crate) const NONE: Self = Self {
        resolve: |_, _| Vec::new(),
        submodule: |_, _, _| Vec::new(),
        free: |_, _| Vec::new(),
        package: |_| Vec::new(),
        implicit_members: false,
        textual: false,
        part_of_package: |_, _, _| true,
        members_apart: false,
        extends_containers: false,
        library: |_| None,
        constructor: None,
        assigned_types: false,
        wildcards_bind: true,
        not_starred: None,
        has_extensions: false,
        extended_in: |_| None,
        fits: |_, _| true,
        prefers: |_, _| true,
        overrides: true,
        overloads: false,
    };
}

/// Where fields and callables have names of their own, which the form of a use tells apart: what is called is a callable, what
/// a method reference or a path names is no field, and anything else is no callable.
fn fields_apart(reference: &Reference, facets: Facets) -> bool {
    let callable = facets.has(Facet::Callable);
    match reference.role {
        Role::Call => callable || facets.has(Facet::Type) || facets.has(Facet::Constructible),
        Role::Read if reference.not_field => callable || !facets.has(Facet::Member),
        Role::Read | Role::Write => !callable,
        Role::Type | Role::Extends | Role::Implements => facets.has(Facet::Type),
        Role::Import | Role::Export | Role::Decorate | Role::Expand => true,
    }
}

/// The rules of the language called `name`, whatever its dialect.
pub(super) fn layout(name: &str) -> Option<&'static Layout> {
    match name {
        "c" | "cpp" => Some(&c::LAYOUT),
        "go" => Some(&go::LAYOUT),
        "java" => Some(&java::LAYOUT),
        "javascript" | "typescript" => Some(&javascript::LAYOUT),
        "python" => Some(&python::LAYOUT),
        "rust" => Some(&rust::LAYOUT),
        _ => None,
    }
}

/// The workspace as the layout rules see it, from one file.
pub(crate) struct Lookup<'db> {
    pub(crate) db: &'db dyn Db,
    /// The file whose names are looked up.
    pub(crate) file: File,
}

impl<'db> Lookup<'db> {
    pub(super) fn new(db: &'db dyn Db, file: File) -> Self {
        Self { db, file }
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> &'db ProjectPath {
        self.file.path(self.db)
    }

    /// The directory of the file.
    pub(crate) fn folder(&self) -> ProjectPath {
        self.path().parent().unwrap_or_else(ProjectPath::root)
    }

    /// The visible file at `relative` below `directory`.
    pub(crate) fn file_at(&self, directory: &ProjectPath, relative: &str) -> Option<File> {
        file_at(self.db, PathKey::new(self.db, joined(directory, relative)?))
    }

    /// The directory at `relative` below `directory`, when it holds something.
    pub(crate) fn directory_at(&self, directory: &ProjectPath, relative: &str) -> Option<Directory> {
        let found = directory_at(self.db, PathKey::new(self.db, joined(directory, relative)?))?;
        let holds = !found.files(self.db).is_empty() || !found.known(self.db).is_empty();
        holds.then_some(found)
    }

    /// The manifests that govern the file.
    pub(crate) fn packages(&self) -> std::sync::Arc<PackageContext> {
        package(self.db, self.file.directory(self.db))
    }
}
