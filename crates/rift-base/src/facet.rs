//! Facets: what a declaration is, in words that all languages share.

use std::fmt;

macro_rules! facets {
    ($($(#[$doc:meta])* $name:ident = $wire:literal,)*) => {
        /// One facet of a symbol.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Facet { $($(#[$doc])* $name,)* }

        impl Facet {
            /// Every facet, in wire order.
            pub const ALL: &'static [Facet] = &[$(Facet::$name,)*];

            /// The wire word.
            pub fn wire(self) -> &'static str {
                match self { $(Facet::$name => $wire,)* }
            }
        }
    };
}

facets! {
    /// Holds names for others.
    Namespace = "namespace",
    /// A module.
    Module = "module",
    /// Names a type.
    Type = "type",
    /// Names a value.
    Value = "value",
    /// Can be called.
    Callable = "callable",
    /// Belongs to a type or object.
    Member = "member",
    /// Has members.
    MemberContainer = "member_container",
    /// A parameter.
    Parameter = "parameter",
    /// A type parameter.
    TypeParameter = "type_parameter",
    /// Can be constructed.
    Constructible = "constructible",
    /// Can be extended.
    Extensible = "extensible",
    /// Can be implemented.
    Implementable = "implementable",
    /// A macro.
    Macro = "macro",
    /// A test.
    Test = "test",
    /// An annotation or decorator type.
    Annotation = "annotation",
    /// Extends a type from outside.
    Extension = "extension",
    /// A variant of an enumeration.
    Variant = "variant",
    /// An enumeration.
    Enumeration = "enumeration",
    /// Another name for something.
    Alias = "alias",
    /// A property.
    Property = "property",
    /// Has no body of its own, or cannot be constructed.
    Abstract = "abstract",
    /// Constructs its container.
    Constructor = "constructor",
    /// Belongs to the container, not to its instances; or has static storage.
    Static = "static",
    /// Can be assigned after its declaration.
    Mutable = "mutable",
    /// Visible from everywhere, by the language's own rule.
    Public = "public",
    /// Marked as deprecated.
    Deprecated = "deprecated",
    /// Execution starts here.
    Entrypoint = "entrypoint",
    /// An operator.
    Operator = "operator",
    /// Asynchronous.
    Async = "async",
    /// A generator.
    Generator = "generator",
}

/// A set of [`Facet`]s.
#[derive(serde::Serialize, serde::Deserialize, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Facets(u32);

impl Facets {
    /// No facet.
    pub const NONE: Facets = Facets(0);

    /// The set of `facets`.
    pub const fn of(facets: &[Facet]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < facets.len() {
            bits |= 1 << facets[i] as u32;
            i += 1;
        }
        Self(bits)
    }

    /// This set with `facet`.
    pub const fn with(self, facet: Facet) -> Self {
        Self(self.0 | 1 << facet as u32)
    }

    /// This set with `facet` when `condition` holds.
    pub const fn with_if(self, facet: Facet, condition: bool) -> Self {
        if condition { self.with(facet) } else { self }
    }

    /// This set without `facet`.
    pub const fn without(self, facet: Facet) -> Self {
        Self(self.0 & !(1 << facet as u32))
    }

    /// Both sets together.
    pub const fn union(self, other: Facets) -> Self {
        Self(self.0 | other.0)
    }

    /// Adds `facet`.
    pub fn insert(&mut self, facet: Facet) {
        *self = self.with(facet);
    }

    /// Whether `facet` is in the set.
    pub const fn has(self, facet: Facet) -> bool {
        self.0 & (1 << facet as u32) != 0
    }

    /// The members, in wire order.
    pub fn iter(self) -> impl Iterator<Item = Facet> {
        Facet::ALL.iter().copied().filter(move |f| self.has(*f))
    }

    /// The bits, for storage.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for Facets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Facet::wire)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let set = Facets::of(&[Facet::Test, Facet::Callable]).with(Facet::Generator);
        assert_eq!(set.iter().map(Facet::wire).collect::<Vec<_>>(), ["callable", "test", "generator"]);
        assert!(!set.without(Facet::Test).has(Facet::Test) && set.without(Facet::Test).has(Facet::Callable));
        assert!(Facet::ALL.len() <= 32);
    }
}
