//! `get_symbol`: one symbol by its exact identity.

use rift_base::{Deadline, DigestBuilder, ProjectPath};
use rift_host::index::{NameWork, NearNames};
use rift_host::{Host, ResolvedSymbol, SymbolKey, View};
use rift_protocol::limits::ALTERNATIVES_MAX;
use rift_protocol::{
    Failure, FoundSymbol, GetSymbolParams, GetSymbolResult, MatchContext, MissingSymbol, Owner, SymbolAlternative,
    SymbolId, SymbolInclude, SymbolNotFound, UnavailableReason, UnavailableSymbol,
};

use crate::context::{Selected, captured, check, index_failure, select};
use crate::documents::context;
use crate::symbol::{Built, build, symbol_id};
use crate::warnings::{large_unparsed, source_unavailable, standing};

/// Names looked at for each alternative that is answered: several of one distance may be declared by symbols that the
/// selection cannot settle.
const NAMES_PER_ALTERNATIVE: usize = 4;

/// Reads the symbol that `params` names.
pub fn get_symbol(host: &Host, params: &GetSymbolParams, deadline: &Deadline) -> Result<GetSymbolResult, Failure> {
    refuse_unserved(params)?;
    let view = match select(host, params.view.as_ref(), deadline)? {
        Selected::View(view) => view,
        Selected::Unavailable(reason) => return Ok(unavailable(params, None, reason)),
    };
    check(deadline)?;
    if params.id.owner() != Owner::PRIMARY {
        return Ok(unavailable(params, Some(&view), UnavailableReason::InsufficientCoverage));
    }
    let key = SymbolKey { language: params.id.language_str().to_owned(), path: params.id.path() };
    let resolved = view.resolve(&key);
    check(deadline)?;
    let asked = |symbol: &&ResolvedSymbol| symbol_id(&key, symbol.occurrence).as_ref() == Some(&params.id);
    if let Some(symbol) = resolved.iter().find(asked) {
        return found(&view, &key, symbol, params, deadline);
    }
    if view.preparation().is_none() {
        return missing(&view, &key, &resolved, params);
    }
    // A view that was named answers from itself alone.
    if let Some(early) = named_file(host, &view, &key).filter(|_| params.view.is_none()) {
        let resolved = early.resolve(&key);
        if let Some(symbol) = resolved.iter().find(asked) {
            return found(&early, &key, symbol, params, deadline);
        }
    }
    Ok(unavailable(params, Some(&view), UnavailableReason::IndexPreparing))
}

/// The languages whose logical paths begin with the path of their file, which therefore has every declaration of such a path.
const BY_FILE: [&str; 4] = ["json", "markdown", "toml", "yaml"];

/// `view` with the file that `key` names, which the preparation has not come to.
fn named_file(host: &Host, view: &View, key: &SymbolKey) -> Option<View> {
    let name = key.language.split(':').next().unwrap_or_default();
    if !BY_FILE.contains(&name) {
        return None;
    }
    let names: Vec<String> = key.path.names().map(|name| name.into_owned()).collect();
    let path = |depth: usize| ProjectPath::new(&names[..depth].join("/")).ok();
    (1..names.len()).filter_map(path).find_map(|path| host.view_early(view, &path))
}

fn refuse_unserved(params: &GetSymbolParams) -> Result<(), Failure> {
    if params.rev.is_some() {
        return Err(Failure::not_served("revision reads (field rev)"));
    }
    for include in &params.include {
        match include {
            SymbolInclude::Source | SymbolInclude::Documentation => {}
            SymbolInclude::History => return Err(Failure::not_served("symbol history (field include)")),
        }
    }
    Ok(())
}

fn unavailable(params: &GetSymbolParams, view: Option<&View>, reason: UnavailableReason) -> GetSymbolResult {
    GetSymbolResult::Unavailable(UnavailableSymbol {
        id: params.id.clone(),
        view: view.and_then(|view| captured(view).ok()),
        reason,
        warnings: view.map(standing).unwrap_or_default(),
    })
}

fn found(
    view: &View,
    key: &SymbolKey,
    resolved: &ResolvedSymbol,
    params: &GetSymbolParams,
    deadline: &Deadline,
) -> Result<GetSymbolResult, Failure> {
    let Built { symbol, declarations } = build(view, key, resolved)?;
    let cursor = Cursor::of(view, params);
    let start = match &params.declaration_cursor {
        Some(text) => cursor.offset(text).filter(|at| *at < declarations.len()),
        None => Some(0),
    };
    let Some(start) = start else { return Err(Failure::cursor_invalid("declaration_cursor")) };
    let limit = usize::try_from(params.declaration_limit).unwrap_or(usize::MAX);
    let end = start.saturating_add(limit).min(declarations.len());
    let with_source = params.include.contains(&SymbolInclude::Source);
    let mut warnings = standing(view);
    let documentation = match params.include.contains(&SymbolInclude::Documentation) {
        true => {
            let (context, found) = context(view, &symbol, deadline)?;
            warnings.extend(found);
            Some(context)
        }
        false => None,
    };
    Ok(GetSymbolResult::Found(Box::new(FoundSymbol {
        symbol,
        view: captured(view)?,
        declarations: declarations[start..end].iter().map(|shown| shown.declaration(view, with_source)).collect(),
        documentation,
        declaration_cursor: (end < declarations.len()).then(|| cursor.at(end)),
        warnings,
    })))
}

