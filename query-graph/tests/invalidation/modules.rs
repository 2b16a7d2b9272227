//! What an edit makes bind again among the packages of Java and Go and the modules of TypeScript and JavaScript: counted over
//! workspaces of a thousand files.

use std::collections::BTreeSet;

use super::bindings::{bind, bound, edit};
use super::world::{World, delete, write};

const FILES: usize = 1_000;
/// Files that use the one name of the library, another one of the same file, and one that is not there. `INSIDE` more lie in
/// the library's own folder and use the first name.
const SHARED: usize = 100;
const OTHER: usize = 50;
const WANTING: usize = 20;
const INSIDE: usize = 10;

/// How a language writes the same project.
struct Project {
    /// Files beside those of the library and its users.
    fixed: &'static [(&'static str, &'static str)],
    /// The library's file that declares `shared` and `other`.
    core: (&'static str, &'static str),
    /// The declaration of `shared`, and the same under another name.
    renamed: (&'static str, &'static str),
    /// The file that is wanted.
    late: (&'static str, &'static str),
    /// Where user number `n` lies, whether inside the library's folder, and what it says for a use of `shared`, `other`,
    /// `wanted` or none of them.
    user: fn(usize, bool) -> String,
    text: fn(usize, Option<&str>) -> String,
    /// What user number `n` inside the library's folder says.
    inside: fn(usize) -> String,
}

const JAVA: Project = Project {
    fixed: &[],
    core: (
        "src/lib/Core.java",
        "package lib;\npublic class Core {\n    public static int shared() { return 1; }\n    \
         public static int other() { return 2; }\n}\n",
    ),
    renamed: ("int shared()", "int renamed()"),
    late: ("src/lib/Late.java", "package lib;\npublic class Late { public static int wanted() { return 3; } }\n"),
    user: |n, inside| match inside {
        true => format!("src/lib/Inside{n}.java"),
        false => format!("src/app/m{:02}/User{n}.java", n / 25),
    },
    text: |n, name| {
        let (import, call) = match name {
            Some("wanted") => ("import lib.Late;\n", "Late.wanted()".to_owned()),
            Some(name) => ("import lib.Core;\n", format!("Core.{name}()")),
            None => ("", "run()".to_owned()),
        };
        format!("package app.m{:02};\n{import}class User{n} {{ int run() {{ return {call}; }} }}\n", n / 25)
    },
    inside: |n| format!("package lib;\nclass Inside{n} {{ int run() {{ return Core.shared(); }} }}\n"),
};

const GO: Project = Project {
    fixed: &[("go.mod", "module m\n")],
    core: ("lib/core.go", "package lib\n\nfunc Shared() int { return 1 }\n\nfunc Other() int { return 2 }\n"),
    renamed: ("func Shared()", "func Renamed()"),
    late: ("late/late.go", "package late\n\nfunc Wanted() int { return 3 }\n"),
    user: |n, inside| match inside {
        true => format!("lib/inside{n}.go"),
        false => format!("app/m{:02}/user{n}.go", n / 25),
    },
    text: |n, name| {
        let (import, call) = match name {
            Some("wanted") => ("import \"m/late\"\n", "late.Wanted()"),
            Some("shared") => ("import \"m/lib\"\n", "lib.Shared()"),
            Some(_) => ("import \"m/lib\"\n", "lib.Other()"),
            None => ("", "1"),
        };
        format!("package m{:02}\n\n{import}\nfunc run{n}() int {{ return {call} }}\n", n / 25)
    },
    inside: |n| format!("package lib\n\nfunc inside{n}() int {{ return Shared() }}\n"),
};

const TYPESCRIPT: Project = Project {
    fixed: &[],
    core: ("lib/core.ts", "export function shared() { return 1; }\nexport function other() { return 2; }\n"),
    renamed: ("function shared()", "function renamed()"),
    late: ("lib/late.ts", "export function wanted() { return 3; }\n"),
    user: |n, inside| match inside {
        true => format!("lib/inside{n}.ts"),
        false => format!("app/m{:02}/user{n}.ts", n / 25),
    },
    text: |n, name| match name {
        Some("wanted") => {
            format!("import {{ wanted }} from '../../lib/late';\nexport function run{n}() {{ return wanted(); }}\n")
        }
        Some(name) => {
            format!("import {{ {name} }} from '../../lib/core';\nexport function run{n}() {{ return {name}(); }}\n")
        }
        None => format!("export function run{n}() {{ return run{n}(); }}\n"),
    },
    inside: |n| format!("import * as core from './core';\nexport function inside{n}() {{ return core.shared(); }}\n"),
};

