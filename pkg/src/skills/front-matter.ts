/**
 * Reads the YAML head of a `SKILL.md`: only the fields that toolsift uses, and only the YAML that they need. Other keys
 * are skipped, so that keys of other programs cause no errors.
 */

/** The head of a `SKILL.md`, and the text after it. */
export interface FrontMatter {
  /** The fields of these that are present. */
  fields: Record<string, string | string[]>;
  /** The line number of each field, by its key. */
  lines: Record<string, number>;
  body: string;
}

/** The problem of a line. Lines count from 1. */
export class BrokenLine extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface Line {
  no: number;
  text: string;
}

/** A key, the value on its line, and the lines below it. */
interface Entry {
  key: string;
  value: string;
  no: number;
  block: Line[];
}

const TEXTS = ["name", "description"];
const ITEM = /^-(?:[ \t]+(.*))?$/;

/**
 * Reads the text of a `SKILL.md`.
 *
 * @throws BrokenLine for a head that is missing or broken
 */
export function frontMatterOf(text: string): FrontMatter {
  const lines = linesOf(text);
  const end = endOf(lines);
  if (end === undefined) throw new BrokenLine(1, 'it must begin with a head between two lines "---"');
  const head = lines.slice(1, end).map((line, at) => ({ no: at + 2, text: line.trimEnd() }));
  const fields: FrontMatter["fields"] = {};
  const at: FrontMatter["lines"] = {};
  for (const entry of entriesOf(head)) {
    const { key } = entry;
    at[key] = entry.no;
    if (TEXTS.includes(key)) fields[key] = textOf(entry);
    else if (key === "allowed-tools") fields[key] = listOf(entry) ?? textOf(entry);
  }
  return { fields, lines: at, body: lines.slice(end + 1).join("\n") };
}

/** Returns the text after the head of a `SKILL.md`, even if the head is invalid. */
export function bodyOf(text: string): string {
  const lines = linesOf(text);
  const end = endOf(lines);
  return end === undefined ? text : lines.slice(end + 1).join("\n");
}

const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, "").split(/\r?\n/);

/** Returns the index of the line that ends the head. */
function endOf(lines: readonly string[]): number | undefined {
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  return lines[0]?.trimEnd() === "---" && end > 0 ? end : undefined;
}

/** Returns the entries of a map. Indented lines and list items belong to the key above. */
function entriesOf(lines: readonly Line[]): Entry[] {
  const entries = new Map<string, Entry>();
  let last: Entry | undefined;
  for (const line of lines) {
    if (line.text.startsWith("#")) continue;
    const isUnder = line.text === "" || /^[ \t]/.test(line.text) || ITEM.test(line.text);
    if (isUnder) {
      last?.block.push(line);
      continue;
    }
    const colon = line.text.search(/:(?:[ \t]|$)/);
    const key = line.text
      .slice(0, Math.max(0, colon))
      .trim()
      .replace(/^(["'])(.*)\1$/, "$2");
    if (key === "") throw new BrokenLine(line.no, '"key: value" is expected');
    if (entries.has(key)) throw new BrokenLine(line.no, `${key} stands there twice`);
    last = { key, value: line.text.slice(colon + 1).trim(), no: line.no, block: [] };
    entries.set(key, last);
  }
  return [...entries.values()];
}

/** Returns the items of a list; undefined if the value is no list. */
function listOf({ key, value, no, block }: Entry): string[] | undefined {
  const flow = /^\[(.*)\]$/.exec(withoutComment(value));
  if (flow !== null) {
    const items = flow[1]!.split(",").map((item) => item.trim());
    return items.filter((item) => item !== "").map((item) => textOf({ key, value: item, no, block: [] }));
  }
  const lines = outdented(said(block));
  if (value !== "" || lines.length === 0 || !ITEM.test(lines[0]!.text)) return undefined;
  return lines.map((line) => {
    const [, item] = ITEM.exec(line.text) ?? [];
    if (item === undefined) throw new BrokenLine(line.no, `"- " is expected before each item of ${key}`);
    return textOf({ key, value: item.trim(), no: line.no, block: [] });
  });
}

/** Returns a text: plain, in quotes, or in the lines below its key. */
function textOf({ key, value, no, block }: Entry): string {
  const start = withoutComment(value) === "" ? block.findIndex((line) => said([line]).length > 0) : -1;
  const first = block[start];
  if (first !== undefined) return textOf({ key, value: first.text.trim(), no: first.no, block: block.slice(start + 1) });
  const style = /^([|>])[+-]?(?:[ \t]+#.*)?$/.exec(value)?.[1];
  if (style !== undefined) return style === "|" ? outdented(block).map(textIn).join("\n").trim() : folded(outdented(block));
  const quote = value[0];
  if (quote === '"' || quote === "'") return quotedText(folded([{ no, text: value }, ...block]), quote, no);
  const lines = [{ no, text: value }, ...block.filter((line) => !/^[ \t]*#/.test(line.text))];
  const early = lines.find(({ text }, at) => withoutComment(text) !== text.trim() && said(lines.slice(at + 1)).length > 0);
  if (early !== undefined) throw new BrokenLine(early.no, `a comment ends a text; put quotes around ${key}`);
  const plain = folded(lines.map((line) => ({ ...line, text: withoutComment(line.text) })));
  if (/^[&*!%@`|>[{\]},]|^[-?:](?: |$)/.test(plain)) {
    throw new BrokenLine(no, `a text cannot begin with ${plain[0]}; put quotes around it`);
  }
  if (/:(?:[ \t]|$)/.test(plain)) throw new BrokenLine(no, `": " cannot stand in a text; put quotes around ${key}`);
  return plain;
}

function quotedText(whole: string, quote: string, no: number): string {
  const [, inner] = (quote === "'" ? /^'((?:[^']|'')*)'\s*(?:#.*)?$/ : /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/).exec(whole) ?? [];
  if (inner === undefined) throw new BrokenLine(no, `the quotation mark ${quote} does not end the value`);
  if (quote === "'") return inner.replaceAll("''", "'");
  try {
    return JSON.parse(`"${inner.replaceAll("\t", "\\t")}"`) as string;
  } catch {
    throw new BrokenLine(no, "it has an escape that is none of JSON's");
  }
}

/** Joins lines to one text: a line break becomes a space, and an empty line becomes a line break. */
function folded(lines: readonly Line[]): string {
  const texts = lines.map(({ text }) => text.trim());
  const whole = texts.join("\n").trim();
  return whole.replace(/\n+/g, (breaks) => (breaks.length === 1 ? " " : breaks.slice(1)));
}

/** Returns lines without their common indentation. */
function outdented(lines: readonly Line[]): Line[] {
  const indents = lines.filter(({ text }) => text !== "").map(({ text }) => /^[ \t]*/.exec(text)![0].length);
  const indent = Math.min(...indents);
  return lines.map((line) => ({ ...line, text: line.text.slice(indent) }));
}

/** Returns the lines that are neither empty nor comments. */
const said = (lines: readonly Line[]): Line[] => lines.filter(({ text }) => !/^[ \t]*(?:#|$)/.test(text));

const withoutComment = (text: string): string => text.replace(/(?:^|[ \t])#.*$/, "").trim();

const textIn = ({ text }: Line): string => text;
