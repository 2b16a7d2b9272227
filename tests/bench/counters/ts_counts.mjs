// Counts the declarations of JavaScript and TypeScript files with the TypeScript compiler's own parser, by the
// definition of a declaration that docs/languages.md shows for rift-syntax. Independent of rift's code: it reads the
// compiler's syntax tree, nothing else.
//
//   node ts_counts.mjs FOLDER EXTENSION... [--list] [--with-dts] [--typescript=PATH]
//
// EXTENSION is `.ts`, `.tsx`, `.js`, … Prints JSON {file: {kind: count}}, files relative to FOLDER and sorted; with
// `--list` one line per declaration instead: file, kind, name, line, joined by tabs. `.d.ts` files are left out unless
// `--with-dts` is given. The `typescript` package (5 or later) is loaded from PATH or from where node finds it.
// A file that the compiler parses with errors is counted as recovered and named on stderr.

import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

const options = process.argv.slice(2).filter((a) => a.startsWith("--"));
const [folder, ...extensions] = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const option = (name) => options.find((o) => o.startsWith(`--${name}=`))?.split("=")[1];
const ts = createRequire(import.meta.url)(option("typescript") ?? "typescript");
const K = ts.SyntaxKind;

// How deep object literals inside one another count.
const OBJECT_DEPTH = 4;
const TRANSPARENT = ["Readonly", "$ReadOnly", "Partial", "Required"];

function* files(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const full = join(path, entry.name);
    if (entry.isDirectory()) yield* files(full);
    else if (extensions.some((e) => entry.name.endsWith(e))) yield full;
  }
}

const unwrap = (node) => {
  while (
    node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
      || ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node))
  ) node = node.expression;
  return node;
};
const isFunction = (node) => !!node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
const isRequire = (node) => {
  while (node && ts.isPropertyAccessExpression(node)) node = node.expression;
  return !!node && ts.isCallExpression(node) && node.expression.getText() === "require"
    && !!node.arguments[0] && ts.isStringLiteral(node.arguments[0]);
};
const objectOf = (node) => {
  if (!node) return undefined;
  if (ts.isObjectLiteralExpression(node)) return node;
  const freezes = ts.isCallExpression(node) && ["Object.freeze", "Object.seal"].includes(node.expression.getText());
  return freezes && node.arguments[0] && ts.isObjectLiteralExpression(node.arguments[0]) ? node.arguments[0] : undefined;
};
const has = (node, kind) => !!node.modifiers?.some((m) => m.kind === kind);

class Counter {
  constructor(source, plain) {
    this.source = source;
    this.plain = plain;
    this.found = [];
  }

