//! Failures: the error and its chain of causes.

use rift_protocol::{DiagnosticContext, ErrorCode, Failure, Retry};

use crate::text::{Text, counted};

pub(crate) fn section(text: &mut Text, failure: &Failure) {
    let data = &failure.data;
    text.line(0, &counted(1 + data.causes.len(), "error"));
    entry(text, data.code, data.retry, &data.message);
    if let Some(limit) = &data.limit {
        text.line(2, &format!("limit {}: {} over {}", limit.field, limit.required, limit.limit));
    }
    for context in &data.diagnostics {
        text.line(2, &diagnostic(context));
    }
    if let Some(identity) = &failure.identity {
        text.line(2, identity);
    }
    for cause in &data.causes {
        entry(text, cause.code, cause.retry, &cause.message);
    }
}

fn entry(text: &mut Text, code: ErrorCode, retry: Retry, message: &str) {
    text.line(1, &format!("{} · retry {}", code.word(), retry.word()));
    if !message.is_empty() {
        text.line(2, message);
    }
}

/// `severity [code] file:line:column: message`.
fn diagnostic(context: &DiagnosticContext) -> String {
    let diagnostic = &context.diagnostic;
    let mut line = diagnostic.severity.word().to_owned();
    if let Some(code) = &diagnostic.code {
        line.push_str(&format!(" [{code}]"));
    }
    if let Some(span) = &diagnostic.span {
        line.push(' ');
        line.push_str(span.unit.path().as_str());
        for number in [context.line, context.column].into_iter().flatten() {
            line.push_str(&format!(":{number}"));
        }
    }
    if !diagnostic.message.is_empty() {
        line.push_str(": ");
        line.push_str(&diagnostic.message);
    }
    line
}
