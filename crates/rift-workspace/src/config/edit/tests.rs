use proptest::prelude::*;

use super::*;

fn path(key: &str) -> Vec<String> {
    parse_key(key).expect("a key")
}

#[track_caller]
fn check_set(before: &str, key: &str, value: &str, after: &str) {
    assert_eq!(set(before, &path(key), value).expect("set"), after, "{key} = {value} in {before:?}");
}

#[track_caller]
fn check_unset(before: &str, key: &str, after: Option<&str>) {
    assert_eq!(unset(before, &path(key)).expect("unset").as_deref(), after, "{key} out of {before:?}");
}

#[track_caller]
fn check_refused(outcome: Result<impl std::fmt::Debug, EditProblem>, part: &str) {
    let problem = outcome.expect_err(part).to_string();
    assert!(problem.contains(part), "{part:?} not in {problem:?}");
}

const COMMENTED: &str = "#:schema x\n# about source\n[source] # here\n# how many\nfiles   =  2000   # not more\n\n# the rest\n\n[server]\nnum_workers = 2\n";

#[test]
fn a_stated_value_is_replaced_where_it_stands() {
    check_set(COMMENTED, "source.files", "3000", &COMMENTED.replace("2000", "3000"));
    check_set("a = [ # why\n  1,\n]\nb = 1\n", "a", " [2] ", "a = [2]\nb = 1\n");
    check_set("a = '''x\ny'''", "a", "'z'", "a = 'z'");
    check_set("server = { port = 1 , x = [ 1 ] } # s\n", "server.port", "2", "server = { port = 2 , x = [ 1 ] } # s\n");
    check_set("s . \"p\" = 1\n", "s.p", "2", "s . \"p\" = 2\n");
    check_set(
        "[\"languages\".'typescript:tsx']\ninclude=[]\n",
        "languages.\"typescript:tsx\".include",
        "['**/*.tsx']",
        "[\"languages\".'typescript:tsx']\ninclude=['**/*.tsx']\n",
    );
}

#[test]
fn a_new_key_stands_behind_its_table() {
    check_set(
        COMMENTED,
        "source.respect_gitignore",
        "false",
        &COMMENTED.replace("more\n", "more\nrespect_gitignore = false\n"),
    );
    check_set("[a]\n[b]\n", "a.x", "1", "[a]\nx = 1\n[b]\n");
    check_set("[a]", "a.x", "1", "[a]\nx = 1\n");
    check_set("[a]\ny = 1", "a.x", "1", "[a]\ny = 1\nx = 1\n");
    check_set("a.y = 1\n\n[b]\n", "a.x.z", "1", "a.y = 1\na.x.z = 1\n\n[b]\n");
    check_set("[s]\nr.k = 1\nt = 2\n", "s.r.l", "3", "[s]\nr.k = 1\nr.l = 3\nt = 2\n");
    check_set("[s.t]\nk = 1\n", "s.x", "1", "[s.t]\nk = 1\n\n[s]\nx = 1\n");
    check_set("s.x = 1\n[s.t]\nk = 1\n", "s.y", "1", "s.x = 1\ns.y = 1\n[s.t]\nk = 1\n");
    check_set("a = {}\n", "a.b.c", "1", "a = { b = { c = 1 } }\n");
    check_set("a = {x = 1}\n", "a.y", "2", "a = {x = 1, y = 2 }\n");
    check_set("# h\n\n# of a\n[a]\n", "b", "1", "# h\n\nb = 1\n# of a\n[a]\n");
}

