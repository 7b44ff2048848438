/**
 * Derives from a call what it revealed: the answer of a discovery tool says what it loaded; a tool that ran, or that was
 * loaded by calling it, was loaded then. Other texts reveal nothing.
 */

import type { SettingsInfo } from "../types.js";
import { partsIn, referencesIn, texts, textsIn } from "./answers.js";
import { type Call, type Fields, fields } from "./calls.js";

/** What one call says of one tool. */
export interface Trace {
  /**
   * `loaded`: it is revealed from here on. `found`: the same, and that it was before counts as a use. `ran`: it was
   * revealed when it was called. `used`: if so, then until now.
   */
  kind: "loaded" | "found" | "ran" | "used";
  /** The name that the model sees. Where a text can be read in several ways, the longest name first that it may be. */
  names: string[];
  step: number;
}

/** By what the traces of a conversation are read. */
export interface Rules {
  settings: SettingsInfo;
  /** The names of the discovery tools. */
  surface: readonly string[];
  /** Whether a tool would be held back now if it were not revealed. */
  holds: (name: string) => boolean;
}

/** What an answer lists: names as in a trace. */
type Listed = Pick<Trace, "kind" | "names">;

/** The discovery tools whose answers load tools. Others of a surface only tell. */
const READERS: ReadonlyMap<string, (part: string | Fields, call: Call, rules: Rules) => Listed[]> = new Map([
  ["search_tools", searched],
  ["ToolSearch", searched],
  ["tool_search", searched],
  ["add_tool", added],
]);

/** What a call says, in the order in which it was revealed. */
export function tracesOf(call: Call, rules: Rules): Trace[] {
  if (call.answer === undefined) return [];
  const { name, step, answer } = call;
  if (!rules.surface.includes(name) && !call.byVendor) return called(call, rules);
  const reader = READERS.get(name);
  const found = reader === undefined ? [] : partsIn(answer).flatMap((part) => reader(part, call, rules));
  const refers = (reader !== undefined || call.byVendor) && rules.settings.reveal !== "never";
  const referred = refers ? referencesIn(answer).map((one) => loaded(one)) : [];
  const others = [...found, ...referred].filter(({ names: [one] }) => one !== undefined && !rules.surface.includes(one));
  return others.map((one) => ({ ...one, step }));
}

function loaded(...names: string[]): Listed {
  return { kind: "loaded", names };
}

/** The lines of `src/discovery/find/ranked.rs` that stand above what is loaded, in the order in which that was. */
const HEADINGS = [
  ["Loaded before:", "found"],
  ["Loaded. Call them from your next step on:", "loaded"],
] as const;

/**
 * What a search loaded. An answer of ours is JSON, which descriptions cannot break out of, or has one line for each tool,
 * since the core lets no description and no name hold more.
 */
function searched(part: string | Fields, _call: Call, { settings }: Rules): Listed[] {
  if (typeof part === "string") {
    const lines = part.split("\n");
    return HEADINGS.flatMap(([heading, kind]) => {
      const from = lines.indexOf(heading) + 1;
      const length = lines.slice(from).findIndex((line) => !line.startsWith("- "));
      const listed = from === 0 ? [] : lines.slice(from, length === -1 ? undefined : from + length);
      return listed.map((line) => ({ kind, names: readings(line.slice(2)) }));
    });
  }
  const { loaded: all, matches, tools } = part;
  const loads = settings.reveal === "search";
  // Of the two that list what is loaded, one does so whatever loads it, the other lists all that it found.
  const list = Array.isArray(all) && (loads || Array.isArray(matches)) ? all : loads ? (tools ?? matches) : [];
  if (!Array.isArray(list)) return [];
  return texts(list.map((one) => fields(one)?.["name"] ?? one)).map((name) => loaded(name));
}

/** The names that a line of `src/discovery/find/render.rs` may begin with: `name(parameters): sentence`. */
function readings(line: string): string[] {
  const names: string[] = [];
  for (let at = line.indexOf("("); at !== -1 && at <= MOST_CHARS; at = line.indexOf("(", at + 1)) {
    names.unshift(line.slice(0, at));
  }
  return names;
}

/** No name is longer. */
const MOST_CHARS = 256;

/** What `src/discovery/add.rs` says was added, and what was there already. What the model wrote comes after that. */
function added(part: string | Fields, call: Call): Listed[] {
  // A list of names that hold its separators could be read in several ways. Vendors accept no such names.
  const asked = partsIn(call.args).flatMap((one) => [fields(one)?.["tool_names"], fields(one)?.["tool_name"]].flat());
  if (typeof part !== "string" || texts(asked).some((name) => /[,\n]/.test(name))) return [];
  const [first, second] = part.split("\n", 2);
  const names = listed(first, "Added: ");
  const there = listed(names.length > 0 ? second : first, "Already available: ");
  return [...names.map((name) => loaded(name)), ...there.map((name) => loaded(name, snakeCase(name)))];
}

function listed(line: string | undefined, heading: string): string[] {
  return line?.startsWith(heading) ? line.slice(heading.length).split(", ") : [];
}

/** As `add_tool` tries it where there is no tool of a name. */
function snakeCase(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Words of the refusals of `src/discovery/policy.rs` and `arguments.rs`. */
const REFUSALS = [
  "so this call did not run",
  " is not available in this session",
  "There is no tool named ",
  " cannot be loaded: the session holds ",
  "arguments are not JSON: ",
  "arguments must be a JSON object, got ",
];

/** Beyond this, a text is no refusal of ours; a real tool's answer can be any length. */
const REFUSAL_CHARS = 1_000;

/** What a call to a real tool says of it. */
function called({ name, step, answer, failed }: Call, { settings, holds }: Rules): Trace[] {
  const { reveal, unrevealedCall } = settings;
  const said = textsIn(answer).map((text) => text.slice(0, REFUSAL_CHARS));
  const says = (words: string) => said.some((text) => text.includes(words));
  const isLoadedNow =
    says(`${name} was not loaded, so this call did not run. It is loaded now`) ||
    // In Anthropic's format a reference to the called tool stands in place of that text, which follows behind the results.
    referencesIn(answer).includes(name);
  if (unrevealedCall === "refuse-with-schema" && isLoadedNow) return [{ kind: "loaded", names: [name], step }];
  if (REFUSALS.some(says)) return [];
  const refuses = unrevealedCall === "refuse-with-schema" || (unrevealedCall === "refuse" && reveal !== "never");
  const ran = failed !== true && holds(name);
  const kind = ran && unrevealedCall === "run" ? "loaded" : ran && refuses ? "ran" : "used";
  return [{ kind, names: [name], step }];
}
