/**
 * Writes the types of the Python package from those of the npm package, as listed in python/types.ts. Objects become
 * `TypedDict`s.
 */

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { at } from "./paths.mjs";

/**
 * The TypeScript compiler that API Extractor contains, because the project's own compiler has no API. It is loaded when it
 * is used: `npm test` imports this file before it installs packages.
 */
let ts;

/** Matches types of values that programs pass in. Any sequence or mapping is accepted for them. */
const OPTIONS = /Options$|^(?:Scope|Selection|Budget|Limits|SearchSettings|ProfileSettings|Enrichment|ToolCall)$/;
/** The fields that are written as `float` and not as `int`. */
const FLOATS = ["score", "likelihood", "contribution", "share", "overChance", "now"];
/** A union of more strings than this is written as `str`. */
const MOST_TEXTS = 20;

const HEAD = `"""What toolsift takes and gives: plain data, as type checkers see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
`;

export function writeTypes() {
  const require = createRequire(import.meta.url);
  ts = createRequire(require.resolve("@microsoft/api-extractor"))("typescript");
  const file = at("python", "types.ts");
  const { NodeNext } = ts.ModuleKind;
  const program = ts.createProgram([file], { strict: true, exactOptionalPropertyTypes: true, module: NodeNext, types: [] });
  const [wrong] = program.getSemanticDiagnostics(program.getSourceFile(file));
  if (wrong !== undefined) throw new Error(`python/types.ts: ${ts.flattenDiagnosticMessageText(wrong.messageText, " ")}`);
  const checker = program.getTypeChecker();
  const declared = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file))).map((symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return { name: symbol.name, own, type: checker.getDeclaredTypeOfSymbol(own) };
  });
  const names = new Map(declared.map(({ name, type }) => [keyOf(type), name]));
  const texts = declared.map((one) =>
    isDict(one.type, checker)
      ? dict(one, { checker, names, isTaken: OPTIONS.test(one.name) })
      : alias(one, { checker, names }),
  );
  writeFileSync(at("python", "toolsift", "types.py"), [HEAD, ...texts].join("\n\n"));
}

function isDict(type, checker) {
  return (type.flags & ts.TypeFlags.Object || type.isIntersection()) && checker.getPropertiesOfType(type).length > 0;
}

function alias({ name, own, type }, write) {
  const others = new Map([...write.names].filter(([, other]) => other !== name));
  const text = rendered(type, { ...write, names: others, isTaken: true });
  return `# ${docOf(own, write.checker)}\n${name}: TypeAlias = '${text}'\n`;
}

/** Returns the key of a type. Unions with the same members have the same key. */
function keyOf(type) {
  const members = Array.isArray(type) ? type : membersOf(type);
  return members.length === 1
    ? members[0]
    : members
        .map(({ id }) => id)
        .sort()
        .join();
}

function membersOf(type) {
  return type.isUnion() && !(type.flags & ts.TypeFlags.Boolean) ? type.types : [type];
}

function dict({ name, own, type }, write) {
  const fields = write.checker.getPropertiesOfType(type);
  const isOptional = (field) => (field.flags & ts.SymbolFlags.Optional) !== 0;
  const isEmptyable = fields.every(isOptional);
  const lines = fields.map((field) => {
    const text = rendered(write.checker.getTypeOfSymbol(field), { ...write, field: field.name });
    const doc = docOf(field, write.checker);
    return `    ${snake(field.name)}: ${isOptional(field) && !isEmptyable ? `NotRequired[${text}]` : text}\n${doc && `    """${doc}"""\n`}`;
  });
  return `class ${name}(TypedDict${isEmptyable ? ", total=False" : ""}):\n    """${docOf(own, write.checker)}"""\n\n${lines.join("")}`;
}

/** Returns a type in Python's syntax. */
function rendered(type, write) {
  const parts = membersOf(type).filter((one) => !(one.flags & ts.TypeFlags.Undefined));
  const name = write.names.get(keyOf(type)) ?? write.names.get(keyOf(parts));
  if (name !== undefined) return name;
  const texts = parts.filter((one) => one.isStringLiteral()).map(({ value }) => JSON.stringify(value));
  const literal = texts.length > MOST_TEXTS ? ["str"] : texts.length > 0 ? [`Literal[${texts.sort().join(", ")}]`] : [];
  const others = parts.filter((one) => !one.isStringLiteral()).map((one) => simple(one, write));
  return [...new Set([...literal, ...others])].sort((one, other) => (one === "None") - (other === "None")).join(" | ");
}

function simple(type, write) {
  const { checker, names, isTaken, field } = write;
  const { flags } = type;
  if (names.has(type)) return names.get(type);
  if (flags & ts.TypeFlags.BooleanLike) return "bool";
  if (flags & ts.TypeFlags.NumberLike) return FLOATS.includes(field) ? "float" : "int";
  if (flags & ts.TypeFlags.StringLike) return "str";
  if (flags & ts.TypeFlags.Null) return "None";
  if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return "Any";
  if (checker.isArrayType(type)) {
    return `${isTaken ? "Sequence" : "list"}[${rendered(checker.getTypeArguments(type)[0], write)}]`;
  }
  if (type.getCallSignatures().length > 0) return "Callable[[str], float]";
  const inner = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (inner !== undefined) {
    const value = type.symbol?.name === "JsonObject" ? "Any" : rendered(inner, { ...write, field: FLOATS[0] });
    return `${isTaken ? "Mapping" : "dict"}[str, ${value}]`;
  }
  throw new Error(`python/types.ts has no name for ${checker.typeToString(type)}, the type of ${field}`);
}

/** Returns the documentation of a type or a field, with names in Python's spelling. */
function docOf(symbol, checker) {
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, " ");
  const spelled = doc
    .replaceAll("\\", "\\\\")
    .replace(/\bnull( or undefined)?\b/g, "None")
    .replace(/`([^`]*)`/g, (_, code) => `\`\`${code.replace(/\b[a-z]\w*/g, snake)}\`\``);
  return spelled.endsWith('"') ? `${spelled} ` : spelled;
}

const snake = (name) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
