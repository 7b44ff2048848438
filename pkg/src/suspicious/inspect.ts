/** Inspects definitions for text that a person would not see or that gives orders to the model, and shows it neutralised. */

import { ordersIn } from "./addresses-model.js";
import { escaped, hiddenIn, neutralised, neutralisedUpTo, neutralisedValue, withoutHidden, type Hidden } from "./hidden.js";
import { disguisedWord } from "./look-alike.js";
import { mixedWord } from "./mixed-scripts.js";
import { SEARCH_FIELDS, searchMeta } from "./search-words.js";
import type { ServerTool } from "./server-tool.js";
import { eachString, mapped } from "./walk.js";

/** Something in a definition that a person should look at. */
export interface Finding {
  /**
   * `hidden-text`: Unicode that is not shown. `control`: control characters or unpaired surrogates. `addresses-model`: an
   * order to the model. `look-alike`: a word with letters of another script that look like its own.
   */
  kind: "hidden-text" | "addresses-model" | "look-alike" | "control";
  where: "name" | "title" | "description" | "parameters" | "output" | "annotations" | "keywords";
  /** What was found, in one line without hidden characters. */
  detail: string;
}

const PLACES = [
  ["name", "name"],
  ["title", "title"],
  ["description", "description"],
  ["inputSchema", "parameters"],
  ["outputSchema", "output"],
  ["annotations", "annotations"],
] as const;

/** At most so many findings are reported of a tool. */
const MAX_FINDINGS = 50;
/** A description of more bytes is refused. */
export const MAX_DESCRIPTION = 65_536;
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
  const look = (value: unknown, where: Finding["where"]): void =>
    eachString(value, (text) => {
      if (found.size === MAX_FINDINGS) return;
      for (const hidden of hiddenIn(text, where === "name")) add({ ...described(hidden), where });
      const word = where === "name" ? undefined : disguisedWord(text);
      if (word !== undefined) add({ kind: "look-alike", where, detail: mixes(word) });
      // A name or a key of a few letters gives no orders.
      if (text.length < 12) return;
      for (const { detail, words } of ordersIn(text)) {
        const quoted = words === "" ? "" : `: "${neutralised(words.slice(0, QUOTED))}"`;
        add({ kind: "addresses-model", where, detail: `${detail}${quoted}` });
      }
    });
  for (const [field, where] of PLACES) look(tool[field], where);
  const fields = tool as unknown as Record<string, unknown>;
  look([...SEARCH_FIELDS.map((field) => fields[field]), ...searchMeta(tool._meta)], "keywords");
  const word = typeof tool.name === "string" ? mixedWord(tool.name) : undefined;
  if (word !== undefined) {
    add({ kind: "look-alike", where: "name", detail: mixes(neutralised(word.slice(0, QUOTED))) });
  }
  return [...found.values()];
}

/**
 * The tool with hidden characters as visible escapes in its title, description, and all texts of its schemas and
 * annotations. Its name stays, because calls need it. Objects deeper than 256 levels become empty, and those after a million
 * values. What is hidden beyond 65,536 characters of escapes is left out.
 */
export function neutral({ name, ...rest }: ServerTool): ServerTool {
  // What the catalog would refuse for its length is refused all the same where it is cut behind that.
  if (typeof rest.description === "string") rest.description = neutralisedUpTo(rest.description, MAX_DESCRIPTION, true);
  return { name, ...neutralIn(rest) };
}

/** Any value of a server with hidden characters as visible escapes in all its texts, within the bounds of `neutral`. */
export function neutralIn<T extends object>(value: T): T {
  // Values that a call has to repeat keep control characters, such as a delimiter in an `enum`.
  const text = (one: string, key: string): string =>
    shown(one, key === "description" || key === "title" ? neutralisedUpTo : neutralisedValue);
  let room = MAX_ESCAPES;
  const shown = (one: string, write: typeof neutralisedUpTo): string => {
    if (room <= 0) return withoutHidden(one);
    const written = write(one, one.length + room);
    room -= written.length - one.length;
    return written;
  };
  return mapped(value, text, (key) => shown(key, neutralisedValue)) as T;
}

const mixes = (word: string): string => `"${word}" mixes Latin letters with letters that look like them`;

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
  const spelt = family === "tag" ? spelling(sample) : "";
  const detail = `${FAMILIES[family]} (${count}): ${first}${count > 5 ? " …" : ""}${spelt}`;
  return { kind: family === "control" ? "control" : "hidden-text", detail };
}

/** What tag characters spell in ASCII. */
function spelling(sample: readonly number[]): string {
  const letters = sample.filter((point) => point >= 0xe0020 && point < 0xe007f).map((point) => point - 0xe0000);
  return letters.length === 0 ? "" : `, which spell "${String.fromCharCode(...letters)}"`;
}