/// Continues the declarations of one symbol under the same projections and view: an offset, signed with a digest of the
/// rest of the request.
struct Cursor(String);

impl Cursor {
    fn of(view: &View, params: &GetSymbolParams) -> Self {
        let digest = DigestBuilder::default()
            .part(params.id.as_str().as_bytes())
            .part(format!("{:?}", params.include).as_bytes())
            .part(view.id().as_bytes())
            .finish();
        Self(digest.hex()[..16].to_owned())
    }

    fn at(&self, offset: usize) -> String {
        format!("{offset}.{}", self.0)
    }

    fn offset(&self, text: &str) -> Option<usize> {
        let (offset, signature) = text.split_once('.')?;
        let canonical = offset.parse::<usize>().ok().filter(|n| n.to_string() == offset);
        canonical.filter(|_| signature == self.0)
    }
}

fn missing(
    view: &View,
    key: &SymbolKey,
    same_path: &[ResolvedSymbol],
    params: &GetSymbolParams,
) -> Result<GetSymbolResult, Failure> {
    let (alternatives, detail) = alternatives(view, key, same_path, &params.id)?;
    let mut warnings = standing(view);
    warnings.extend(source_unavailable(view, None));
    warnings.extend(large_unparsed(view, None));
    Ok(GetSymbolResult::Missing(MissingSymbol {
        symbol_not_found: SymbolNotFound { id: params.id.clone(), alternatives, detail },
        view: captured(view)?,
        warnings,
    }))
}

type Alternatives = (Vec<SymbolAlternative>, Option<String>);

/// The symbols that come closest: those of the very path first (the occurrence was wrong or missing), then by the smallest
/// case-insensitive Levenshtein distance of the short or the qualified name.
fn alternatives(
    view: &View,
    key: &SymbolKey,
    same_path: &[ResolvedSymbol],
    requested: &SymbolId,
) -> Result<Alternatives, Failure> {
    let mut ids: Vec<SymbolId> = same_path.iter().filter_map(|s| symbol_id(key, s.occurrence)).collect();
    let search = &view.config().search;
    let work =
        NameWork { budget: search.symbol_alternatives_work, lowercase: search.symbol_alternatives_lowercase_work };
    let mut detail = None;
    if ids.len() < ALTERNATIVES_MAX {
        let name = key.path.name();
        let near = view.searcher().names_near(&name, ALTERNATIVES_MAX * NAMES_PER_ALTERNATIVE, work);
        match near.map_err(index_failure)? {
            NearNames::Exhausted => {
                detail = Some(
                    "looking for close names took more work than the [search] key symbol_alternatives_work allows"
                        .to_owned(),
                );
            }
            NearNames::Found(names) => {
                let rows = names.into_iter().flat_map(|name| name.rows);
                for row in rows {
                    if ids.len() >= ALTERNATIVES_MAX {
                        break;
                    }
                    let Some(entry) = view.entry(&row.path) else { continue };
                    let id = crate::symbol::identity(view, entry, rift_host::facts::DeclId(row.ordinal));
                    ids.extend(id.filter(|id| !ids.contains(id)));
                }
            }
        }
    }
    ids.truncate(ALTERNATIVES_MAX);
    let alternatives = ids
        .into_iter()
        .map(|id| SymbolAlternative {
            name: id.path().name().into_owned(),
            match_context: match_context(requested, &id),
            id,
        })
        .collect();
    Ok((alternatives, detail))
}

/// The parts of two identities that are equal. Without knowledge of where modules end, everything before the last two
/// names counts as module and the last but one as container.
fn match_context(a: &SymbolId, b: &SymbolId) -> Vec<MatchContext> {
    let names = |id: &SymbolId| id.path().names().map(|n| n.into_owned()).collect::<Vec<_>>();
    let (left, right) = (names(a), names(b));
    let split = |names: &[String]| {
        let name = names.last().cloned();
        let container = names.len().checked_sub(2).and_then(|at| names.get(at).cloned());
        (names[..names.len().saturating_sub(2)].to_vec(), container, name)
    };
    let ((module_a, container_a, name_a), (module_b, container_b, name_b)) = (split(&left), split(&right));
    let equal = [
        (MatchContext::Owner, a.owner_str() == b.owner_str()),
        (MatchContext::Language, a.language_str() == b.language_str()),
        (MatchContext::Module, module_a == module_b),
        (MatchContext::Container, container_a == container_b),
        (MatchContext::Form, left.len() == right.len()),
        (MatchContext::Name, name_a == name_b),
    ];
    equal.into_iter().filter(|(_, equal)| *equal).map(|(part, _)| part).collect()
}
