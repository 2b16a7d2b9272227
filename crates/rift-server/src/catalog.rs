//! What the server says of itself: instructions, tools and resources. Hosts cut descriptions at 2,048 characters and load
//! tools by their first sentences, so these say when to use the tool.

use std::sync::Arc;

use rift_protocol::{
    GetSourceParams, GetSourceResult, GetSymbolParams, GetSymbolResult, NodesParams, NodesResult, Request,
    SearchAnswer, SearchParams, schema,
};
use rmcp::model::{JsonObject, Resource, ResourceTemplate, Tool, ToolAnnotations};

/// What an agent reads before its first call.
pub const INSTRUCTIONS: &str = "\
Rift knows this codebase as facts: declarations, signatures, documentation and text of every file, read from the tree.

Use it in place of grep-and-read loops:
- `search` finds code from words, a question or an identifier (`query`): start here when you do not know the exact place. \
With `pattern` it is grep: every match of a regular expression, read as ripgrep reads it. With `traversal` it says who refers \
to a symbol (`seed`, its identity), or with `direction: \"outgoing\"` what it calls: ask this before you change a signature.
- `get_symbol` reads a declaration whole, by the `rift://symbol/...` identity that other answers print.
- `get_source` reads a file or a byte range of it, by `rift://source/project/<path>`.
- `nodes` lists the syntax nodes around a byte offset of a file.
- The resource `rift://map` is a first picture of the codebase: languages, folders, entry points, documents, \
the symbols that most refer to. \
`rift://workspace` lists files with their digests.

Answers are short text. Each hit gives the declaration, its location as path:line, why it matched and its identity; copy \
identities exactly. `include: [\"source\"]` adds the lines that show a hit. Narrow with `paths.include` globs such as `src/**`, or \
`target` (`symbol`, `file`, `documentation`). `1 results · page 1/3` means that more pages follow: ask with `page_index`.

An answer that may miss something says so under `warnings`; `local_index_preparing` means that files are still being read, \
and the same request answers more completely a moment later. An answer without warnings has looked everywhere. Failures \
name what to change and whether a retry helps.";

/// One tool: its name, its title and its description.
#[derive(Debug)]
pub struct ToolText {
    /// The name.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    /// What it does and when to use it.
    pub description: &'static str,
    input: fn() -> JsonObject,
    output: fn() -> JsonObject,
}

/// Every tool, in the order of the listing.
pub static TOOLS: &[ToolText] = &[
    ToolText {
        name: SearchParams::TOOL,
        title: "Search code",
        description: "Search this codebase when you know what you look for but not where it is. `query` takes words, a \
question, an identifier or a part of one, and ranks declarations (functions, types, constants, headings, keys) and files by name, signature, \
documentation and text; case and separators do not matter, so `get user name` finds `getUserName`; double quotes keep a \
phrase together. `pattern`, in its place, is grep: every match of a regular expression (ripgrep's syntax, line by line, `(?i)` \
for any case, `\\n` to cross lines) in path order; with `target: \"file\"` one hit a match, with `symbol` the declarations that hold \
one. `traversal` walks from one symbol, `seed`, to the declarations that refer to it (callers, users of a type, \
subclasses, tests), or `outgoing` to what it calls, `depth` 1 or 2. Each hit carries its location, the fields that matched and the identity that get_symbol reads. \
`target` picks symbols, files or documentation (blocks of Markdown, MDX, reStructuredText, text and notebooks, and the comments of \
declarations), `paths` narrows by globs first, `include: [\"source\"]` adds the lines that show each hit, `limit` and \
`page_index` page. Searches every indexed file, so no hits and no warnings means that nothing matches.",
        input: schema::of::<SearchParams>,
        output: schema::of_answer::<SearchAnswer>,
    },
    ToolText {
        name: GetSymbolParams::TOOL,
        title: "Read a symbol",
        description: "Read one declaration whole when you have its identity (`rift://symbol/...`, as search, nodes and the \
map print it): signature, documentation, facts and the complete source of each place that declares it. One call in place of \
a search and a file read. `include: [\"source\", \"documentation\"]` adds the guides that refer to it. An identity that names nothing answers with the closest existing ones. Finding by name is search's \
work.",
        input: schema::of::<GetSymbolParams>,
        output: schema::of_answer::<GetSymbolResult>,
    },
    ToolText {
        name: GetSourceParams::TOOL,
        title: "Read source",
        description: "Read a file of the project, or a byte range of one, when you have its path: the unit is \
`rift://source/project/<path>`. Use it for files that are no declarations (configuration, documents, scripts) and for the \
lines around a hit; to read one function or type, get_symbol is shorter. Ranges are UTF-8 byte offsets, end excluded.",
        input: schema::of::<GetSourceParams>,
        output: schema::of_answer::<GetSourceResult>,
    },
    ToolText {
        name: NodesParams::TOOL,
        title: "Syntax at a position",
        description: "List the syntax nodes that cover a byte offset of a file, outermost first, when you have a position \
and need to know what stands there: which declaration, statement or expression, with the byte ranges of names and bodies \
and an identity for each node.",
        input: schema::of::<NodesParams>,
        output: schema::of_answer::<NodesResult>,
    },
];

/// The names of all tools.
pub fn tool_names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name)
}

/// The tools as they are listed; with their output schemas when structured answers are sent.
pub(crate) fn tools(structured: bool) -> Vec<Tool> {
    let list = |text: &ToolText| {
        let annotations = ToolAnnotations::with_title(text.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        let tool = Tool::new(text.name, text.description, Arc::new((text.input)()))
            .with_title(text.title)
            .with_annotations(annotations);
        if structured { tool.with_raw_output_schema(Arc::new((text.output)())) } else { tool }
    };
    TOOLS.iter().map(list).collect()
}

/// The address of the map.
pub(crate) const MAP_URI: &str = "rift://map";
/// The address of the workspace's first page.
pub(crate) const WORKSPACE_URI: &str = "rift://workspace";

/// The resources as they are listed.
pub(crate) fn resources() -> Vec<Resource> {
    let resource = |uri: &str, name: &str, description: &str| {
        Resource::new(uri, name).with_description(description).with_mime_type("application/json")
    };
    vec![
        resource(
            MAP_URI,
            "map",
            "A first picture of the codebase: languages, folders with their sizes, entry points and documents.",
        ),
        resource(
            WORKSPACE_URI,
            "workspace",
            "The accepted configuration and the catalog of source files with their digests, 1000 files a page.",
        ),
    ]
}

/// The templates as they are listed.
pub(crate) fn resource_templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new("rift://workspace{?page_index}", "workspace page")
        .with_description("One page of the source catalog; page_index counts from 0.")
        .with_mime_type("application/json");
    vec![template]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_what_hosts_show() {
        assert!(INSTRUCTIONS.chars().count() < 2_000, "{}", INSTRUCTIONS.chars().count());
        for tool in TOOLS {
            assert!(tool.description.chars().count() < 2_000, "{}", tool.name);
        }
    }

    #[test]
    fn schemas_are_objects() {
        for tool in tools(true) {
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            let output = tool.output_schema.expect("asked for");
            assert_eq!(output["type"], "object", "{}", tool.name);
        }
    }
}
