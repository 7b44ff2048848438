/** JSON with comments and trailing commas: reads it with tolerance, and changes it in place. */

import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { bareObject, type Document } from "./data.js";

/** The meaning of jsonc-parser's codes, if their names do not say it. */
const MEANINGS: Record<string, string> = {
  InvalidSymbol: "unexpected word",
  ValueExpected: "a value is missing",
  PropertyNameExpected: "a key in double quotes is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "text after the end of the object",
  UnexpectedEndOfComment: "a comment does not end",
  UnexpectedEndOfString: "a string does not end",
};

export function read(text: string, at: readonly string[]): Document {
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    tree = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    // The parser calls itself for every level, so that some ten thousand levels exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return { root: undefined, items: [], faults: [{ message: "the values are nested too deeply", offset: 0 }] };
  }
  const faults = errors.map(({ error, offset }) => {
    const code = printParseErrorCode(error);
    return { message: MEANINGS[code] ?? code.replaceAll(/(?<=[a-z])([A-Z])/g, " $1").toLowerCase(), offset };
  });
  // Every bracket that is open where the text ends is told there.
  for (let at = faults.length - 1; at > 0; at--) if (faults[at]!.offset === faults[at - 1]!.offset) faults.splice(at, 1);
  if (tree && tree.type !== "object") faults.push({ message: "the file holds no object", offset: tree.offset });
  const section = tree && findNodeAtLocation(tree, [...at]);
  if (section && section.type !== "object") {
    faults.push({ message: `${at.map((key) => JSON.stringify(key)).join(".")} is no object`, offset: section.offset });
  }
  const items = section?.type === "object" ? propertiesOf(section).map(item) : [];
  return { root: tree && valueOf(tree), items, faults };
}

export function without(text: string, at: readonly string[], names: readonly string[]): string {
  return names.reduce((left, name) => cut(left, at, name), text);
}

export function adding(text: string, at: readonly string[], name: string, value: unknown): string {
  return insert(text, [...at, name], value);
}

/** Matches spaces and comments between two tokens. */
const TRIVIA = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;

/** The text without one property and its comma. Comments stay; a line that becomes empty goes. */
function cut(text: string, at: readonly string[], name: string): string {
  const section = sectionOf(text, at);
  const properties = section?.children ?? [];
  const place = properties.findIndex((property) => property.children?.[0]?.value === name);
  if (place < 0) return text;
  const start = properties[place]!.offset;
  const end = start + properties[place]!.length;
  const comma = commaAfter(text, end) ?? (place === 0 ? undefined : commaAfter(text, endOf(properties[place - 1]!)));
  const gone: [number, number][] = [[start, end]];
  if (comma !== undefined) gone.push([comma, comma + 1]);
  gone.sort(([one], [other]) => other - one);
  const left = gone.reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
  const at0 = start - (comma !== undefined && comma < start ? 1 : 0);
  const line = left.lastIndexOf("\n", at0 - 1) + 1;
  const [empty] = /^[ \t]*\r?\n/.exec(left.slice(line)) ?? [""];
  return left.slice(0, line) + left.slice(line + empty.length);
}

/**
 * The text with one more property at the end of the object that the path leads to; objects on the way are created. Written
 * by hand, since jsonc-parser's `modify` puts a property between the one before it and that one's comment.
 */
function insert(text: string, path: readonly string[], value: unknown): string {
  const eol = eolOf(text);
  let depth = path.length - 1;
  while (depth > 0 && sectionOf(text, path.slice(0, depth))?.type !== "object") depth -= 1;
  const object = sectionOf(text, path.slice(0, depth));
  const nested = path.slice(depth + 1).reduceRight<unknown>((inner, key) => bareObject([[key, inner]]), value);
  const unit = unitOf(text);
  if (object?.type !== "object") {
    const comments = text.trim() === "" || text === "\uFEFF" ? text.replace(/[^\uFEFF]/g, "") : `${text.trimEnd()}${eol}`;
    return `${comments}${JSON.stringify(bareObject([[path[0]!, nested]]), null, unit).replaceAll("\n", eol)}${eol}`;
  }
  const close = endOf(object) - 1;
  const last = object.children?.at(-1);
  const comma = last && commaAfter(text, endOf(last));
  const body = text.slice(object.offset + 1, close).trimEnd();
  // The comma goes right behind the last value, in front of its comment.
  const split = last ? endOf(last) - object.offset - 1 : 0;
  const joined = last && comma === undefined ? `${body.slice(0, split)},${body.slice(split)}` : body;
  const outer = indentOf(text, object.offset);
  const own = last && indentOf(text, last.offset, true);
  const indent = own ?? outer + unit;
  const lines = `${JSON.stringify(path[depth])}: ${JSON.stringify(nested, null, unit)}`.split("\n").join(eol + indent);
  const tail = `${eol}${indent}${lines}${comma === undefined ? "" : ","}${eol}${outer}`;
  return text.slice(0, object.offset + 1) + joined + tail + text.slice(close);
}

/** The node at a path; the root for an empty one. */
function sectionOf(text: string, at: readonly string[]): Node | undefined {
  const tree = parseTree(text.replace(/^\uFEFF/, " "), [], { allowTrailingComma: true, allowEmptyContent: true });
  return tree && findNodeAtLocation(tree, [...at]);
}

/** Where the comma after a value stands; undefined where the object ends first. */
function commaAfter(text: string, end: number): number | undefined {
  TRIVIA.lastIndex = end;
  TRIVIA.exec(text);
  return text[TRIVIA.lastIndex] === "," ? TRIVIA.lastIndex : undefined;
}

/** The spaces at the start of the line; with `first`, undefined where something stands in front of the offset. */
function indentOf(text: string, offset: number, first: true): string | undefined;
function indentOf(text: string, offset: number): string;
function indentOf(text: string, offset: number, first = false): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const [spaces] = /^[ \t]*/.exec(line)!;
  return first && spaces !== line ? undefined : spaces;
}

/** One level of indentation: what the first indented line shows. */
const unitOf = (text: string) => /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";

const eolOf = (text: string) => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");

const endOf = (node: Node) => node.offset + node.length;

/** The complete properties of an object; in a broken text the last one may lack its value. */
function propertiesOf(node: Node): (readonly [string, Node])[] {
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [[String(key.value), value] as const] : [];
  });
}

const item = ([name, node]: readonly [string, Node]) => {
  return { name, value: valueOf(node), offset: node.offset, end: node.offset + node.length };
};

function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type === "object") return bareObject(propertiesOf(node).map(([key, value]) => [key, valueOf(value)] as const));
  return node.value;
}
