/**
 * Reads declaration files: what each declares, what it takes from others, and what it exports. Names are followed as they
 * are written, without a type checker, so that the SDKs of adapters need not be read.
 */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { at } from "../paths.mjs";

// TypeScript 7 has no API for programs yet; the site's TypeDoc brings a version that has one.
const ts = createRequire(at("scripts", "site", "package.json"))("typescript");

const files = new Map();

/**
 * A declaration file: `declared` by name, its `imports` by local name, its `exports` by public name (each as `{ file, name }`),
 * and `all`, the files of which it exports everything.
 */
function read(path) {
  if (files.has(path)) return files.get(path);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const file = { path, source, declared: new Map(), imports: new Map(), exports: new Map(), all: [] };
  files.set(path, file);
  for (const statement of source.statements) readStatement(file, statement);
  return file;
}

function readStatement(file, statement) {
  const from = statement.moduleSpecifier?.text;
  const place = from === undefined ? file.path : placeOf(file.path, from);
  if (ts.isImportDeclaration(statement)) {
    const { name, namedBindings } = statement.importClause ?? {};
    if (name) file.imports.set(name.text, { file: place, name: "default" });
    if (!namedBindings) return;
    if (ts.isNamespaceImport(namedBindings))
      return void file.imports.set(namedBindings.name.text, { file: place, name: "*" });
    for (const { name: local, propertyName } of namedBindings.elements) {
      file.imports.set(local.text, { file: place, name: (propertyName ?? local).text });
    }
  } else if (ts.isExportDeclaration(statement)) {
    if (!statement.exportClause) return void file.all.push(place);
    if (ts.isNamespaceExport(statement.exportClause)) {
      return void file.exports.set(statement.exportClause.name.text, { file: place, name: "*" });
    }
    for (const { name, propertyName } of statement.exportClause.elements) {
      file.exports.set(name.text, { file: place, name: (propertyName ?? name).text });
    }
  } else if (ts.isExportAssignment(statement)) {
    file.exports.set("default", { file: file.path, name: statement.expression.getText() });
  } else {
    for (const name of namesOf(statement)) {
      file.declared.set(name, [...(file.declared.get(name) ?? []), statement]);
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (isExported) file.exports.set(name, { file: file.path, name });
    }
  }
}

/** The names that a statement declares. */
function namesOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  return statement.name ? [statement.name.text] : [];
}

/** The declaration file that a module specifier names, or the specifier itself where it names a package. */
const placeOf = (path, specifier) =>
  specifier.startsWith(".") ? join(dirname(path), specifier).replace(/\.js$/, ".d.ts") : specifier;

const isFile = (place) => place.endsWith(".d.ts");

/** What a file exports: public names, each with the place where it is declared, `{ file, name }`. */
export function exportsOf(path) {
  const { exports, all } = read(path);
  const found = new Map();
  for (const place of all) {
    if (!isFile(place)) found.set(`* of ${place}`, { file: place, name: "*" });
    else for (const [name, origin] of exportsOf(place)) if (name !== "default") found.set(name, origin);
  }
  for (const [name, origin] of exports) found.set(name, declaredAt(origin));
  return found;
}

/** Follows a name through the files that hand it on. */
function declaredAt({ file: path, name }) {
  if (!isFile(path) || name === "*") return { file: path, name };
  const file = read(path);
  if (file.declared.has(name)) return { file: path, name };
  const next = file.exports.get(name) ?? file.imports.get(name);
  if (next !== undefined) return declaredAt(next);
  const origin = file.all
    .filter(isFile)
    .map((place) => exportsOf(place).get(name))
    .find(Boolean);
  if (origin === undefined) throw new Error(`${path} has no ${name}`);
  return origin;
}

/** The declarations that a declaration names, each as `{ file, name }`. */
export function usedBy({ file: path, name }) {
  if (!isFile(path) || name === "*") return [];
  const file = read(path);
  const used = new Map();
  const add = (origin) => used.set(`${origin.file}#${origin.name}`, origin);
  const visit = (node) => {
    if (ts.isIdentifier(node) && isReference(node)) {
      if (file.declared.has(node.text)) add({ file: path, name: node.text });
      else if (file.imports.has(node.text)) add(declaredAt(file.imports.get(node.text)));
    }
    if (ts.isImportTypeNode(node) && node.qualifier) {
      const place = placeOf(path, node.argument.literal.text);
      add(declaredAt({ file: place, name: node.qualifier.getText().split(".")[0] }));
    }
    ts.forEachChild(node, visit);
  };
  for (const statement of file.declared.get(name)) visit(statement);
  used.delete(`${path}#${name}`);
  return [...used.values()].filter(({ file: place }) => isFile(place));
}

/** Whether an identifier refers to something; names of members and parameters do not. */
function isReference(node) {
  const { parent } = node;
  return (
    !(parent.name === node && !ts.isTypeReferenceNode(parent)) && !(ts.isQualifiedName(parent) && parent.right === node)
  );
}

/** The declarations of a name as text, without comments. */
export function textOf({ file: path, name }) {
  const { source, declared } = read(path);
  return inLines(
    declared
      .get(name)
      .map((statement) => withoutComments(source, statement))
      .join("\n"),
  );
}

/** Long choices of texts with a line for each, so that a new one is a new line. */
const inLines = (code) =>
  code.replace(/^(.{0,80} =) ("[^"\n]*"(?: \| "[^"\n]*"){4,};)$/gm, (_, start, choices) => {
    return [start, ...choices.split(" | ").map((choice) => `    | ${choice}`)].join("\n");
  });

const scanner = ts.createScanner(ts.ScriptTarget.Latest, false);
const COMMENTS = [ts.SyntaxKind.SingleLineCommentTrivia, ts.SyntaxKind.MultiLineCommentTrivia];

function withoutComments(source, statement) {
  scanner.setText(source.text, statement.getStart(source), statement.end - statement.getStart(source));
  let code = "";
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (!COMMENTS.includes(token)) code += scanner.getTokenText();
  }
  return code
    .split("\n")
    .map((line) => line.trimEnd())
    .filter(Boolean)
    .join("\n");
}

/** The names within a declaration that are marked as deprecated: of itself, or of its members. */
export function deprecatedIn({ file: path, name }) {
  const found = [];
  const visit = (node) => {
    const tag = ts.getJSDocDeprecatedTag(node);
    if (tag && node.name) found.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  for (const statement of read(path).declared.get(name)) visit(statement);
  return found;
}

/** What kind of thing a name is. */
export function kindOf({ file: path, name }) {
  if (!isFile(path) || name === "*") return "package";
  const [statement] = read(path).declared.get(name);
  if (ts.isClassDeclaration(statement)) return "class";
  if (ts.isFunctionDeclaration(statement)) return "function";
  if (ts.isVariableStatement(statement)) return "const";
  return ts.isInterfaceDeclaration(statement) ? "interface" : "type";
}
