//! The page of `rift debug queries --html`, as a browser without a network sees it.

use std::process::Stdio;

use rift_tests::{Project, peer, rift};

/// The page after its script ran, as headless Chromium prints it.
fn dumped(project: &Project, page: &str) -> Option<String> {
    let chromium = peer("chromium")?;
    let mut command = chromium.command();
    let profile = project.home().join("chromium");
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("file://{}", project.root().join(page).display()))
        .stdin(Stdio::null());
    let output = command.output().expect("Chromium starts");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_page_draws_the_graph_the_table_and_the_generations() {
    let project = Project::with([
        ("lib.py", "def f():\n    return 1\n"),
        ("user.py", "from lib import f\n\ndef g():\n    return f()\n"),
    ]);
    let written = rift(&project, &["debug", "queries", "--html", "page.html"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    let text = project.read("page.html");
    // Nothing is fetched: the names of XML are the only addresses.
    let addresses = text.matches("http").count();
    assert_eq!(addresses, text.matches("xmlns=\"http://www.w3.org/2000/svg\"").count(), "addresses in the page");
    assert!(!text.contains(" src=") && !text.contains("<link"), "the page fetches something");
    let Some(page) = dumped(&project, "page.html") else { return };
    assert!(page.contains("data-ready=\"yes\""), "the script ran: {page}");
    let rows = page.split("<tbody>").nth(1).and_then(|rest| rest.split("</tbody>").next()).expect("a table");
    let queries = rows.matches(">query</td>").count();
    assert!(queries > 40, "{queries} queries");
    assert_eq!((rows.matches(">input</td>").count(), rows.matches(">key</td>").count()), (3, 6));
    assert!(page.matches("class=\"node\"").count() > 20, "boxes of the graph");
    assert!(page.matches("class=\"edge\"").count() > 20, "edges of the graph");
    assert!(page.matches("class=\"bar\"").count() >= 2, "generations");
    assert!(page.contains("<text") && page.contains(">binding_facts</text>"), "boxes have names");
}
