"""Lists the declarations of Python files with Python's own parser: `path kind name line`, joined by tabs.

    python3 python_list.py FOLDER <PATHS

PATHS, one a line on standard input, are relative to FOLDER. Declared are functions and classes wherever they stand; the
names that assignments bind at module and class level, the first time each; and the attributes that methods assign
through their first parameter, the first time each and unless the class itself has the name (a property's setter is
called then). A file that does not parse is named on standard error.
"""

import ast
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")


def targets(statement):
    """The names and attributes that an assignment binds."""
    if isinstance(statement, ast.Assign):
        open_ = list(statement.targets)
    elif isinstance(statement, ast.AnnAssign):
        open_ = [statement.target]
    else:
        return
    while open_:
        target = open_.pop(0)
        if isinstance(target, (ast.Tuple, ast.List)):
            open_ = list(target.elts) + open_
        elif isinstance(target, ast.Starred):
            open_.insert(0, target.value)
        elif isinstance(target, (ast.Name, ast.Attribute)):
            yield target


class Lister:
    def __init__(self, path):
        self.path = path

    def add(self, kind, name, line):
        print(self.path, kind, name, line, sep="\t")

    def body(self, statements, bound, owner, receiver):
        """One block. `bound` holds the names of the module or class, `owner` those of the class a method belongs to,
        `receiver` its first parameter; inside functions `bound` is None."""
        for statement in statements:
            self.statement(statement, bound, owner, receiver)

    def statement(self, node, bound, owner, receiver):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.add("callable", node.name, node.lineno)
            first = (node.args.posonlyargs + node.args.args)[:1]
            is_method = isinstance(bound, ClassNames)
            static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
            inner_receiver = first[0].arg if is_method and first and not static else None
            self.body(node.body, None, bound if is_method else None, inner_receiver)
        elif isinstance(node, ast.ClassDef):
            self.add("class", node.name, node.lineno)
            self.body(node.body, ClassNames(node), None, None)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in targets(node):
                self.bind(target, bound, owner, receiver)
        else:
            for _, value in ast.iter_fields(node):
                inner = value if isinstance(value, list) else [value]
                for child in inner:
                    if isinstance(child, (ast.stmt, ast.excepthandler, getattr(ast, "match_case", ast.stmt))):
                        self.statement(child, bound, owner, receiver)

    def bind(self, target, bound, owner, receiver):
        if isinstance(target, ast.Name):
            if bound is None or target.id in bound:
                return
            bound.add(target.id)
            self.add("name", target.id, target.lineno)
        elif receiver and isinstance(target.value, ast.Name) and target.value.id == receiver and target.attr not in owner.all:
            owner.all.add(target.attr)
            self.add("name", target.attr, target.lineno)


class ClassNames(set):
    """The names that assignments bind in a class; `all` holds these, its functions' and its instances' attributes."""

    def __init__(self, node):
        super().__init__()
        definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        self.all = {inner.name for inner in node.body if isinstance(inner, definitions)}
        for inner in node.body:
            self.all.update(target.id for target in targets(inner) if isinstance(target, ast.Name))


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sys.stdin.read().splitlines():
        try:
            tree = ast.parse((folder / path).read_bytes())
        except (SyntaxError, ValueError) as problem:
            print(f"{path}: {problem}", file=sys.stderr)
            continue
        Lister(path).body(tree.body, set(), None, None)


main()
