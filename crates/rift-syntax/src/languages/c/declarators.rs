//! Declarators: from `*(*name)[3]` to the name, and what is declared of it.

use tree_sitter::Node;

use crate::text::range;

/// Declarator nesting looked through; what is nested deeper has no name here.
const NESTING_MAX: usize = 64;

/// What one declarator declares.
#[derive(Clone, Copy)]
pub(super) struct Declarator<'t> {
    /// The whole declarator, without an initializer.
    pub(super) whole: Node<'t>,
    /// The node that spells the name, qualifiers included.
    pub(super) name: Node<'t>,
    /// The function declarator, when the name is a function's and not a pointer's to one.
    pub(super) function: Option<Node<'t>>,
    /// The initializer.
    pub(super) value: Option<Node<'t>>,
    /// Whether the name itself is constant: `char *const p` is, `const char *p` is not, and `None` leaves it to the
    /// declaration's qualifiers.
    pub(super) constant: Option<bool>,
}

/// Reads a declarator. Absent when it names nothing.
pub(super) fn declarator(node: Node<'_>) -> Option<Declarator<'_>> {
    let mut out = Declarator { whole: node, name: node, function: None, value: None, constant: None };
    let mut node = node;
    for _ in 0..NESTING_MAX {
        match node.kind() {
            "init_declarator" => {
                out.value = node.child_by_field_name("value");
                node = node.child_by_field_name("declarator")?;
                out.whole = node;
                continue;
            }
            "function_declarator" | "abstract_function_declarator" => out.function = Some(node),
            "pointer_declarator" => {
                out.function = None;
                out.constant = Some(has_child(node, |c| c.kind() == "type_qualifier" && is_const(*c)));
            }
            "reference_declarator" => {
                out.function = None;
                out.constant = Some(false);
            }
            "array_declarator" => out.function = None,
            "parenthesized_declarator" | "attributed_declarator" | "variadic_declarator" => {}
            "operator_cast" => {
                out.name = node;
                out.function = node.child_by_field_name("declarator").and_then(function_below);
                return Some(out);
            }
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "primitive_type"
            | "destructor_name"
            | "operator_name"
            | "qualified_identifier"
            | "template_function"
            | "template_method"
            | "template_type"
            | "dependent_name" => {
                out.name = node;
                if out.function.is_none()
                    && let Some(cast) = cast_below(node)
                {
                    out.function = cast.child_by_field_name("declarator").and_then(function_below);
                }
                return (node.end_byte() > node.start_byte()).then_some(out);
            }
            _ => return None,
        }
        node = inner(node)?;
    }
    None
}

/// The declarator inside a declarator node.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("declarator").or_else(|| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|c| {
            let kind = c.kind();
            kind.ends_with("declarator") || kind.ends_with("identifier") || kind.ends_with("_name")
        })
    })
}

/// The conversion operator that a qualified name ends in.
fn cast_below(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    for _ in 0..NESTING_MAX {
        match node.kind() {
            "qualified_identifier" => node = node.child_by_field_name("name")?,
            "operator_cast" => return Some(node),
            _ => return None,
        }
    }
    None
}

/// The function declarator of a conversion operator, below the pointers of its type.
fn function_below(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    for _ in 0..NESTING_MAX {
        if node.kind() == "abstract_function_declarator" {
            return Some(node);
        }
        node = inner(node)?;
    }
    None
}

/// A name as declared: the scopes it is qualified by, and its own.
pub(super) struct Spelled<'t> {
    pub(super) qualifier: Vec<String>,
    pub(super) name: String,
    /// The node of the last name.
    pub(super) node: Node<'t>,
    /// Whether the last name carries template arguments: a specialisation.
    pub(super) arguments: bool,
}

/// Spells a declarator's name. `keep_arguments` keeps the template arguments of the scopes: `A<int>::f` of an
/// explicit specialisation belongs to another class than `A<T>::f`.
pub(super) fn spelled<'t>(text: &str, name: Node<'t>, keep_arguments: bool) -> Spelled<'t> {
    let mut node = name;
    let mut qualifier = Vec::new();
    for _ in 0..NESTING_MAX {
        if node.kind() != "qualified_identifier" {
            break;
        }
        if let Some(scope) = node.child_by_field_name("scope") {
            let bare = scope.child_by_field_name("name").filter(|_| scope.kind() == "template_type" && !keep_arguments);
            let scope = tight(range(bare.unwrap_or(scope)).of(text));
            if !scope.is_empty() {
                qualifier.push(scope);
            }
        }
        let Some(inner) = node.child_by_field_name("name") else { break };
        node = inner;
    }
    if node.kind() == "dependent_name" {
        node = node.named_child(0).unwrap_or(node);
    }
    let source = range(node).of(text);
    let name = match node.kind() {
        "operator_cast" => {
            let end = node.child_by_field_name("declarator").and_then(function_below);
            let end = end.map_or(node.end_byte(), |d| d.start_byte());
            let spelled = text.get(node.start_byte()..end).unwrap_or(source);
            spelled.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        "operator_name" => operator(source),
        _ => tight(source),
    };
    let arguments = matches!(node.kind(), "template_function" | "template_method" | "template_type");
    Spelled { qualifier, name, node, arguments }
}

/// `operator` and its sign in one piece, its words (`new`, `delete`, `co_await`) apart.
fn operator(source: &str) -> String {
    let sign: String = source.trim_start_matches("operator").split_whitespace().collect();
    let gap = if sign.starts_with(|c: char| c.is_ascii_alphabetic()) { " " } else { "" };
    format!("operator{gap}{sign}")
}

/// Drops all white space but the one between two words.
pub(super) fn tight(source: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(source.len());
    for piece in source.split_whitespace() {
        if out.ends_with(is_word) && piece.starts_with(is_word) {
            out.push(' ');
        }
        out.push_str(piece);
    }
    out
}

/// Whether one of `node`'s direct children passes `test`.
pub(super) fn has_child<'t>(node: Node<'t>, mut test: impl FnMut(&Node<'t>) -> bool) -> bool {
    let mut cursor = node.walk();
    let mut children = node.children(&mut cursor);
    children.any(|child| test(&child))
}

/// Whether a type qualifier makes constant.
pub(super) fn is_const(qualifier: Node<'_>) -> bool {
    qualifier.child(0).is_some_and(|word| matches!(word.kind(), "const" | "constexpr" | "constinit"))
}
