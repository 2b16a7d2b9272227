//! What several keys of `rift.toml` demand of each other.

use rift_base::{KNOWN_LANGUAGES, RankingConfig};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check::{Checker, integer, join, number};

type Value<'i> = Spanned<DeValue<'i>>;

fn table<'a, 'i>(parent: &'a DeTable<'i>, key: &str) -> Option<&'a DeTable<'i>> {
    parent.get(key)?.get_ref().as_table()
}

/// Checks every rule that spans keys.
pub(super) fn check(checker: &mut Checker, file: &DeTable<'_>) {
    languages(checker, file, "", file);
    for (name, profile) in table(file, "local").into_iter().flatten() {
        if let Some(profile) = profile.get_ref().as_table() {
            languages(checker, profile, &join("local", name.get_ref()), file);
        }
    }
    for (name, process) in table(file, "lsp").into_iter().flatten() {
        engine(checker, &join("lsp", name.get_ref()), process);
    }
    if let Some((value, ranking)) = table(file, "search").and_then(|s| s.get("ranking")).and_then(with_table) {
        weights(checker, value, ranking);
    }
    if let Some(vector) = table(file, "search").and_then(|search| table(search, "vector")) {
        embedding(checker, vector);
    }
    if let Some(server) = table(file, "server") {
        ports(checker, server);
    }
    packages(checker, file);
    hooks(checker, file);
}

fn with_table<'a, 'i>(value: &'a Value<'i>) -> Option<(&'a Value<'i>, &'a DeTable<'i>)> {
    Some((value, value.get_ref().as_table()?))
}

/// An unknown language claims what it states, so it must state something; a process must exist.
fn languages(checker: &mut Checker, parent: &DeTable<'_>, path: &str, file: &DeTable<'_>) {
    for (name, value) in table(parent, "languages").into_iter().flatten() {
        let Some(entry) = value.get_ref().as_table() else { continue };
        let path = join(&join(path, "languages"), name.get_ref());
        let known = KNOWN_LANGUAGES.iter().any(|known| known.identity == name.get_ref().as_ref());
        let include = entry.get("include").and_then(|include| include.get_ref().as_array());
        if !known && include.is_none_or(|include| include.is_empty()) {
            let text =
                "this version has no syntax provider for it, so it needs an include list with at least one pattern";
            checker.problem(name.span(), &path, text);
        }
        let Some(lsp) = entry.get("lsp") else { continue };
        let path = join(&path, "lsp");
        match lsp.get_ref() {
            DeValue::String(process) if table(file, "lsp").is_none_or(|lsp| !lsp.contains_key(process.as_ref())) => {
                checker.problem(lsp.span(), &path, format!("value {process:?} names no [lsp.{process}] table"));
            }
            DeValue::Table(_) => engine(checker, &path, lsp),
            _ => {}
        }
    }
}

/// `command` or `embedded`, not both; an embedded engine takes no environment.
fn engine(checker: &mut Checker, path: &str, value: &Value<'_>) {
    let Some(engine) = value.get_ref().as_table() else { return };
    match (engine.get("command"), engine.get("embedded")) {
        (None, None) => checker.problem(value.span(), path, "needs command or embedded"),
        (_, Some(_)) => {
            for key in ["command", "environment", "initialization_options"] {
                if let Some(value) = engine.get(key) {
                    checker.problem(value.span(), &join(path, key), "excluded by embedded; state one of the two");
                }
            }
        }
        (Some(_), None) => {}
    }
}

/// A model is read from a directory that the file names; nothing is fetched.
fn embedding(checker: &mut Checker, vector: &DeTable<'_>) {
    const PATH: &str = "search.vector.embedding";
    let Some((value, embedding)) = vector.get("embedding").and_then(with_table) else { return };
    match embedding.get("kind").map(|kind| (kind, kind.get_ref().as_str())) {
        Some((_, Some("directory"))) => {
            if !embedding.contains_key("model") {
                checker.problem(value.span(), &join(PATH, "model"), "missing; state the model's directory");
            }
        }
        // One that is wrong otherwise is named as such.
        Some((kind, Some(word @ ("hf" | "openai_compatible")))) => {
            checker.not_served(kind.span(), &format!("{PATH}.kind = {word:?}"));
        }
        Some(_) => {}
        None => {
            let text = "missing, and its default \"hf\" is not served by this version of rift; state \"directory\"";
            checker.problem(value.span(), &join(PATH, "kind"), text);
        }
    }
}

/// Weights are not all 0; and one of the first two is not 0, because vectors may lag or be off.
fn weights(checker: &mut Checker, value: &Value<'_>, ranking: &DeTable<'_>) {
    let default = RankingConfig::default();
    let weight = |key: &str, default: f64| ranking.get(key).map_or(Some(default), |value| number(value.get_ref()));
    let (Some(identifier), Some(lexical), Some(vector)) = (
        weight("identifier_weight", default.identifier_weight),
        weight("lexical_weight", default.lexical_weight),
        weight("vector_weight", default.vector_weight),
    ) else {
        return;
    };
    if identifier != 0.0 || lexical != 0.0 {
        return;
    }
    if vector == 0.0 {
        let text = "identifier_weight, lexical_weight and vector_weight are all 0; at least one must be above 0";
        checker.problem(value.span(), "search.ranking", text);
    } else {
        let span = ranking.get("vector_weight").map_or(value.span(), Spanned::span);
        checker.not_served(span, "search.ranking.vector_weight as the only weight above 0");
    }
}

/// One port or a range, and a range that is one.
fn ports(checker: &mut Checker, server: &DeTable<'_>) {
    let Some((value, range)) = server.get("port_range").and_then(with_table) else { return };
    if server.contains_key("port") {
        checker.problem(value.span(), "server.port_range", "excluded by port; state one of the two");
    }
    let end = |key: &str| range.get(key).and_then(|v| v.get_ref().as_integer()).and_then(integer);
    if let (Some(min), Some(max)) = (end("min"), end("max"))
        && min > max
    {
        checker.problem(value.span(), "server.port_range", format!("min {min} is above max {max}"));
    }
}

/// A package states a version or a requirement.
fn packages(checker: &mut Checker, file: &DeTable<'_>) {
    let stated = table(file, "dependencies").and_then(|d| d.get("packages")).and_then(|p| p.get_ref().as_array());
    for (index, value) in stated.into_iter().flatten().enumerate() {
        let Some(package) = value.get_ref().as_table() else { continue };
        if package.contains_key("version") == package.contains_key("requirement") {
            let path = format!("dependencies.packages[{index}]");
            checker.problem(value.span(), &path, "needs exactly one of version and requirement");
        }
    }
}

/// Hooks have different ids and no absolute program.
fn hooks(checker: &mut Checker, file: &DeTable<'_>) {
    let stated = file.get("hooks").and_then(|hooks| hooks.get_ref().as_array());
    let mut seen: Vec<&str> = Vec::new();
    for (index, value) in stated.into_iter().flatten().enumerate() {
        let Some(hook) = value.get_ref().as_table() else { continue };
        if let Some(id) = hook.get("id")
            && let Some(text) = id.get_ref().as_str()
        {
            if seen.contains(&text) {
                checker.problem(
                    id.span(),
                    &format!("hooks[{index}].id"),
                    format!("value {text:?} is taken by another hook"),
                );
            }
            seen.push(text);
        }
        if let Some(program) = hook.get("program")
            && program.get_ref().as_str().is_some_and(|text| text.starts_with('/'))
        {
            let path = format!("hooks[{index}].program");
            checker.problem(program.span(), &path, "an absolute program; write a name or a relative path");
        }
    }
}
