/** Inspects definitions for text that a person would not see or that gives orders to the model, and shows it neutralised. */

import { escaped, type Hidden, hiddenIn, neutralised, neutralisedUpTo, withoutHidden } from "./hidden.js";
import { disguisedWord, mixedWord, mixes, Names, type Tool } from "./names.js";
import { ordersIn } from "./orders.js";
import { MAX_DEPTH, SEARCH_FIELDS, searchMeta, type ServerTool } from "./pinned.js";
import { Recent } from "../base/recent.js";
import type { SuspiciousText } from "../types/index.js";

/** Something in a definition that a person should look at. */
export interface Finding {
  /**
   * `hidden-text`: Unicode that is not shown. `control`: control characters or unpaired surrogates. `addresses-model`: an
   * order to the model. `look-alike`: a word with letters of another script that look like its own.
   */
  kind: "hidden-text" | "addresses-model" | "look-alike" | "control";
  where: "name" | "title" | "description" | "text" | "parameters" | "output" | "annotations" | "keywords";
  /** What was found, in one line without hidden characters. */
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

/** At most so many findings are reported of a tool. */
const MAX_FINDINGS = 50;
/** So many characters of escapes are written in a tool: about 9,000 hidden characters, which no honest tool has. */
const MAX_ESCAPES = 65_536;
/** The quoted words of a finding are cut to this length. */
const QUOTED = 160;

/**
 * What is suspicious in the texts of a definition; empty for an ordinary one. Takes time in proportion to the texts, however
 * deep the schemas are. Finds what published attacks look like, so that an empty answer is no proof of good intentions.
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
    // A name or a key of a few letters gives no orders.
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
 * The tool with hidden characters as visible escapes in its title, description, and all texts of its schemas and
 * annotations. Its name stays, because calls need it. Objects deeper than 256 levels become empty. What is hidden beyond 65,536
 * characters of escapes is left out.
 */
export const neutral = ({ name, ...rest }: ServerTool): ServerTool => ({ name, ...neutralIn(rest) });

/** Any value of a server with hidden characters as visible escapes in all its texts, within the bounds of `neutral`. */
export function neutralIn<T extends object>(value: T): T {
  let room = MAX_ESCAPES;
  // Values that a call has to repeat keep control characters, such as a delimiter in an `enum`.
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

/** Calls `visit` with every string of a JSON value, however deep it is: its texts and the keys of its objects. */
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

/** Definitions whose findings are kept; most have none. */
const KEPT = 20_000;

/** Inspects definitions. */
export class Suspicions {
  /** Names that are known: those that come later are compared with them. */
  readonly names: Names;
  readonly #known = new Recent<string, Found[]>(KEPT);

  /** @param pins of an earlier process: their names are known */
  constructor(pins: readonly Tool[]) {
    this.names = new Names(pins);
  }

  /**
   * @param hash that of the definition; undefined where it is nested too deep to have one
   * @param tool what it defines, unless that is the host's own
   */
  in(definition: Record<string, unknown>, hash: string | undefined, tool: Tool | undefined): Found[] {
    const detail = tool === undefined ? undefined : this.names.likeAnother(tool);
    const found = (hash === undefined ? undefined : this.#known.get(hash)) ?? inspect(inspectable(definition));
    if (hash !== undefined) this.#known.set(hash, found);
    return detail === undefined ? found : [...found, { kind: "look-alike", where: "name", detail }];
  }
}

/** A definition in any vendor's form, as `inspect` reads it. */
function inspectable(definition: Record<string, unknown>): ServerTool {
  const { function: inner } = definition;
  const isInner = definition["name"] === undefined && typeof inner === "object";
  const fields: Record<string, unknown> = isInner ? { ...definition, ...inner } : definition;
  const schemas = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters"].map((key) => fields[key]);
  return { ...(fields as unknown as ServerTool), inputSchema: schemas };
}
