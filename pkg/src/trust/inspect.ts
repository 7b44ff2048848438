/** Finds text in definitions that people cannot see or that gives orders to the model. Makes hidden characters visible. */

import { escaped, type Hidden, hiddenIn, neutralised, neutralisedUpTo, withoutHidden } from "./hidden.js";
import { disguisedWord, mixedWord, mixes, Names, type Tool } from "./names.js";
import { ordersIn } from "./orders.js";
import { MAX_DEPTH, SEARCH_FIELDS, searchMeta, type ServerTool } from "./pinned.js";
import { Recent } from "../base/recent.js";
import type { SuspiciousText } from "../types/index.js";

/** A suspicious text in a definition, which a person should check. */
export interface Finding {
  /**
   * `hidden-text`: invisible Unicode characters. `control`: control characters or unpaired surrogates. `addresses-model`: an
   * order to the model. `look-alike`: a word with letters of another script that look like its own.
   */
  kind: "hidden-text" | "addresses-model" | "look-alike" | "control";
  where: "name" | "title" | "description" | "text" | "parameters" | "output" | "annotations" | "keywords";
  /** A description of the text, in one line without hidden characters. */
  detail: string;
}

const PLACES = [
  ["name", "name"],
  ["title", "title"],
  ["description", "description"],
  ["text", "text"],
  ["inputSchema", "parameters"],
  ["outputSchema", "output"],
  ["annotations", "annotations"],
] as const;

/** The maximum number of findings of one tool. */
const MAX_FINDINGS = 50;
/** The maximum number of characters of escapes in one tool: about 9,000 hidden characters, which no honest tool has. */
const MAX_ESCAPES = 65_536;
/** The maximum length of a quotation in a finding, in characters. */
const QUOTED = 160;

/**
 * Returns the suspicious texts of a definition; empty for an ordinary one. The time is linear in the length of the texts,
 * for schemas of any depth. It finds the forms of published attacks, so an empty result is no proof of good intentions.
 */
export function inspect(tool: ServerTool): Finding[] {
  const found = new Map<string, Finding>();
  const add = (finding: Finding): void => {
    if (found.size < MAX_FINDINGS) found.set(`${finding.where} ${finding.kind} ${finding.detail}`, finding);
  };
  const look = (text: string, where: Finding["where"]): void => {
    if (found.size === MAX_FINDINGS) return;
    for (const hidden of hiddenIn(text, where === "name")) add({ ...described(hidden), where });
    const word = where === "name" ? mixedWord(text) : undefined;
    const disguised = where === "name" ? word && neutralised(word.slice(0, QUOTED)) : disguisedWord(text);
    if (disguised !== undefined) add({ kind: "look-alike", where, detail: mixes(disguised) });
    // A name or a key of a few letters cannot give orders.
    if (text.length < 12) return;
    for (const { detail, words } of ordersIn(text)) {
      const quoted = words === "" ? "" : `: "${neutralised(words.slice(0, QUOTED))}"`;
      add({ kind: "addresses-model", where, detail: `${detail}${quoted}` });
    }
  };
  const fields = tool as unknown as Record<string, unknown>;
  for (const [field, where] of PLACES) eachString(fields[field], (text) => look(text, where));
  const searched = [...SEARCH_FIELDS.map((field) => fields[field]), ...searchMeta(tool._meta)];
  eachString(searched, (text) => look(text, "keywords"));
  return [...found.values()];
}

/**
 * Returns the tool with hidden characters as visible escapes in its title, description, and all texts of its schemas and
 * annotations. Its name stays unchanged, because calls need it. Objects deeper than 256 levels become empty. After 65,536
 * characters of escapes, further hidden characters are left out.
 */
export const neutral = ({ name, ...rest }: ServerTool): ServerTool => ({ name, ...neutralIn(rest) });

/** Returns any value of a server with hidden characters as visible escapes in all texts, with the limits of `neutral`. */
export function neutralIn<T extends object>(value: T): T {
  let room = MAX_ESCAPES;
  // Values that a call must repeat keep control characters, such as a delimiter in an `enum`.
  const shown = (text: string, isRepeated: boolean): string => {
    if (room <= 0) return withoutHidden(text);
    const written = neutralisedUpTo(text, text.length + room, isRepeated);
    room -= written.length - text.length;
    return written;
  };
  const copy = (one: unknown, under: string, depth: number): unknown => {
    if (typeof one === "string") return shown(one, under !== "description" && under !== "title");
    if (typeof one !== "object" || one === null) return one;
    const isList = Array.isArray(one);
    if (depth >= MAX_DEPTH) return isList ? [] : {};
    if (isList) return one.map((item) => copy(item, under, depth + 1));
    return Object.fromEntries(Object.entries(one).map(([key, item]) => [shown(key, true), copy(item, key, depth + 1)]));
  };
  return copy(value, "", 0) as T;
}

/** Calls `visit` with every string of a JSON value of any depth: its texts, and the keys of its objects. */
function eachString(value: unknown, visit: (text: string) => void): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") visit(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        visit(key);
        open.push(item);
      }
    }
  }
}

const FAMILIES: Record<Hidden["family"], string> = {
  bidi: "characters that change the direction of text",
  "zero-width": "characters without a width",
  tag: "tag characters",
  variation: "variation selectors without an emoji",
  control: "control characters or unpaired surrogates",
  other: "characters that are not shown",
};

function described({ family, sample, count }: Hidden): Pick<Finding, "kind" | "detail"> {
  const first = sample.slice(0, 5).map(escaped).join(" ");
  const letters = family === "tag" ? sample.filter((point) => point >= 0xe0020 && point < 0xe007f) : [];
  const spelt = String.fromCharCode(...letters.map((point) => point - 0xe0000));
  const detail = `${FAMILIES[family]} (${count}): ${first}${count > 5 ? " …" : ""}`;
  return {
    kind: family === "control" ? "control" : "hidden-text",
    detail: spelt === "" ? detail : `${detail}, which spell "${spelt}"`,
  };
}

type Found = Omit<SuspiciousText, "server" | "name">;

/** The maximum number of definitions whose findings are stored; most have none. */
const KEPT = 20_000;

/** Inspects definitions, and stores the findings. */
export class Suspicions {
  /** The known names, with which later names are compared. */
  readonly names: Names;
  readonly #known = new Recent<string, Found[]>(KEPT);

  /** @param pins the pins of an earlier process, whose names are known */
  constructor(pins: readonly Tool[]) {
    this.names = new Names(pins);
  }

  /**
   * Returns the findings of a definition.
   *
   * @param hash the definition's hash; undefined if the definition is nested too deep for one
   * @param tool the server and name of the tool; undefined for your program's own tool
   */
  in(definition: Record<string, unknown>, hash: string | undefined, tool: Tool | undefined): Found[] {
    const detail = tool === undefined ? undefined : this.names.likeAnother(tool);
    const found = (hash === undefined ? undefined : this.#known.get(hash)) ?? inspect(inspectable(definition));
    if (hash !== undefined) this.#known.set(hash, found);
    return detail === undefined ? found : [...found, { kind: "look-alike", where: "name", detail }];
  }
}

/** Converts a definition of any vendor to the form that `inspect` reads. */
function inspectable(definition: Record<string, unknown>): ServerTool {
  const { function: inner } = definition;
  const isInner = definition["name"] === undefined && typeof inner === "object";
  const fields: Record<string, unknown> = isInner ? { ...definition, ...inner } : definition;
  const schemas = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters"].map((key) => fields[key]);
  return { ...(fields as unknown as ServerTool), inputSchema: schemas };
}
