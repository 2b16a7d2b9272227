//! `#[query(…)]`: a tracked function of salsa that counts what it does.
//!
//! Salsa tells when a query runs and when a memo was validated, and nothing else: neither when a run ends, nor that its value
//! came out equal, nor who asked and was answered from a memo. So each query stands behind a function of its own name that
//! everybody calls, and the tracked function behind it times its body and compares its values itself.

use proc_macro::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// What stands behind a query. `BODY` and its like are replaced; what is tracked stands in a block of its own, so that a body
/// that asks its own query asks through the front.
const TEMPLATE: &str = "
    const QUERY: crate::probe::Subject = crate::queries::subject(NAMED);
    fn body(DB: &dyn Db, KEY: TYPE) -> VALUE BODY
    {
        fn heap(fact: &crate::probe::Fact<VALUE>) -> usize { SIZE(&fact.value) }

        #[salsa::tracked(OPTIONS heap_size = heap)]
        fn NAME(db: &dyn Db, key: TYPE) -> crate::probe::Fact<VALUE> {
            let run = crate::probe::Run::start(db, QUERY, key);
            let value = body(db, key);
            run.end(value, heap)
        }

        let call = crate::probe::Call::start(DB, QUERY, KEY);
        let fact = NAME(DB, KEY);
        call.end();
        fact.value
    }
";

/// Makes `fn name(db: &dyn Db, key: Key) -> Value` a query. Takes the options of `salsa::tracked`; `heap_size` is the size
/// function of the value, and has to be there.
#[proc_macro_attribute]
pub fn query(options: TokenStream, item: TokenStream) -> TokenStream {
    match expand(options, item) {
        Ok(expanded) => expanded,
        Err(problem) => format!("compile_error!({problem:?});").parse().unwrap_or_default(),
    }
}

fn expand(options: TokenStream, item: TokenStream) -> Result<TokenStream, &'static str> {
    let (size, options) = split_options(options)?;
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let at = tokens.iter().position(|token| is(token, "fn")).ok_or("#[query] belongs to a function")?;
    let (head, rest) = tokens.split_at(at);
    let [keyword, TokenTree::Ident(name), TokenTree::Group(parameters), value @ .., TokenTree::Group(body)] = rest
    else {
        return Err("a query is `fn name(db: &dyn Db, key: Key) -> Value { … }`");
    };
    // The two characters of the arrow go.
    let value: TokenStream = value.get(2..).ok_or("a query has a value")?.iter().cloned().collect();
    let parts: Vec<TokenStream> = split(parameters.stream(), ',').filter(|part| !part.is_empty()).collect();
    let [db, key] = parts.as_slice() else { return Err("a query has a database and one key") };
    let mut key = split(key.clone(), ':');
    let (Some(key), Some(kind)) = (key.next(), key.next()) else { return Err("a query's key has a name and a type") };
    let db = split(db.clone(), ':').next().unwrap_or_default();
    let named = format!("{:?}", name.to_string()).parse().unwrap_or_default();
    let parts: [(&str, TokenStream); 9] = [
        ("NAMED", named),
        ("NAME", TokenStream::from(TokenTree::Ident(name.clone()))),
        ("DB", db),
        ("KEY", key),
        ("TYPE", kind),
        ("VALUE", value.clone()),
        ("BODY", TokenStream::from(TokenTree::Group(body.clone()))),
        ("SIZE", size),
        ("OPTIONS", options),
    ];
    let template = TEMPLATE.parse::<TokenStream>().map_err(|_| "the template of #[query]")?;
    let mut out: TokenStream = head.iter().cloned().collect();
    out.extend([keyword.clone(), TokenTree::Ident(name.clone()), TokenTree::Group(parameters.clone())]);
    out.extend("->".parse::<TokenStream>().map_err(|_| "an arrow")?);
    out.extend(value);
    out.extend([TokenTree::Group(Group::new(Delimiter::Brace, fill(template, &parts)))]);
    Ok(out)
}

/// The size function, and the options that are salsa's.
fn split_options(options: TokenStream) -> Result<(TokenStream, TokenStream), &'static str> {
    let mut size = None;
    let mut others = TokenStream::new();
    for option in split(options, ',') {
        let tokens: Vec<TokenTree> = option.into_iter().collect();
        match tokens.as_slice() {
            [] => {}
            [first, _, path @ ..] if is(first, "heap_size") => size = Some(path.iter().cloned().collect()),
            _ => {
                others.extend(tokens);
                others.extend(",".parse::<TokenStream>().map_err(|_| "a comma")?);
            }
        }
    }
    Ok((size.ok_or("a query has a size function: `heap_size = …`")?, others))
}

/// `template` with each word that `parts` names replaced by what stands there for it.
fn fill(template: TokenStream, parts: &[(&str, TokenStream)]) -> TokenStream {
    let replaced = |word: &Ident| {
        let word = word.to_string();
        parts.iter().find(|(name, _)| *name == word).map(|(_, part)| part.clone())
    };
    let mut out = TokenStream::new();
    for token in template {
        match &token {
            TokenTree::Ident(word) => match replaced(word) {
                Some(part) => out.extend(part),
                None => out.extend([token]),
            },
            TokenTree::Group(group) => {
                let mut filled = Group::new(group.delimiter(), fill(group.stream(), parts));
                filled.set_span(group.span());
                out.extend([TokenTree::Group(filled)]);
            }
            _ => out.extend([token]),
        }
    }
    out
}

/// The parts between the separators that stand outside all brackets. Keys have types of one word, so that no comma and no colon
/// stands in one.
fn split(tokens: TokenStream, separator: char) -> impl Iterator<Item = TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        let is_separator = matches!(&token, TokenTree::Punct(mark)
            if mark.as_char() == separator && mark.spacing() == proc_macro::Spacing::Alone);
        match parts.last_mut() {
            _ if is_separator => parts.push(TokenStream::new()),
            Some(part) => part.extend([token]),
            None => {}
        }
    }
    parts.into_iter()
}

fn is(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == word)
}
