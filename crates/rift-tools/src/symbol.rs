//! Declarations as wire symbols.

use std::num::NonZeroU32;

use rift_base::{ByteRange, Digest, Facet, Language, line_of};
use rift_host::facts::{self, DeclId, DeclPosition, Declaration, FileEntry};
use rift_host::{Member, ResolvedSymbol, SymbolKey, View};
use rift_protocol::{
    Documentation, DocumentationFormat, Failure, NodeId, Occurrence, OriginLocation, Parameter, Signature, SourceKind,
    Symbol, SymbolDeclaration, SymbolId, SymbolOrigin, TypeBinding, TypeExpression, TypeOrigin, TypeRole,
};

/// The wire identity of a key with its occurrence; absent when it has no spelling (past the length bound).
pub(crate) fn symbol_id(key: &SymbolKey, occurrence: Option<(u32, Digest)>) -> Option<SymbolId> {
    let id = SymbolId::local(&Language::new(&key.language)?, &key.path).ok()?;
    match occurrence {
        None => Some(id),
        Some((number, revision)) => id.with_occurrence(Occurrence { number: NonZeroU32::new(number)?, revision }).ok(),
    }
}

/// The wire identity of declaration `id` of `entry`.
pub(crate) fn identity(view: &View, entry: &FileEntry, id: DeclId) -> Option<SymbolId> {
    let (key, occurrence) = view.identity(entry, id)?;
    symbol_id(&key, occurrence)
}

/// The parts of a wire symbol that each of its declarations states, so that declarations can point at them.
#[derive(Default)]
struct Parts {
    signatures: Vec<Signature>,
    documentation: Vec<Documentation>,
    types: Vec<TypeBinding>,
}

/// Where one declaration's statements stand among the symbol's parts.
#[derive(Default, Clone)]
struct Indices {
    signature: Option<u64>,
    documentation: Option<u64>,
    value_type: Option<u64>,
}

impl Parts {
    fn add(&mut self, language: &Language, declaration: &Declaration) -> Indices {
        let signature =
            (!declaration.signature.is_empty()).then(|| place(&mut self.signatures, signature(language, declaration)));
        let documentation = declaration.documentation.as_ref().map(|found| {
            let format = if found.markdown { DocumentationFormat::Markdown } else { DocumentationFormat::Plain };
            place(&mut self.documentation, Documentation { format, text: found.text.to_string() })
        });
        let value_type =
            declaration.value_type.as_ref().map(|t| place(&mut self.types, binding(language, TypeRole::Field, t)));
        Indices { signature, documentation, value_type }
    }
}

/// The index of `item` in `list`, to which it is added when it is new.
fn place<T: PartialEq>(list: &mut Vec<T>, item: T) -> u64 {
    let at = list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    });
    at as u64
}

fn binding(language: &Language, role: TypeRole, source: &str) -> TypeBinding {
    TypeBinding { role, origin: TypeOrigin::Declared, expression: TypeExpression::new(language.clone(), source) }
}

fn signature(language: &Language, declaration: &Declaration) -> Signature {
    let mut out = Signature::new(language.clone(), &*declaration.signature);
    if let Some(callable) = &declaration.callable {
        out.receiver = callable.receiver.as_ref().map(|p| parameter(language, TypeRole::Receiver, p));
        out.parameters = callable.parameters.iter().map(|p| parameter(language, TypeRole::Parameter, p)).collect();
        out.returns = callable.returns.iter().map(|r| binding(language, TypeRole::Return, r)).collect();
    }
    out
}

fn parameter(language: &Language, role: TypeRole, found: &facts::Parameter) -> Parameter {
    Parameter {
        name: found.name.as_deref().map(str::to_owned),
        node: None,
        types: found.annotation.iter().map(|t| binding(language, role, t)).collect(),
        optional: found.optional,
        variadic: found.variadic,
        default: found.default.as_deref().map(str::to_owned),
        extensions: Default::default(),
    }
}

/// One declaration of a symbol, with what is needed to show it.
pub(crate) struct Shown {
    pub(crate) entry: FileEntry,
    pub(crate) id: DeclId,
    pub(crate) position: DeclPosition,
    indices: Indices,
}

/// A wire symbol and its declarations in path and source order.
pub(crate) struct Built {
    pub(crate) symbol: Symbol,
    pub(crate) declarations: Vec<Shown>,
}

/// The wire form of `resolved`, a symbol of `key`. The parts of its anchor come first.
pub(crate) fn build(view: &View, key: &SymbolKey, resolved: &ResolvedSymbol) -> Result<Built, Failure> {
    let language = Language::new(&key.language).ok_or_else(|| Failure::internal("symbol", "language"))?;
    let mut parts = Parts::default();
    let mut declarations = Vec::new();
    for member in &resolved.members {
        for id in in_order(member) {
            let (Some(declaration), Some(position)) =
                (member.facts.outline.get(id), member.facts.positions.get(id.0 as usize))
            else {
                continue;
            };
            let indices = parts.add(&language, declaration);
            declarations.push(Shown { entry: member.entry.clone(), id, position: *position, indices });
        }
    }
    declarations.sort_by(|a, b| {
        (&a.entry.path, a.position.declaration, a.position.item).cmp(&(
            &b.entry.path,
            b.position.declaration,
            b.position.item,
        ))
    });
    let mut symbol = described(view, key, resolved, &language)?;
    symbol.signatures = parts.signatures;
    symbol.documentation = parts.documentation;
    symbol.types = parts.types;
    Ok(Built { symbol, declarations })
}

