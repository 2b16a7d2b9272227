//! `nodes`: the syntax nodes around a position.

use rift_base::{ByteRange, Deadline, Facet};
use rift_host::facts::{ChainNode, Content, DeclId, FileEntry};
use rift_host::{Host, View};
use rift_protocol::limits::NODES_SOURCE_MAX;
use rift_protocol::{
    Failure, FileId, Node, NodeFacet, NodesParams, NodesResult, ReadWarning, Region, RegionRole, SourceExcerpt,
    SourceSpan, SourceUnitId, SymbolId,
};

use crate::context::{check, current};
use crate::symbol::{identity, node_id};
use crate::warnings::standing;

/// Lists the nodes that cover `params.position`, outermost first.
pub fn nodes(host: &Host, params: &NodesParams, deadline: &Deadline) -> Result<NodesResult, Failure> {
    if params.rev.is_some() {
        return Err(Failure::not_served("revision reads (field rev)"));
    }
    let view = current(host, deadline)?;
    check(deadline)?;
    let warnings = standing(&view);
    let early = match view.entry(&params.path) {
        Some(_) => None,
        None => host.read_early(&view, &params.path),
    };
    let Some(entry) = view.entry(&params.path).or(early.as_ref()) else {
        if view.preparation().is_some() {
            return Ok(NodesResult { nodes: Vec::new(), source: Vec::new(), warnings });
        }
        return Err(Failure::not_found("path", params.path.as_str()));
    };
    let offset = usize::try_from(params.position).unwrap_or(usize::MAX);
    let chain = chain(&view, entry, offset)?;
    check(deadline)?;
    answer(&view, entry, &chain, warnings)
}

fn chain(view: &View, entry: &FileEntry, offset: usize) -> Result<Vec<ChainNode>, Failure> {
    if let Content::LeftOut(left_out) = &entry.content {
        return Err(Failure::content_unavailable(entry.path.as_str(), &left_out.reason.to_string()));
    }
    match view.nodes(entry, offset) {
        Some(Ok(chain)) => Ok(chain),
        Some(Err(_)) => Err(Failure::content_unavailable(entry.path.as_str(), "the syntax provider refused it")),
        None => Err(unclaimed(entry)),
    }
}

/// Why no provider parses a file.
fn unclaimed(entry: &FileEntry) -> Failure {
    use rift_base::SyntaxPolicy;
    match entry.source().map(|source| source.policy.syntax) {
        Some(SyntaxPolicy::TooLarge) => {
            Failure::content_unavailable(entry.path.as_str(), "past the [providers.syntax] key max_file")
        }
        Some(SyntaxPolicy::NotAuthored(_)) => Failure::content_unavailable(
            entry.path.as_str(),
            "a minified file, a source map or a lock file is not parsed",
        ),
        _ => match entry.path.extension() {
            Some(extension) => {
                let capability = format!("syntax of .{extension} files");
                Failure::capability_unavailable(&[("capability", &capability), ("path", entry.path.as_str())])
            }
            None => Failure::capability_unavailable(&[
                ("capability", "syntax of files without extension"),
                ("path", entry.path.as_str()),
            ]),
        },
    }
}

fn answer(
    view: &View,
    entry: &FileEntry,
    chain: &[ChainNode],
    warnings: Vec<ReadWarning>,
) -> Result<NodesResult, Failure> {
    // Each node's excerpt holds those of all nodes below it: deep nesting in a large file multiplies its text.
    let required: u64 = chain.iter().map(|node| node.range.len() as u64).sum();
    if required > NODES_SOURCE_MAX {
        return Err(Failure::limit_exceeded("source", NODES_SOURCE_MAX, required));
    }
    let spelling = |v: rift_protocol::Violation| Failure::internal("nodes", v.word());
    let text = view.text(entry).unwrap_or_default();
    let unit = FileId::new(&entry.path).map_err(spelling)?;
    let source_unit = SourceUnitId::project(&entry.path).map_err(spelling)?;
    let language = entry.language.clone().ok_or_else(|| Failure::internal("nodes", "language"))?;
    let mut nodes: Vec<Node> = Vec::with_capacity(chain.len());
    let mut source = Vec::with_capacity(chain.len());
    for found in chain {
        let id = node_id(entry, &text, found.range).ok_or_else(|| Failure::internal("nodes", "identity"))?;
        let (symbol, is_test) = declared(view, entry, found.range);
        let mut facets: Vec<NodeFacet> = found.facets.iter().filter_map(|word| facet(word)).collect();
        if entry.source().is_some_and(|s| s.kind.is_generated()) {
            facets.push(NodeFacet::Generated);
        }
        if is_test {
            facets.push(NodeFacet::Test);
        }
        facets.sort();
        facets.dedup();
        nodes.push(Node {
            parent: nodes.last().map(|n| n.id.clone()),
            id,
            symbol,
            unit: unit.clone(),
            language: language.clone(),
            kind: found.kind.clone(),
            facets,
            range: found.range.into(),
            regions: found.regions.iter().filter_map(|(word, range)| region(word, *range)).collect(),
            extensions: Default::default(),
        });
        source.push(SourceExcerpt {
            span: SourceSpan { unit: source_unit.clone(), range: found.range.into() },
            text: found.range.of(&text).to_owned(),
        });
    }
    Ok(NodesResult { nodes, source, warnings })
}

/// The symbol that the node at `range` declares, and whether it is a test.
fn declared(view: &View, entry: &FileEntry, range: ByteRange) -> (Option<SymbolId>, bool) {
    let Some(facts) = view.facts(entry) else { return (None, false) };
    let at = facts.positions.iter().position(|p| p.item == range);
    let Some(at) = at else { return (None, false) };
    let id = DeclId(at as u32);
    let is_test = facts.outline.get(id).is_some_and(|d| d.facets.has(Facet::Test));
    (identity(view, entry, id), is_test)
}

fn facet(word: &str) -> Option<NodeFacet> {
    Some(match word {
        "declaration" => NodeFacet::Declaration,
        "definition" => NodeFacet::Definition,
        "body" => NodeFacet::Body,
        "block" => NodeFacet::Block,
        "statement" => NodeFacet::Statement,
        "expression" => NodeFacet::Expression,
        "type_expression" => NodeFacet::TypeExpression,
        "import" => NodeFacet::Import,
        "export" => NodeFacet::Export,
        "parameter" => NodeFacet::Parameter,
        "argument" => NodeFacet::Argument,
        "annotation" => NodeFacet::Annotation,
        "comment" => NodeFacet::Comment,
        "identifier" => NodeFacet::Identifier,
        "literal" => NodeFacet::Literal,
        "pattern" => NodeFacet::Pattern,
        _ => return None,
    })
}

fn region(word: &str, range: ByteRange) -> Option<Region> {
    let role = match word {
        "name" => RegionRole::Name,
        "body" => RegionRole::Body,
        "header" => RegionRole::Header,
        "content" => RegionRole::Content,
        "documentation" => RegionRole::Documentation,
        _ => return None,
    };
    Some(Region { role, range: range.into() })
}