#[test]
fn a_new_table_stands_beside_its_relatives_or_at_the_end() {
    check_set("", "server.port", "2000", "[server]\nport = 2000\n");
    check_set("# nothing yet\n", "server.port", "2000", "# nothing yet\n\n[server]\nport = 2000\n");
    check_set("a = 1", "server.port", "2000", "a = 1\n\n[server]\nport = 2000\n");
    check_set(
        "[a]\nx = 1\n",
        "languages.\"typescript:tsx\".include",
        "[]",
        "[a]\nx = 1\n\n[languages.\"typescript:tsx\"]\ninclude = []\n",
    );
    // The comment below a key is its table's, the one directly above a header is the header's.
    check_set(
        "[s]\nx = 1\n# y = 2\n\n# of b\n[b]\n",
        "s.t.k",
        "1",
        "[s]\nx = 1\n# y = 2\n\n[s.t]\nk = 1\n\n# of b\n[b]\n",
    );
    check_set("[s]\nx = 1\n[b]\n", "s.t.k", "1", "[s]\nx = 1\n[s.t]\nk = 1\n[b]\n");
}

#[test]
fn line_ends_are_the_files() {
    check_set("[a]\r\nx = 1\r\n", "a.y", "2", "[a]\r\nx = 1\r\ny = 2\r\n");
    check_set("[a]\r\nx = 1\r\n", "b.y", "[\n1,\n]", "[a]\r\nx = 1\r\n\r\n[b]\r\ny = [\r\n1,\r\n]\r\n");
    check_set("[a]\r\nx = 1\r\n", "a.x", "3", "[a]\r\nx = 3\r\n");
    check_unset("[a]\r\nx = 1\r\n\r\n[b]\r\ny = 1\r\n", "b.y", Some("[a]\r\nx = 1\r\n"));
}

#[test]
fn keys_and_tables_are_taken_away() {
    check_unset(COMMENTED, "source.files", Some(&COMMENTED.replace("files   =  2000   # not more\n", "")));
    check_unset(
        COMMENTED,
        "server.num_workers",
        Some(COMMENTED.strip_suffix("\n[server]\nnum_workers = 2\n").expect("its end")),
    );
    check_unset(COMMENTED, "source", Some("#:schema x\n# about source\n\n# the rest\n\n[server]\nnum_workers = 2\n"));
    check_unset("[a]\nx = 1\n\n[a.b]\ny = 1\n\n[c]\n", "a", Some("\n[c]\n"));
    check_unset("a.x = 1\nb = 1\na.y = 1\n", "a", Some("b = 1\n"));
    check_unset("a = {x = 1, y = 2}\n", "a.x", Some("a = { y = 2}\n"));
    check_unset("[[h]]\nx = 1\n[[h]]\nx = 2\n[b]\n", "h", Some("[b]\n"));
    check_unset("# why\n[a]\nx = 1\n", "a.x", Some("# why\n[a]\n"));
    check_unset("[a]\nx = 1\n# y = 1\n", "a.x", Some("[a]\n# y = 1\n"));
    check_unset("[a]\nx = 1\ny = 1\n", "a.x", Some("[a]\ny = 1\n"));
    check_unset("a = [\n1, # one\n]\nb = 2", "a", Some("b = 2"));
    for key in ["x", "source.fil", "source.files.x.y", "server.port"] {
        check_unset("[source]\n[server]\n", key, None);
    }
    check_unset("[source]\nfiles = 1\n", "source.files.x", None);
}

#[test]
fn what_is_refused_says_what_to_do() {
    for (key, part) in
        [("", "is no dotted key"), ("a..b", "is no dotted key"), ("a b", "no dotted key"), ("a:b", "quoted")]
    {
        check_refused(parse_key(key), part);
    }
    let set = |text, key, value| set(text, &path(key), value);
    check_refused(
        set("", "server.idle_timeout", "30m"),
        "a string needs its quotes: rift config set server.idle_timeout '\"30m\"'",
    );
    for value in ["", "[1", "1, 2", "1\nb = 2", "a = 1", "\"x", "1 # one"] {
        check_refused(set("", "a.b", value), "is not TOML");
    }
    check_refused(set("[a]\nx = 1\n", "a", "{}"), "a: is a table; set its keys, or unset it first");
    check_refused(set("a.x = 1\n", "a", "{}"), "a: is a table");
    check_refused(set("a = 1\n", "a.x", "1"), "a.x: a is a value and no table; unset it first");
    check_refused(set("[[h]]\nx = 1\n", "h.x", "1"), "list of tables");
    check_refused(unset("[[h]]\nx = 1\n", &path("h.x")), "list of tables");
    check_refused(set("a = \n", "b", "1"), "not TOML");
}