const JAVASCRIPT: Project = Project {
    fixed: &[],
    core: (
        "lib/core.js",
        "function shared() { return 1; }\nfunction other() { return 2; }\nmodule.exports = { shared, other };\n",
    ),
    renamed: ("shared", "renamed"),
    late: ("lib/late.js", "exports.wanted = function () { return 3; };\n"),
    user: |n, inside| match inside {
        true => format!("lib/inside{n}.js"),
        false => format!("app/m{:02}/user{n}.js", n / 25),
    },
    text: |n, name| match name {
        Some("wanted") => {
            format!("const {{ wanted }} = require('../../lib/late');\nexports.run{n} = () => wanted();\n")
        }
        Some(name) => format!("const core = require('../../lib/core');\nexports.run{n} = () => core.{name}();\n"),
        None => format!("exports.run{n} = () => {n};\n"),
    },
    inside: |n| format!("const {{ shared }} = require('./core');\nexports.inside{n} = () => shared();\n"),
};

impl Project {
    /// The whole project, all of it bound once.
    fn world(&self) -> World {
        let mut world = World::empty();
        let mut changes: Vec<_> = self.fixed.iter().chain([&self.core]).map(|(at, text)| write(at, text)).collect();
        for n in 0..FILES {
            let name = match n {
                n if n < SHARED => Some("shared"),
                n if n < SHARED + OTHER => Some("other"),
                n if n < SHARED + OTHER + WANTING => Some("wanted"),
                _ => None,
            };
            changes.push(write(&(self.user)(n, false), &(self.text)(n, name)));
        }
        changes.extend((0..INSIDE).map(|n| write(&(self.user)(n, true), &(self.inside)(n))));
        world.apply(changes);
        bind(&world);
        world
    }

    fn users(&self, range: std::ops::Range<usize>, inside: usize, also: &[&str]) -> BTreeSet<String> {
        let outer = range.map(|n| (self.user)(n, false));
        let inner = (0..inside).map(|n| (self.user)(n, true));
        outer.chain(inner).chain(also.iter().map(|path| (*path).to_owned())).collect()
    }

    /// Renaming what others use binds those who do, wherever they lie, and renaming it back restores the first answers.
    fn rename_binds_its_users(&self) {
        let mut world = self.world();
        let before = bind(&world);
        let (at, text) = self.core;
        let renamed = text.replace(self.renamed.0, self.renamed.1);
        let users = self.users(0..SHARED, INSIDE, &[at]);
        assert_eq!(edit(&mut world, at, &renamed), users);
        let after = bind(&world);
        let lost = SHARED + INSIDE;
        assert!(before.len() - after.len() >= lost, "a call of each: {} of {lost}", before.len() - after.len());
        assert_eq!(edit(&mut world, at, text), users);
        assert_eq!(bind(&world), before);
    }

    /// A file that is wanted binds exactly those who want it; without it they are as before.
    fn wanted_file_binds_those_who_want_it(&self) {
        let mut world = self.world();
        let before = bind(&world);
        let wanting = SHARED + OTHER..SHARED + OTHER + WANTING;
        let (at, text) = self.late;
        assert_eq!(edit(&mut world, at, text), self.users(wanting.clone(), 0, &[at]));
        assert!(bind(&world).len() >= before.len() + WANTING, "a call of each");
        let gone = bound(&mut world, |world| {
            world.apply(vec![delete(at)]);
        });
        assert_eq!(gone, self.users(wanting, 0, &[]));
        assert_eq!(bind(&world), before);
    }
}

#[test]
fn java_renames_bind_the_users_of_the_name() {
    JAVA.rename_binds_its_users();
}

#[test]
fn java_files_that_are_wanted() {
    JAVA.wanted_file_binds_those_who_want_it();
}

#[test]
fn go_renames_bind_the_users_of_the_name() {
    GO.rename_binds_its_users();
}

#[test]
fn go_packages_that_are_wanted() {
    GO.wanted_file_binds_those_who_want_it();
}

#[test]
fn typescript_renames_bind_the_users_of_the_name() {
    TYPESCRIPT.rename_binds_its_users();
}

#[test]
fn typescript_files_that_are_wanted() {
    TYPESCRIPT.wanted_file_binds_those_who_want_it();
}

#[test]
fn javascript_renames_bind_the_users_of_the_name() {
    JAVASCRIPT.rename_binds_its_users();
}

#[test]
fn javascript_files_that_are_wanted() {
    JAVASCRIPT.wanted_file_binds_those_who_want_it();
}
