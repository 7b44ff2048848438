/** Reads JSON with comments and trailing commas, even if it is partly broken, and changes it without touching the rest. */

import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { bareObject, type Document, type Fault, type Named } from "./data.js";

/** Messages for error codes of jsonc-parser whose names are not clear. */
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

/** Matches a very long line. Texts with such a line are not formatted, because jsonc-parser would take long. */
const LONG_LINE = /[^\n]{20000}/;

export function read(text: string, at: readonly string[]): Document {
  const { tree, value: root, faults } = parsed(text);
  if (tree && tree.type !== "object") faults.push({ message: "the file holds no object", offset: tree.offset });
  let section = tree?.type === "object" ? tree : undefined;
  for (let depth = 1; section && depth <= at.length; depth += 1) {
    const node: Node | undefined = findNodeAtLocation(tree!, at.slice(0, depth));
    section = node?.type === "object" ? node : undefined;
    const keys = at.slice(0, depth).map((key) => JSON.stringify(key));
    if (node && !section) faults.push({ message: `${keys.join(".")} is no object`, offset: node.offset });
  }
  const items = section ? propertiesOf(section).map(([name, node]) => itemOf(name, node)) : [];
  return { root, items, faults };
}

/** Parses a text. Returns the syntax tree and the value of the readable part, and the faults. */
export function parsed(text: string): { tree: Node | undefined; value: unknown; faults: Fault[] } {
  const errors: ParseError[] = [];
  try {
    const tree = treeOf(text, errors);
    const faults = errors.map(({ error, offset }) => {
      const code = printParseErrorCode(error);
      return { message: MEANINGS[code] ?? code.replaceAll(/(?<=[a-z])([A-Z])/g, " $1").toLowerCase(), offset };
    });
    // If several brackets are not closed, the parser reports them all at the end of the text. Only the first is kept.
    const told = faults.filter(({ offset }, at) => offset !== faults[at - 1]?.offset);
    return { tree, value: tree && valueOf(tree), faults: told };
  } catch (error) {
    // The parser is recursive, so thousands of nested levels exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return { tree: undefined, value: undefined, faults: [{ message: "the values are nested too deeply", offset: 0 }] };
  }
}

export function without(text: string, at: readonly string[], names: readonly string[]): string {
  return names.reduce((left, name) => cut(left, at, name), text);
}

/** Adds properties at the start of their object, so that existing comments stay next to their properties. */
export function adding(text: string, at: readonly string[], servers: readonly Named[]): string {
  return servers.reduceRight((left, server) => put(left, at, server), text);
}

function put(text: string, at: readonly string[], [name, value]: Named): string {
  const body = text.trim() === "" ? "" : text.replace(/^\uFEFF/, "");
  const unit = /^([ \t]+)"/m.exec(body)?.[1] ?? "  ";
  const eol = /\r?\n/.exec(body)?.[0] ?? "\n";
  const formattingOptions = { eol, insertSpaces: !unit.includes("\t"), tabSize: unit.length };
  const formatted = LONG_LINE.test(body) ? {} : { formattingOptions };
  const edits = modify(body, [...at, name], value, { getInsertionIndex: () => 0, ...formatted });
  return (text.startsWith("\uFEFF") ? "\uFEFF" : "") + applyEdits(body, edits) + (body === "" ? eol : "");
}

/** Matches spaces and comments between two tokens. */
const TRIVIA = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;

/**
 * Removes one property and its comma from the text. If its line becomes empty, removes the line too. Comments stay;
 * jsonc-parser's `modify` would also remove comments between two properties.
 */
function cut(text: string, at: readonly string[], name: string): string {
  const tree = treeOf(text);
  const properties = (tree && findNodeAtLocation(tree, [...at]))?.children ?? [];
  const place = properties.findIndex((property) => property.children?.[0]?.value === name);
  if (place < 0) return text;
  const start = properties[place]!.offset;
  const end = endOf(properties[place]!);
  const comma = commaAfter(text, end) ?? (place === 0 ? undefined : commaAfter(text, endOf(properties[place - 1]!)));
  const gone: [number, number][] = [[start, end]];
  if (comma !== undefined) gone.push([comma, comma + 1]);
  gone.sort(([one], [other]) => other - one);
  const left = gone.reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
  const line = left.lastIndexOf("\n", start - (comma !== undefined && comma < start ? 2 : 1)) + 1;
  const [empty] = /^[ \t]*\r?\n/.exec(left.slice(line)) ?? [""];
  return left.slice(0, line) + left.slice(line + empty.length);
}

function commaAfter(text: string, end: number): number | undefined {
  TRIVIA.lastIndex = end;
  TRIVIA.exec(text);
  return text[TRIVIA.lastIndex] === "," ? TRIVIA.lastIndex : undefined;
}

const treeOf = (text: string, errors: ParseError[] = []) =>
  parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true, allowEmptyContent: true });

const endOf = (node: Node) => node.offset + node.length;

/** Returns the complete properties of an object. In a broken text, the last property may have no value. */
function propertiesOf(node: Node): (readonly [string, Node])[] {
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [[String(key.value), value] as const] : [];
  });
}

const itemOf = (name: string, node: Node) => ({ name, value: valueOf(node), range: [node.offset, endOf(node)] as const });

function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type === "object") return bareObject(propertiesOf(node).map(([key, value]) => [key, valueOf(value)] as const));
  return node.value;
}
