//! Who a symbol or a source unit belongs to, and the scopes that select owners.

use std::fmt;
use std::sync::Arc;

use super::version::{is_pep440, is_semver};
use super::{component, push_component};
use crate::Violation;
use crate::limits::{MANAGER_MAX, PACKAGE_TEXT_MAX};
use crate::text::string_form;

/// The package managers whose packages have identities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PackageManager {
    /// Cargo.
    Cargo,
    /// npm.
    Npm,
    /// The Python Package Index.
    Pypi,
}

impl PackageManager {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            PackageManager::Cargo => "cargo",
            PackageManager::Npm => "npm",
            PackageManager::Pypi => "pypi",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        [Self::Cargo, Self::Npm, Self::Pypi].into_iter().find(|m| m.word() == word)
    }

    fn accepts(self, version: &str) -> bool {
        match self {
            PackageManager::Cargo | PackageManager::Npm => is_semver(version),
            PackageManager::Pypi => is_pep440(version),
        }
    }
}

/// The owner of a symbol or a released source unit. All texts are decoded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A project: the primary one, or one of its profiles or registered extra projects.
    Local {
        /// The registered extra project; absent for the primary one.
        registration: Option<String>,
        /// The profile; absent for the project as a whole.
        profile: Option<String>,
    },
    /// A language's standard library or runtime.
    Stdlib {
        /// `node`, `cpython`, `rust`, …
        runtime: String,
        /// The exact version, a semantic version.
        version: String,
    },
    /// A released package.
    Package {
        /// Its manager.
        manager: PackageManager,
        /// Its registry, such as `crates.io`.
        registry: String,
        /// Its name; an npm scope stands before it (`@types/node`).
        name: String,
        /// The exact version.
        version: String,
    },
}

impl Owner {
    /// The primary project.
    pub const PRIMARY: Owner = Owner::Local { registration: None, profile: None };

    /// Parses the owner that `text` starts with; the second value is what follows its `/`.
    pub(super) fn split(text: &str) -> Result<(Owner, &str), Violation> {
        let (first, rest) = text.split_once('/').ok_or(Violation::Structure)?;
        if first == "stdlib" {
            let (segment, rest) = rest.split_once('/').ok_or(Violation::Structure)?;
            return Ok((stdlib(segment)?, rest));
        }
        if let Some(manager) = PackageManager::from_word(first) {
            return package(manager, rest);
        }
        local(first).map(|owner| (owner, rest)).ok_or(Violation::Owner)
    }

    /// Checks every part, as parsing the printed form would.
    pub(super) fn check(&self) -> Result<(), Violation> {
        let text = format!("{self}/x");
        match Owner::split(&text) {
            Ok((parsed, "x")) if parsed == *self => Ok(()),
            Ok(_) => Err(Violation::Owner),
            Err(violation) => Err(violation),
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Local { registration, profile } => {
                f.write_str("local")?;
                registration.iter().try_for_each(|name| write!(f, "@{name}"))?;
                profile.iter().try_for_each(|name| write!(f, ":{name}"))
            }
            Owner::Stdlib { runtime, version } => write!(f, "stdlib/{runtime}@{version}"),
            Owner::Package { manager, registry, name, version } => {
                let mut out = format!("{}/", manager.word());
                push_component(&mut out, registry);
                out.push('/');
                for (i, part) in name.splitn(2, '/').enumerate() {
                    if i > 0 {
                        out.push('/');
                    }
                    push_component(&mut out, part);
                }
                out.push('@');
                push_component(&mut out, version);
                f.write_str(&out)
            }
        }
    }
}

fn stdlib(segment: &str) -> Result<Owner, Violation> {
    let (runtime, version) = segment.rsplit_once('@').ok_or(Violation::Owner)?;
    let word = runtime.starts_with(|c: char| c.is_ascii_lowercase())
        && runtime.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_.-".contains(&b));
    if !word || runtime.len() > MANAGER_MAX || version.len() > PACKAGE_TEXT_MAX || !is_semver(version) {
        return Err(Violation::Owner);
    }
    Ok(Owner::Stdlib { runtime: runtime.to_owned(), version: version.to_owned() })
}

fn package(manager: PackageManager, text: &str) -> Result<(Owner, &str), Violation> {
    let (registry, rest) = text.split_once('/').ok_or(Violation::Structure)?;
    let (mut segment, mut rest) = rest.split_once('/').ok_or(Violation::Structure)?;
    let mut name = String::new();
    if manager == PackageManager::Npm && segment.starts_with('@') {
        let scope = component(segment)?;
        if scope.len() < 2 || scope.contains('/') {
            return Err(Violation::Owner);
        }
        name = scope + "/";
        (segment, rest) = rest.split_once('/').ok_or(Violation::Structure)?;
    }
    let (base, version) = segment.rsplit_once('@').ok_or(Violation::Owner)?;
    let base = component(base)?;
    if base.contains('/') || base.starts_with('@') {
        return Err(Violation::Owner);
    }
    name.push_str(&base);
    let (registry, version) = (component(registry)?, component(version)?);
    let fits = [&registry, &name, &version].iter().all(|part| part.len() <= PACKAGE_TEXT_MAX);
    if !fits || !manager.accepts(&version) {
        return Err(Violation::Owner);
    }
    Ok((Owner::Package { manager, registry, name, version }, rest))
}

fn is_registration(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b))
        && !["local", "global", "all"].contains(&text)
}

/// `local`, `local:profile`, `local@name` or `local@name:profile`.
fn local(text: &str) -> Option<Owner> {
    let (project, profile) = text.split_once(':').map_or((text, None), |(p, profile)| (p, Some(profile)));
    let registration = match project.strip_prefix("local")? {
        "" => None,
        rest => Some(rest.strip_prefix('@')?),
    };
    let valid = [registration, profile].into_iter().flatten().all(is_registration);
    valid.then(|| Owner::Local { registration: registration.map(str::to_owned), profile: profile.map(str::to_owned) })
}

/// Where a search looks: `local` (the default), `local:<profile>`, `local@<name>`, `local@<name>:<profile>`,
/// `global` or `all`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(Arc<str>);

impl Scope {
    /// Takes one of the forms.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        if text == "global" || text == "all" || local(text).is_some() {
            Ok(Self(text.into()))
        } else {
            Err(Violation::UnknownValue)
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is `local`: the primary project alone.
    pub fn is_primary(&self) -> bool {
        &*self.0 == "local"
    }

    /// Whether only projects are searched, no package.
    pub fn is_local(&self) -> bool {
        !matches!(&*self.0, "global" | "all")
    }
}

impl Default for Scope {
    fn default() -> Self {
        Self("local".into())
    }
}

string_form!(Scope, min 3, max 8192, pattern
    "^(?:global|all|local(?:@[a-z][a-z0-9_-]*)?(?::[a-z][a-z0-9_-]*)?)$");
