//! Symbols and what they are made of.

use std::collections::BTreeMap;

use rift_base::{Facet, Language};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::common::is_false;
use crate::schema::{FacetSchema, LanguageSchema};
use crate::{NodeId, SymbolId, TextRange};

/// Facts of a provider's own, by a dotted key that the provider owns.
pub type Extensions = BTreeMap<String, Extension>;

/// One fact of a provider's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extension {
    /// The version of the fact's form, from 1.
    #[schemars(range(min = 1))]
    pub version: u64,
    /// The fact.
    pub data: Value,
}

/// A declared thing: function, type, constant, heading, key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Symbol {
    /// The canonical identity; absent when it is not settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<SymbolId>,
    /// The language.
    #[schemars(with = "LanguageSchema")]
    pub language: Language,
    /// The short name.
    #[schemars(length(max = 4096))]
    pub name: String,
    /// The kind, in the provider's word (`function`, `struct`, …).
    #[schemars(regex(pattern = "^[A-Za-z][A-Za-z0-9._-]*$"))]
    pub kind: String,
    /// What the symbol is, in words all languages share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<FacetSchema>")]
    pub facets: Vec<Facet>,
    /// Where the symbol comes from; absent for an authored declaration of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<SymbolOrigin>,
    /// The symbol that declares this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<SymbolId>,
    /// Modifiers as the language spells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    /// Visibility in the language's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<String>,
    /// Types bound to the symbol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<TypeBinding>,
    /// Signatures, one for each overload.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<Signature>,
    /// Attached documentation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documentation: Vec<Documentation>,
    /// Facts of the provider's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: Extensions,
    /// Whether nothing outside its file can name the symbol.
    #[serde(default, skip_serializing_if = "is_false")]
    pub document_local: bool,
}

impl Symbol {
    /// A symbol with every optional member absent.
    pub fn new(language: Language, name: impl Into<String>, kind: impl Into<String>) -> Self {
        Self {
            id: None,
            language,
            name: name.into(),
            kind: kind.into(),
            facets: Vec::new(),
            origin: None,
            container: None,
            modifiers: Vec::new(),
            visibility: None,
            types: Vec::new(),
            signatures: Vec::new(),
            documentation: Vec::new(),
            extensions: Extensions::new(),
            document_local: false,
        }
    }
}

/// Where a declaration comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolOrigin {
    /// Whose it is; absent exactly when `source_kind` is `synthetic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<OriginLocation>,
    /// The released package; excludes `runtime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageIdentity>,
    /// The runtime.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<RuntimeIdentity>,
    /// Who wrote the source.
    pub source_kind: SourceKind,
}

impl SymbolOrigin {
    /// An authored declaration of the project.
    pub const PROJECT: SymbolOrigin = SymbolOrigin {
        location: Some(OriginLocation::Project),
        package: None,
        runtime: None,
        source_kind: SourceKind::Authored,
    };
}

/// Whose a declaration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OriginLocation {
    /// The project's.
    Project,
    /// A dependency's.
    Dependency,
    /// A standard library's.
    Stdlib,
    /// Somebody else's.
    External,
}

impl OriginLocation {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            OriginLocation::Project => "project",
            OriginLocation::Dependency => "dependency",
            OriginLocation::Stdlib => "stdlib",
            OriginLocation::External => "external",
        }
    }
}

/// Who wrote a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A person.
    Authored,
    /// A tool.
    Generated,
    /// Nobody: the declaration has no source.
    Synthetic,
}

impl SourceKind {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            SourceKind::Authored => "authored",
            SourceKind::Generated => "generated",
            SourceKind::Synthetic => "synthetic",
        }
    }
}

/// A released package at an exact version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackageIdentity {
    /// The package manager.
    #[schemars(length(min = 1, max = 128))]
    pub manager: String,
    /// The registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registry: Option<String>,
    /// The package's name.
    #[schemars(length(min = 1, max = 4096))]
    pub name: String,
    /// The exact version.
    #[schemars(length(min = 1, max = 4096))]
    pub version: String,
}

/// A runtime at an exact version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuntimeIdentity {
    /// The runtime's name.
    pub runtime: String,
    /// The exact version.
    pub version: String,
}

/// One way to use a symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The declaration without body, documentation and attributes, on one line.
    pub display: String,
    /// Symbols that parts of `display` name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<SignatureLink>,
    /// The language of `display`.
    #[schemars(with = "LanguageSchema")]
    pub language: Language,
    /// The receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<Parameter>,
    /// The parameters, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// What comes back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<TypeBinding>,
    /// The type parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_parameters: Vec<SymbolId>,
    /// Declared errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub throws: Vec<TypeExpression>,
    /// Declared effects, in the language's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<String>,
    /// Facts of the provider's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: Extensions,
}

impl Signature {
    /// A signature with every optional member absent.
    pub fn new(language: Language, display: impl Into<String>) -> Self {
        Self {
            display: display.into(),
            links: Vec::new(),
            language,
            receiver: None,
            parameters: Vec::new(),
            returns: Vec::new(),
            type_parameters: Vec::new(),
            throws: Vec::new(),
            effects: Vec::new(),
            extensions: Extensions::new(),
        }
    }
}

/// A symbol that a part of a signature names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignatureLink {
    /// Bytes of the signature's `display`.
    pub range: TextRange,
    /// The symbol named.
    pub symbol: SymbolId,
}

/// A parameter or receiver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name; absent when the source gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The node that declares it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Its types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<TypeBinding>,
    /// Whether a caller may leave it out.
    pub optional: bool,
    /// Whether it takes any number of arguments.
    pub variadic: bool,
    /// The default value's source text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Facts of the provider's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: Extensions,
}

/// A type and what it is to the symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeBinding {
    /// What the type is to the symbol.
    pub role: TypeRole,
    /// How the type is known.
    pub origin: TypeOrigin,
    /// The type.
    #[serde(rename = "type")]
    pub expression: TypeExpression,
}

/// What a type is to a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum TypeRole {
    Receiver,
    Parameter,
    Return,
    Field,
    Bound,
    Element,
    Key,
    Error,
    Underlying,
    Yielded,
    Awaited,
    Discriminant,
}

/// How a type is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TypeOrigin {
    /// The source states it.
    Declared,
    /// Derived from the code.
    Inferred,
    /// Demanded by the context.
    Expected,
}

/// A type as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeExpression {
    /// The language of `source`.
    #[schemars(with = "LanguageSchema")]
    pub language: Language,
    /// The type's source text.
    pub source: String,
    /// The symbol it resolves to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<SymbolId>,
    /// Facts of the provider's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: Extensions,
}

impl TypeExpression {
    /// A type that no symbol is known for.
    pub fn new(language: Language, source: impl Into<String>) -> Self {
        Self { language, source: source.into(), resolved: None, extensions: Extensions::new() }
    }
}

/// A documentation text, without its comment markers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Documentation {
    /// The markup of `text`.
    pub format: DocumentationFormat,
    /// The text.
    pub text: String,
}

/// The markup of a documentation text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentationFormat {
    /// None.
    Plain,
    /// Markdown.
    Markdown,
}