  add(kind, node, name) {
    const text = name?.getText?.(this.source) ?? name ?? "";
    const line = this.source.getLineAndCharacterOfPosition((name?.getStart ? name : node).getStart(this.source)).line;
    this.found.push({ kind, name: text.replace(/^["'](.*)["']$/s, "$1")
      .replace(/^\[\s*["'](.*)["']\s*\]$/s, "$1").replace(/^\[\s*|\s*\]$/g, (m) => m.trim()), line: line + 1 });
  }

  run() {
    const names = { own: new Set(), module: undefined };
    names.module = names;
    for (const statement of this.source.statements) this.visit(statement, { level: "module", names });
  }

  children(node, place) {
    ts.forEachChild(node, (child) => this.visit(child, place));
  }

  // Below a declaration: only functions and classes count, and it has names of its own.
  local(node, place) {
    if (node) this.children(node, { level: "local", names: { own: new Set(), module: place.names.module } });
  }

  visit(node, place) {
    const names = place.names;
    const inBody = { level: "local", names };
    if (ts.isFunctionDeclaration(node)) {
      this.add("function", node, node.name ?? "default");
      if (node.name) names.own.add(node.name.text);
      return this.local(node, place);
    }
    if (ts.isClassDeclaration(node) || (ts.isClassExpression(node) && node.name)) {
      this.add("class", node, node.name ?? "default");
      if (node.name) names.own.add(node.name.text);
      return this.members(node, place);
    }
    if (ts.isInterfaceDeclaration(node)) {
      this.add("interface", node, node.name);
      return node.members.forEach((m) => this.typeMember(m));
    }
    if (ts.isTypeAliasDeclaration(node)) return this.alias(node);
    if (ts.isEnumDeclaration(node)) {
      this.add("enum", node, node.name);
      return node.members.forEach((m) => this.add("enum_member", m, m.name));
    }
    if (ts.isModuleDeclaration(node)) {
      this.add("namespace", node, node.name);
      const inner = { level: "module", names: { own: new Set(), module: names.module } };
      if (node.body && ts.isModuleBlock(node.body)) node.body.statements.forEach((s) => this.visit(s, inner));
      else if (node.body) this.visit(node.body, inner);
      return;
    }
    if (ts.isVariableStatement(node)) {
      const hoisted = place.level === "block" && !(node.declarationList.flags & ts.NodeFlags.BlockScoped);
      if (place.level === "module" || hoisted) return this.variables(node, place);
      return this.children(node, inBody);
    }
    if (ts.isExportAssignment(node)) return this.exportAssignment(node, place);
    if (ts.isExportDeclaration(node)) return this.exportDeclaration(node);
    if (ts.isNamespaceExportDeclaration(node)) return this.add("export_alias", node, node.name);
    if (ts.isImportEqualsDeclaration(node)) {
      if (has(node, K.ExportKeyword)) this.add("export_alias", node, node.name);
      return;
    }
    if (ts.isExpressionStatement(node) && ts.isBinaryExpression(node.expression)
      && node.expression.operatorToken.kind === K.EqualsToken) return this.assignment(node, place);
    if (ts.isFunctionLike(node) || ts.isClassExpression(node) || ts.isForStatement(node) || ts.isForInStatement(node)
      || ts.isForOfStatement(node)) return this.children(node, inBody);
    if (ts.isBlock(node) && place.level === "module") return this.children(node, { level: "block", names });
    return this.children(node, place);
  }

  variables(statement, place) {
    for (const declaration of statement.declarationList.declarations) {
      const value = declaration.initializer;
      if (this.plain && !has(statement, K.ExportKeyword) && isRequire(value)) continue;
      const kind = statement.declarationList.flags & (ts.NodeFlags.Const | ts.NodeFlags.Using) ? "constant" : "variable";
      if (!ts.isIdentifier(declaration.name)) {
        this.pattern(declaration.name, kind, place);
        if (value) this.visit(value, { level: "local", names: place.names });
        continue;
      }
      place.names.own.add(declaration.name.text);
      this.value(kind, "function", declaration, declaration.name, value, place);
    }
  }

  pattern(pattern, kind, place) {
    for (const element of pattern.elements) {
      if (ts.isOmittedExpression(element)) continue;
      if (!ts.isIdentifier(element.name)) this.pattern(element.name, kind, place);
      else {
        this.add(kind, element, element.name);
        place.names.own.add(element.name.text);
      }
    }
  }

  // A declaration by its value: a function, a class, an object with members, or `kind`.
  value(kind, callable, node, name, value, place) {
    const inner = unwrap(value);
    if (isFunction(inner)) {
      this.add(callable, node, name);
      return this.local(inner, place);
    }
    if (inner && ts.isClassExpression(inner)) {
      this.add("class", node, name);
      return this.members(inner, place);
    }
    this.add(kind, node, name);
    const object = objectOf(inner);
    const below = { level: "local", names: { own: new Set(), module: place.names.module } };
    if (object) return this.object(object, 1, "method", below);
    if (value) this.visit(value, below);
  }

  object(object, level, callable, place) {
    for (const member of object.properties) {
      if (ts.isMethodDeclaration(member)) {
        this.add(callable, member, member.name);
        this.local(member, place);
      } else if (ts.isAccessor(member)) {
        this.add("property", member, member.name);
        this.local(member, place);
      } else if (ts.isPropertyAssignment(member)) this.pair(member, level, callable, place);
      else if (ts.isShorthandPropertyAssignment(member) && level === 1 && callable === "method") {
        this.add("property", member, member.name);
      } else if (ts.isSpreadAssignment(member)) this.visit(member.expression, { level: "local", names: place.names });
    }
  }

  pair(member, level, callable, place) {
    const value = unwrap(member.initializer);
    const object = objectOf(value);
    const holdsFunction = (o) =>
      o.properties.some((p) => ts.isMethodDeclaration(p) || ts.isAccessor(p)
        || (ts.isPropertyAssignment(p) && isFunction(unwrap(p.initializer))));
    const container = object && level < OBJECT_DEPTH && (level === 1 || holdsFunction(object));
    if (isFunction(value)) {
      this.add(callable, member, member.name);
      this.local(value, place);
    } else if (callable === "function" && (ts.isIdentifier(value) || isRequire(value))) {
      if (member.name.getText() !== value.getText()) this.add("export_alias", member, member.name);
    } else if (ts.isClassExpression(value) && level === 1) {
      this.add("class", member, member.name);
      this.members(value, place);
    } else if (level === 1 || container) {
      this.add(callable === "function" ? "variable" : "property", member, member.name);
      const below = { level: "local", names: { own: new Set(), module: place.names.module } };
      if (container) this.object(object, level + 1, "method", below);
      else this.visit(value, below);
    } else this.visit(value, { level: "local", names: place.names });
  }

  members(node, place) {
    const names = { own: new Set(), module: place.names.module };
    for (const clause of node.heritageClauses ?? []) this.children(clause, { level: "local", names });
    for (const member of node.members) if (member.name) names.own.add(member.name.getText());
    for (const member of node.members) {
      if (ts.isConstructorDeclaration(member)) {
        this.add("method", member, "constructor");
        for (const p of member.parameters) {
          const makes = p.modifiers?.some((m) =>
            [K.PublicKeyword, K.PrivateKeyword, K.ProtectedKeyword, K.ReadonlyKeyword, K.OverrideKeyword].includes(m.kind));
          if (makes && ts.isIdentifier(p.name)) this.add("property", p, p.name);
        }
        this.local(member, place);
        if (this.plain && member.body) this.thisProperties(member.body, names.own, place);
      } else if (ts.isMethodDeclaration(member)) {
        this.add("method", member, member.name);
        this.local(member, place);
      } else if (ts.isAccessor(member)) {
        this.add("property", member, member.name);
        this.local(member, place);
      } else if (ts.isPropertyDeclaration(member)) {
        this.add(isFunction(unwrap(member.initializer)) ? "method" : "property", member, member.name);
        this.local(member, place);
      } else this.local(member, place);
    }
  }

  // Properties that a JavaScript constructor's own statements make.
  thisProperties(node, seen, place) {
    ts.forEachChild(node, (child) => {
      if (ts.isFunctionLike(child) || ts.isClassLike(child)) return;
      let value = ts.isExpressionStatement(child) ? child.expression : undefined;
      const targets = [];
      while (value && ts.isBinaryExpression(value) && value.operatorToken.kind === K.EqualsToken) {
        targets.push(value.left);
        value = unwrap(value.right);
      }
      for (const left of targets) {
        if (!ts.isPropertyAccessExpression(left) || left.expression.kind !== K.ThisKeyword) continue;
        if (seen.has(left.name.text)) continue;
        seen.add(left.name.text);
        this.add(isFunction(value) ? "method" : "property", left, left.name);
        const object = objectOf(value);
        if (object) this.object(object, 1, "method", place);
      }
      this.thisProperties(child, seen, place);
    });
  }

  typeMember(member) {
    if (ts.isMethodSignature(member)) this.add("method", member, member.name);
    else if (ts.isPropertySignature(member) || ts.isAccessor(member)) this.add("property", member, member.name);
  }

  alias(node) {
    this.add("type_alias", node, node.name);
    const open = [node.type];
    while (open.length) {
      const type = open.pop();
      if (ts.isTypeLiteralNode(type)) type.members.forEach((m) => this.typeMember(m));
      else if (ts.isIntersectionTypeNode(type)) open.push(...type.types);
      else if (ts.isParenthesizedTypeNode(type)) open.push(type.type);
      else if (ts.isTypeReferenceNode(type) && TRANSPARENT.includes(type.typeName.getText()) && type.typeArguments) {
        open.push(type.typeArguments[0]);
      }
    }
  }

  exportAssignment(node, place) {
    if (node.isExportEquals) return;
    const value = unwrap(node.expression);
    if (ts.isIdentifier(value)) return;
    this.value("constant", "function", node, "default", node.expression, place);
  }

  exportDeclaration(node) {
    if (!node.exportClause) return;
    if (ts.isNamespaceExport(node.exportClause)) return this.add("export_alias", node, node.exportClause.name);
    for (const e of node.exportClause.elements) {
      if (!e.propertyName || e.propertyName.text === e.name.text) continue;
      if (!node.moduleSpecifier && e.name.text === "default") continue;
      this.add("export_alias", e, e.name);
    }
  }

  assignment(node, place) {
    let value = node.expression;
    const targets = [];
    while (ts.isBinaryExpression(value) && value.operatorToken.kind === K.EqualsToken) {
      targets.push(value.left);
      value = unwrap(value.right);
    }
    const isValue = isFunction(value) || ts.isClassExpression(value);
    const owned = (name) => place.names.own.has(name) || place.names.module.own.has(name);
    let seen = false;
    for (const left of targets) {
      const parts = left.getText().split(".").map((p) => p.trim());
      const name = left.name ?? left;
      if (parts[0] === "exports" && parts.length === 1 || parts.join(".") === "module.exports") {
        seen = this.exportsObject(node, value, place) || seen;
      } else if ((parts[0] === "exports" && parts.length === 2) || (parts.slice(0, 2).join(".") === "module.exports" && parts.length === 3)) {
        if (ts.isVoidExpression(value) || value.getText() === "undefined") continue;
        if (ts.isIdentifier(value) && value.text === name.text) continue;
        const alias = ts.isIdentifier(value) || isRequire(value);
        this.value(alias ? "export_alias" : "variable", "function", node, name, value, place);
        seen = true;
      } else if (parts.length === 2 && parts[1] === "prototype" && owned(parts[0])) {
        const object = objectOf(value);
        if (object) {
          this.object(object, 1, "method", place);
          seen = true;
        }
      } else if (isValue && owned(parts[0]) && (parts.length === 2 || (parts.length === 3 && parts[1] === "prototype"))) {
        this.value("property", "method", node, name, value, place);
        seen = true;
      }
    }
    if (!seen) this.children(node, place);
  }

  exportsObject(node, value, place) {
    if (isFunction(value) || ts.isClassExpression(value)) {
      this.value("variable", "function", node, value.name ?? "default", value, place);
      return true;
    }
    const object = objectOf(value);
    if (object) this.object(object, 1, "function", place);
    return !!object;
  }
}

const out = {};
const paths = [...files(folder)].filter((p) => options.includes("--with-dts") || !/\.d\.[cm]?ts$/.test(p)).sort();
for (const path of paths) {
  const name = relative(folder, path);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const counter = new Counter(source, /\.[cm]?jsx?$/.test(path));
  counter.run();
  const errors = source.parseDiagnostics.length;
  if (errors) console.error(`${name}: ${errors} syntax errors`);
  if (options.includes("--list")) {
    for (const { kind, name: n, line } of counter.found) console.log([name, kind, n, line].join("\t"));
    continue;
  }
  const counts = {};
  for (const { kind } of counter.found) counts[kind] = (counts[kind] ?? 0) + 1;
  out[name] = Object.fromEntries(Object.entries(counts).sort());
}
if (!options.includes("--list")) console.log(JSON.stringify(out, null, 1));