/// The declarations of a member, its primary one first: that one's signature leads.
fn in_order(member: &Member) -> Vec<DeclId> {
    let Some(group) = member.group() else { return Vec::new() };
    let others = group.declarations.iter().copied().filter(|id| *id != group.primary);
    std::iter::once(group.primary).chain(others).collect()
}

/// What the anchor says of the symbol.
fn described(view: &View, key: &SymbolKey, resolved: &ResolvedSymbol, language: &Language) -> Result<Symbol, Failure> {
    let anchor = resolved.anchor().ok_or_else(|| Failure::internal("symbol", "no declaration"))?;
    let primary = anchor.group().map(|g| g.primary).unwrap_or(DeclId(0));
    let declaration = anchor.facts.outline.get(primary).ok_or_else(|| Failure::internal("symbol", "no declaration"))?;
    let mut symbol = Symbol::new(language.clone(), key.path.name(), declaration.kind);
    symbol.id = symbol_id(key, resolved.occurrence);
    symbol.facets = declaration.facets.iter().collect();
    let deprecated = resolved.members.iter().any(|member| {
        in_order(member).iter().any(|id| member.facts.outline.get(*id).is_some_and(|d| d.facets.has(Facet::Deprecated)))
    });
    if deprecated && !symbol.facets.contains(&Facet::Deprecated) {
        symbol.facets.push(Facet::Deprecated);
        symbol.facets.sort();
    }
    if is_generated(&anchor.entry) {
        symbol.origin = Some(origin(&anchor.entry));
    }
    symbol.container = container(view, key, anchor, declaration);
    symbol.modifiers = declaration.modifiers.iter().map(|m| m.to_string()).collect();
    symbol.visibility = declaration.visibility.as_deref().map(str::to_owned);
    symbol.document_local = declaration.file_local;
    Ok(symbol)
}

/// The symbol that contains a declaration: the one that its path names, which is not the one around it where a method
/// stands outside its class.
fn container(view: &View, key: &SymbolKey, anchor: &Member, declaration: &Declaration) -> Option<SymbolId> {
    let around = declaration.container.and_then(|id| Some((id, anchor.facts.outline.get(id)?)));
    if let Some((id, around)) = around
        && around.path.as_str() == declaration.path.container()
    {
        return identity(view, &anchor.entry, id);
    }
    if !declaration.path.container().is_empty()
        && let Ok(path) = rift_base::NamePath::parse(key.path.container())
    {
        let key = SymbolKey { language: key.language.clone(), path };
        if let [one] = view.resolve(&key).as_slice() {
            return symbol_id(&key, one.occurrence);
        }
    }
    around.and_then(|(id, _)| identity(view, &anchor.entry, id))
}

fn is_generated(entry: &FileEntry) -> bool {
    entry.source().is_some_and(|source| source.kind.is_generated())
}

fn origin(entry: &FileEntry) -> SymbolOrigin {
    let source_kind = if is_generated(entry) { SourceKind::Generated } else { SourceKind::Authored };
    SymbolOrigin { location: Some(OriginLocation::Project), package: None, runtime: None, source_kind }
}

impl Shown {
    /// The place of its signature among the symbol's.
    pub(crate) fn signature(&self) -> Option<usize> {
        self.indices.signature.and_then(|at| usize::try_from(at).ok())
    }

    /// The wire form, with source when it is asked for.
    pub(crate) fn declaration(&self, view: &View, with_source: bool) -> SymbolDeclaration {
        let text = view.text(&self.entry).unwrap_or_default();
        let range = self.position.declaration;
        SymbolDeclaration {
            origin: origin(&self.entry),
            path: Some(self.entry.path.clone()),
            unit: None,
            range: range.into(),
            line: line_of(&text, self.position.item.start as usize),
            node: with_source.then(|| node_id(&self.entry, &text, self.position.item)).flatten(),
            source: with_source.then(|| range.of(&text).to_owned()),
            source_complete: with_source,
            signature_indices: self.indices.signature.into_iter().collect(),
            type_indices: self.indices.value_type.into_iter().collect(),
            documentation_indices: self.indices.documentation.into_iter().collect(),
        }
    }
}

/// The identity of the node that covers `range` of `entry`, whose text is `text`.
pub(crate) fn node_id(entry: &FileEntry, text: &str, range: ByteRange) -> Option<NodeId> {
    NodeId::new(entry.language.as_ref()?, &entry.path, range, range.of(text).as_bytes()).ok()
}