fn one_of(choices: &'static [&'static str]) -> prop::sample::Select<&'static str> {
    prop::sample::select(choices.to_vec())
}

/// A text in some layout; not every one is TOML.
fn texts() -> impl Strategy<Value = String> {
    let gap = one_of(&["", "", "\n", "# a comment\n", "\n# one\n\n"]);
    let key = one_of(&["a", "b", "c", "d", "x", "\"x:y\"", "a.c", "a.d", "b.c", "a . \"x:y\""]);
    let value = one_of(&["1", "234", "[1, # one\n 2]", "{ k = 1 }", "{k={l=2}}", "'''\n[a]\nx = 1\n'''"]);
    let comment = one_of(&["", "", " # said"]);
    let header = one_of(&["[a]", "[b]", "[a.c]", "[ d . \"e\" ] # there", "[[h]]"]);
    let section = (gap.clone(), header, prop::collection::vec((gap, key, value, comment), 0..4));
    prop::collection::vec(section, 0..5).prop_map(|sections| {
        let mut text = String::new();
        for (at, (gap, header, pairs)) in sections.into_iter().enumerate() {
            if at > 0 {
                text.push_str(&format!("{gap}{header}\n"));
            }
            for (gap, key, value, comment) in pairs {
                text.push_str(&format!("{gap}{key} = {value}{comment}\n"));
            }
        }
        text
    })
}

fn keys() -> impl Strategy<Value = &'static str> {
    one_of(&[
        "a",
        "x",
        "a.c",
        "a.d",
        "a.x",
        "a.c.k",
        "b.c.d",
        "d.e",
        "d.e.f",
        "d.x",
        "a.\"x:y\"",
        "a.\"x:y\".k",
        "e.f",
        "h.x",
    ])
}

/// The value at a key, of a text that is TOML.
fn value_at(text: &str, key: &[String]) -> Option<toml::Value> {
    let table: toml::Table = text.parse().expect("TOML");
    key.iter().try_fold(toml::Value::Table(table), |value, name| value.get(name).cloned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_says_what_it_should_and_nothing_else(text in texts(), key in keys(), value in 0..1000u32) {
        prop_assume!(text.parse::<toml::Table>().is_ok());
        let key = path(key);
        let Ok(edited) = set(&text, &key, &value.to_string()) else { return Ok(()); };
        prop_assert_eq!(value_at(&edited, &key), Some(toml::Value::Integer(value.into())), "{}", edited);
        prop_assert!(super::super::get::same_beside(&text, &edited, &key), "{}", edited);
        // One insertion or replacement: what is around it is what was there.
        let head = text.bytes().zip(edited.bytes()).take_while(|(a, b)| a == b).count();
        let tail = text.bytes().rev().zip(edited.bytes().rev()).take_while(|(a, b)| a == b).count();
        let stated = statements(&text).expect("TOML").iter().any(|s| s.kind == Kind::Pair && key.starts_with(&s.path));
        prop_assert!(stated || head + tail >= text.len(), "{}", edited);
        // Taken away again, nothing is left of it.
        let back = unset(&edited, &key).expect("no list").expect("stated");
        prop_assert_eq!(value_at(&back, &key), None, "{}", back);
        prop_assert!(super::super::get::same_beside(&text, &back, &key), "{}", back);
        // A comment that could be its table's keeps the header.
        if !stated && !text.contains('#') && value_at(&text, &key[..key.len() - 1]).is_none() && !text.ends_with("\n\n") {
            prop_assert_eq!(back, text);
        }
    }
}
