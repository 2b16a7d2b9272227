//! The graph of queries in three forms.

use rift_server::debug::{GraphAnswer, QueryLine};

use super::GraphFormat;
use super::layout::{Place, places};
use super::table::time;

/// The size of a box, and the room between boxes, in pixels.
const BOX: (usize, usize) = (190, 40);
const ROOM: (usize, usize) = (70, 16);

pub(crate) fn written(graph: &GraphAnswer, format: GraphFormat) -> String {
    match format {
        GraphFormat::Dot => dot(graph),
        GraphFormat::Mermaid => mermaid(graph),
        GraphFormat::Svg => svg(graph),
    }
}

/// What stands in a box under the name; empty for what is no query.
fn counts(graph: &GraphAnswer, name: &str) -> String {
    let line = graph.queries.iter().find(|line| line.name == name);
    line.map_or_else(String::new, |line| {
        format!("{} runs, {} memos, {}", line.counts.executed, line.memos, time(line.counts.own_us))
    })
}

/// Graphviz: <https://graphviz.org/doc/info/lang.html>.
fn dot(graph: &GraphAnswer) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = "digraph queries {\n  rankdir=RL;\n  node [shape=box];\n".to_owned();
    for place in places(&graph.edges) {
        let name = quoted(&place.name);
        let label = [name.clone(), counts(graph, &place.name)].join("\\n");
        out += &format!("  \"{name}\" [label=\"{}\"];\n", label.trim_end_matches("\\n"));
    }
    for edge in &graph.edges {
        out += &format!("  \"{}\" -> \"{}\" [label=\"{}\"];\n", quoted(&edge.from), quoted(&edge.to), edge.count);
    }
    out + "}\n"
}

/// Mermaid: <https://mermaid.js.org/syntax/flowchart.html>.
fn mermaid(graph: &GraphAnswer) -> String {
    let quoted = |text: &str| text.replace('"', "#quot;");
    let places = places(&graph.edges);
    let number = |name: &str| places.iter().position(|place| place.name == name).unwrap_or_default();
    let mut out = "flowchart RL\n".to_owned();
    for (at, place) in places.iter().enumerate() {
        let counts = counts(graph, &place.name);
        let label =
            if counts.is_empty() { quoted(&place.name) } else { format!("{}<br>{counts}", quoted(&place.name)) };
        out += &format!("  n{at}[\"{label}\"]\n");
    }
    for edge in &graph.edges {
        out += &format!("  n{} -->|{}| n{}\n", number(&edge.from), edge.count, number(&edge.to));
    }
    out
}

/// Text inside XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The left upper corner of a box.
fn corner(place: &Place) -> (usize, usize) {
    (ROOM.0 / 2 + place.layer * (BOX.0 + ROOM.0), ROOM.1 + place.row * (BOX.1 + ROOM.1))
}

/// A picture: what is read to the left, who reads it to the right.
pub(crate) fn svg(graph: &GraphAnswer) -> String {
    let places = places(&graph.edges);
    let width = places.iter().map(|place| corner(place).0).max().unwrap_or(0) + BOX.0 + ROOM.0 / 2;
    let height = places.iter().map(|place| corner(place).1).max().unwrap_or(0) + BOX.1 + ROOM.1;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    let most = graph.edges.iter().map(|edge| edge.count).max().unwrap_or(1).max(1);
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
        let place = |name: &str| places.iter().find(|place| place.name == name);
        let (Some(from), Some(to)) = (place(&edge.from), place(&edge.to)) else { continue };
        let ((x1, y1), (x2, y2)) = (corner(from), corner(to));
        let (x2, y1, y2) = (x2 + BOX.0, y1 + BOX.1 / 2, y2 + BOX.1 / 2);
        let middle = (x1 + x2) / 2;
        // A line is wider where more memos are read, by the order of magnitude.
        let wide = 0.5 + 2.5 * (edge.count as f64).ln_1p() / (most as f64).ln_1p();
        out += &format!(
            "<path class=\"edge\" d=\"M{x1},{y1} C{middle},{y1} {middle},{y2} {x2},{y2}\" fill=\"none\" stroke=\"#8a8f98\" \
             stroke-width=\"{wide:.2}\" stroke-opacity=\"0.55\"><title>{} reads {}: {}</title></path>\n",
            escaped(&edge.from),
            escaped(&edge.to),
            edge.count,
        );
    }
    for place in &places {
        out += &boxed(graph, place);
    }
    out + "</svg>\n"
}

fn boxed(graph: &GraphAnswer, place: &Place) -> String {
    let (x, y) = corner(place);
    let line: Option<&QueryLine> = graph.queries.iter().find(|line| line.name == place.name);
    let (fill, purpose) = match line {
        Some(line) => ("#eef3fb", line.purpose.clone()),
        None => ("#f4f1e8", "a field of an input".to_owned()),
    };
    format!(
        "<g class=\"node\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"{fill}\" \
         stroke=\"#5b6472\"/><text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text><text x=\"{}\" y=\"{}\" \
         fill=\"#444\" font-size=\"10\">{}</text></g>\n",
        escaped(&purpose),
        BOX.0,
        BOX.1,
        x + 8,
        y + 16,
        escaped(&place.name),
        x + 8,
        y + 31,
        escaped(&counts(graph, &place.name)),
    )
}

#[cfg(test)]
mod tests {
    use rift_server::debug::EdgeLine;

    use super::*;

    fn graph() -> GraphAnswer {
        let edge = EdgeLine { from: "reader".to_owned(), to: "File.\"content\"".to_owned(), count: 3 };
        GraphAnswer { edges: vec![edge], queries: Vec::new() }
    }

    #[test]
    fn names_are_quoted_as_each_form_wants() {
        assert!(written(&graph(), GraphFormat::Dot).contains(r#""reader" -> "File.\"content\"" [label="3"];"#));
        assert!(written(&graph(), GraphFormat::Mermaid).contains("n0[\"File.#quot;content#quot;\"]\n"));
        assert!(written(&graph(), GraphFormat::Mermaid).contains("n1 -->|3| n0\n"));
        let svg = written(&graph(), GraphFormat::Svg);
        assert!(
            svg.contains(">File.&quot;content&quot;</text>") && svg.matches("class=\"node\"").count() == 2,
            "{svg}"
        );
    }
}
