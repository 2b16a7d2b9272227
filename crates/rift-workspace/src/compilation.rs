//! `compile_commands.json`: where a C or C++ build looks for headers (Clang's "JSON Compilation Database Format").

use std::collections::BTreeSet;

use serde_json::Value;

/// The file's name.
pub const COMPILE_COMMANDS: &str = "compile_commands.json";

/// Options that name a folder of headers, in the same word or the next.
const OPTIONS: [&str; 5] = ["-iquote", "-isystem", "-idirafter", "-I", "/I"];

/// One source file of a build and the folders that its headers are looked for in. Paths are as spelled there, relative ones
/// joined to the command's directory; most are absolute paths of the machine of the build.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompileCommand {
    /// The source file.
    pub file: String,
    /// Folders of headers, in the order of the command.
    pub folders: Vec<String>,
}

/// Reads a compilation database. Empty when the text is none; entries without a file are left out.
pub fn compile_commands(text: &str) -> Vec<CompileCommand> {
    let Ok(Value::Array(entries)) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    entries.iter().filter_map(entry).collect()
}

fn entry(entry: &Value) -> Option<CompileCommand> {
    let directory = entry.get("directory").and_then(Value::as_str).unwrap_or("");
    let file = below(directory, entry.get("file")?.as_str()?);
    let words: Vec<String> = match (entry.get("arguments"), entry.get("command")) {
        (Some(Value::Array(arguments)), _) => arguments.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        (_, Some(Value::String(command))) => words(command),
        _ => Vec::new(),
    };
    let mut folders = Vec::new();
    let mut seen = BTreeSet::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(option) = OPTIONS.iter().find(|option| word.starts_with(**option)) else { continue };
        let folder = match &word[option.len()..] {
            "" => match words.next() {
                Some(next) => next.as_str(),
                None => break,
            },
            joined => joined,
        };
        let folder = below(directory, folder);
        if seen.insert(folder.clone()) {
            folders.push(folder);
        }
    }
    Some(CompileCommand { file, folders })
}

/// `path`, seen from `directory`.
fn below(directory: &str, path: &str) -> String {
    let path = path.replace('\\', "/");
    let absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    match absolute || directory.is_empty() {
        true => path,
        false => format!("{}/{path}", directory.replace('\\', "/")),
    }
}

/// The words of a shell command: white space parts them, quotes and backslashes keep it.
fn words(command: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, c) if c.is_whitespace() => out.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_commands() {
        let text = r#"[
            {"directory": "/w/build", "file": "../src/a.c",
             "command": "cc -Iinc -I \"/w/my include\" -isystem/usr/x -DX=\\\"y\\\" -iquote q -Iinc -c ../src/a.c"},
            {"directory": "/w", "file": "/w/b.cc", "arguments": ["c++", "-I", "include", "-std=c++20", "b.cc", "-I"]},
            {"directory": "/w", "command": "cc x.c"}
        ]"#;
        let folders = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            compile_commands(text),
            [
                CompileCommand {
                    file: "/w/build/../src/a.c".to_owned(),
                    folders: folders(&["/w/build/inc", "/w/my include", "/usr/x", "/w/build/q"]),
                },
                CompileCommand { file: "/w/b.cc".to_owned(), folders: folders(&["/w/include"]) },
            ]
        );
    }

    #[test]
    fn what_is_no_database_gives_nothing() {
        for text in ["", "{}", "[1, {\"file\": 2}]", "[{\"command\": \"cc\"}]"] {
            assert_eq!(compile_commands(text), [], "{text}");
        }
    }
}
