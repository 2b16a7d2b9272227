//! Edits of one file's text. Whatever the edit, its own revision is looked at and the trees of its folders are built
//! anew; what lies past a firewall runs only when the edit shows through it.

use super::world::check;

/// A body is no part of an outline: the sums of the file stay equal, so no folder's sums are added up again but those
/// of the root, which reads one value from each of its folders.
#[test]
fn a_body() {
    check(
        "
        //- /src/a.py
        def f(): pass
        def g(): pass
        //- /src/b.py
        def h(): pass
        //= edit /src/a.py
        def f(): return 1
        def g(): pass
        ",
        "
        revision(/src/a.py)
        facts(/src/a.py)
        outline(/src/a.py)
        positions(/src/a.py)
        module(/src/a.py)
        placed(/src/a.py)
        file_entry(/src/a.py)
        file_symbols(/src/a.py)
        file_summary(/src/a.py)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
}

#[test]
fn a_comment() {
    check(
        "
        //- /a.rs
        fn f() {}
        //- /b.rs
        fn g() {}
        //= edit /a.rs
        // Not attached to anything.

        fn f() {}
        ",
        "
        revision(/a.rs)
        facts(/a.rs)
        outline(/a.rs)
        positions(/a.rs)
        module(/a.rs)
        placed(/a.rs)
        file_entry(/a.rs)
        file_symbols(/a.rs)
        file_summary(/a.rs)
        directory_manifest(/)
        ",
    );
}

/// A function that moves down changes positions alone: what reads the outline stands still. Go shows it: its modules
/// read the package that the text states, through the outline.
#[test]
fn a_function_moved_down() {
    check(
        "
        //- /p/a.go
        package p

        func f() {}
        //- /p/b.go
        package p

        func g() {}
        //= edit /p/a.go
        package p


        func f() {}
        ",
        "
        revision(/p/a.go)
        facts(/p/a.go)
        outline(/p/a.go)
        positions(/p/a.go)
        module(/p/a.go)
        placed(/p/a.go)
        file_entry(/p/a.go)
        file_symbols(/p/a.go)
        file_summary(/p/a.go)
        directory_manifest(/p)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
}

/// A declaration more is another outline: the package that the text states is looked up again, and comes out equal.
#[test]
fn a_declaration_more() {
    check(
        "
        //- /p/A.java
        package p;
        class A {}
        //- /p/B.java
        package p;
        class B {}
        //= edit /p/A.java
        package p;
        class A {}
        class C {}
        ",
        "
        revision(/p/A.java)
        facts(/p/A.java)
        outline(/p/A.java)
        positions(/p/A.java)
        stated_package(/p/A.java)
        module(/p/A.java)
        placed(/p/A.java)
        file_entry(/p/A.java)
        file_symbols(/p/A.java)
        file_summary(/p/A.java)
        directory_manifest(/p)
        directory_manifest(/)
        directory_summary(/p)
        directory_summary(/)
        ",
    );
}

#[test]
fn broken_source() {
    check(
        "
        //- /src/a.py
        def f(): pass
        //- /src/b.py
        def g(): pass
        //= edit /src/a.py
        def f(: pass
        ",
        "
        revision(/src/a.py)
        facts(/src/a.py)
        outline(/src/a.py)
        positions(/src/a.py)
        module(/src/a.py)
        placed(/src/a.py)
        file_entry(/src/a.py)
        file_symbols(/src/a.py)
        file_summary(/src/a.py)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
}

/// The facts, the place and the symbols of the old content are found again.
#[test]
fn an_undo() {
    check(
        "
        //- /src/a.py
        def f(): pass
        //= edit /src/a.py
        def f(): return 1
        //= edit /src/a.py
        def f(): pass
        ",
        "
        revision(/src/a.py)
        outline(/src/a.py)
        positions(/src/a.py)
        module(/src/a.py)
        placed(/src/a.py)
        file_entry(/src/a.py)
        file_summary(/src/a.py)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
}

/// A file that no language claims has a revision, and no facts to speak of.
#[test]
fn plain_text() {
    check(
        "
        //- /notes.txt
        one
        //= edit /notes.txt
        two
        ",
        "
        revision(/notes.txt)
        facts(/notes.txt)
        outline(/notes.txt)
        positions(/notes.txt)
        module(/notes.txt)
        placed(/notes.txt)
        file_entry(/notes.txt)
        file_symbols(/notes.txt)
        file_summary(/notes.txt)
        directory_manifest(/)
        ",
    );
}

/// A document's blocks are made anew for its own edits alone, and those of Markdown come from its facts.
#[test]
fn a_document() {
    check(
        "
        //- /docs/a.md
        # Title

        One.
        //- /docs/b.rst
        Title
        =====
        //= edit /docs/a.md
        # Title

        Two.
        ",
        "
        revision(/docs/a.md)
        facts(/docs/a.md)
        documentation(/docs/a.md)
        outline(/docs/a.md)
        positions(/docs/a.md)
        module(/docs/a.md)
        placed(/docs/a.md)
        file_entry(/docs/a.md)
        file_symbols(/docs/a.md)
        file_summary(/docs/a.md)
        directory_manifest(/docs)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
}
