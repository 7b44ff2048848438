/**
 * The state of the page in its address, so that a view can be shared: `#/view?settings&script&q&prices&tab&zoom&at&own&card`. Of
 * settings and prices only what differs from how the page opens.
 */
import { DEFAULT_PRICES, MOST_AMOUNT, type Prices } from "./bill.ts";
import * as labels from "./labels.ts";
import { MAX_WRITTEN, readScript, writeScript, type Step } from "./script.ts";
import { defaultSettings, type ProfileTable, type SettingKey, type Settings } from "./settings.ts";
import { WIRE_FORMATS } from "./wire.ts";

export const VIEWS = ["overview", "conversation", "compare", "search", "catalog", "use"] as const;

export type View = (typeof VIEWS)[number];

/** What of a view is shown. */
export interface Place {
  /** The part of the view; empty for its first one. */
  tab: string;
  /** The server that the map is zoomed into, if it is. */
  zoom: string;
  /** The one thing that is looked at: a request, a hit, a tool, a finding; empty for the one that is shown by itself. */
  at: string;
}

export const NO_PLACE: Place = { tab: "", zoom: "", at: "" };

/** What an address holds, before anything is checked against the library. */
export interface Written {
  view: View;
  /** Names and values of the settings, as they stand there. */
  settings: Record<string, string>;
  /** Null for a script that was too long to be written down: whoever has it keeps it. */
  script: Step[] | null;
  /** What is looked for in the search lab. */
  query: string;
  prices: Prices;
  place: Place;
  /** Tools of the sender's own, which a link cannot hold. */
  own: number;
  /** A card, as `card.ts` writes it; empty for none. */
  card: string;
  /** Parts that are not understood, in words. */
  refused: string[];
}

/** The values that a text may have; most may also be left to the profile. */
const CHOICES: Partial<Record<SettingKey, Record<string, string>>> = {
  activation: labels.ACTIVATIONS,
  deferral: { "": "", ...labels.DEFERRALS },
  disclosure: labels.DISCLOSURES,
  stubWhen: labels.STUB_WHENS,
  reveal: labels.REVEALS,
  unrevealedCall: labels.UNREVEALED_CALLS,
  ranker: labels.RANKERS,
  grammar: labels.GRAMMARS,
  universe: labels.UNIVERSES,
  cutoff: labels.CUTOFFS,
  format: WIRE_FORMATS,
  tokens: labels.TOKEN_COUNTS,
};

const NUMBERS: readonly SettingKey[] = [
  "fromTools",
  "fromTokens",
  "fromPercent",
  "hits",
  "maxHits",
  "budgetTools",
  "budgetTokens",
  "searchesPerMinute",
  "contextWindow",
];

const TEXTS: readonly SettingKey[] = ["profile", "preDiscovered", "without", "synonyms"];

/** Stands in an address for a script that does not fit into it. */
const TOO_LONG = "too-long";

/** Reads an address. One from before there were views, `#profile=…`, holds settings only. */
export function readAddress(hash: string): Written {
  const text = hash.replace(/^#/, "");
  const [path = "", query = ""] = text.startsWith("/") ? text.slice(1).split(/\?(.*)/s) : ["", text];
  const refused: string[] = [];
  const named = VIEWS.find((view) => view === path);
  if (named === undefined && path !== "") refused.push(`There is no view “${path}”.`);
  const written: Written = {
    view: named ?? "overview",
    settings: {},
    script: [],
    query: "",
    prices: DEFAULT_PRICES,
    place: NO_PLACE,
    own: 0,
    card: "",
    refused,
  };
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === "script" && value === TOO_LONG) {
      written.script = null;
    } else if (key === "script") {
      const steps = readScript(value);
      if (steps === null) refused.push("The script in the address cannot be read.");
      else written.script = steps;
    } else if (key === "q") {
      written.query = value;
    } else if (key === "prices") {
      const prices = readPrices(value);
      if (prices === null) refused.push("The prices in the address cannot be read.");
      else written.prices = prices;
    } else if (key === "tab" || key === "zoom" || key === "at") {
      written.place = { ...written.place, [key]: value };
    } else if (key === "card") {
      written.card = value;
    } else if (key === "own") {
      written.own = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    } else {
      written.settings[key] = value;
    }
  }
  return written;
}

/** The settings of an address, and what of them is refused. */
export function settingsFrom(written: Written, table: ProfileTable): { settings: Settings; refused: string[] } {
  const refused = [...written.refused];
  const given = { ...written.settings };
  const profile = table.all.find((row) => row.name === given["profile"])?.name;
  if (given["profile"] !== undefined && profile === undefined) {
    const names = table.all.map((row) => row.name).join(", ");
    refused.push(`There is no profile “${given["profile"]}”; there are ${names}.`);
  }
  const settings = defaultSettings(table, profile);
  const read: Partial<Record<SettingKey, unknown>> = {};
  for (const [key, value] of Object.entries(given)) {
    const choices = CHOICES[key as SettingKey];
    if (choices) {
      if (Object.hasOwn(choices, value)) read[key as SettingKey] = value;
      else refused.push(`${key} cannot be “${value}”; it can be ${Object.keys(choices).filter(Boolean).join(", ")}.`);
    } else if (NUMBERS.includes(key as SettingKey)) {
      if (/^\d{1,9}$/.test(value)) read[key as SettingKey] = Number(value);
      else if (key === "contextWindow" && value === "") read.contextWindow = null;
      else refused.push(`${key} cannot be “${value}”; it is a whole number.`);
    } else if (!TEXTS.includes(key as SettingKey)) {
      refused.push(`There is no setting “${key}”.`);
    }
  }
  if (given["preDiscovered"] !== undefined) read.preDiscovered = given["preDiscovered"].split(",").filter(Boolean);
  const without = given["without"]?.split(",").filter(Boolean) ?? [];
  const unknown = without.filter((name) => !Object.hasOwn(labels.INGREDIENTS, name));
  if (unknown.length > 0) refused.push(`The ranker has no “${unknown.join(", ")}” to go without.`);
  read.without = without.filter((name) => Object.hasOwn(labels.INGREDIENTS, name));
  read.synonyms = given["synonyms"] ?? "";
  return { settings: Object.assign(settings, read as Partial<Settings>), refused };
}

/** The address of a view with this state. */
export function addressOf(
  view: View,
  state: Pick<Written, "query" | "prices" | "place" | "own" | "card"> & { settings: Settings; script: readonly Step[] },
  table: ProfileTable,
): string {
  const { settings, script, query, prices, place, own, card } = state;
  const defaults = defaultSettings(table, settings.profile);
  const differing = new URLSearchParams();
  if (settings.profile !== table.byDefault) differing.set("profile", settings.profile);
  for (const key of Object.keys(defaults) as SettingKey[]) {
    const value = textOf(settings[key]);
    if (value !== textOf(defaults[key])) differing.set(key, value);
  }
  if (script.length > 0) differing.set("script", fitsAddress(script) ? writeScript(script) : TOO_LONG);
  const changed = writePrices(prices);
  if (changed !== "") differing.set("prices", changed);
  if (place.tab !== "") differing.set("tab", place.tab);
  if (place.zoom !== "") differing.set("zoom", place.zoom);
  if (place.at !== "") differing.set("at", place.at);
  if (own > 0) differing.set("own", String(own));
  if (card !== "" && view === "overview") differing.set("card", card);
  if (query !== "") differing.set("q", query);
  const rest = differing.toString();
  return rest ? `#/${view}?${rest}` : `#/${view}`;
}

/** Whether a link can hold the script. */
export function fitsAddress(script: readonly Step[]): boolean {
  return writeScript(script).length <= MAX_WRITTEN;
}

/** `input:5,cache:0`: what differs from the prices that the page opens with. */
function writePrices(prices: Prices): string {
  const keys = Object.keys(DEFAULT_PRICES) as (keyof Prices)[];
  const changed = keys.filter((key) => prices[key] !== DEFAULT_PRICES[key]);
  return changed.map((key) => `${key}:${Number(prices[key])}`).join(",");
}

/** Null where an amount is unknown or out of bounds. */
function readPrices(text: string): Prices | null {
  const read: Record<string, number | boolean> = { ...DEFAULT_PRICES };
  for (const pair of text.split(",")) {
    const [key = "", value = ""] = pair.split(":");
    const amount = value.trim() === "" ? NaN : Number(value);
    if (!Object.hasOwn(DEFAULT_PRICES, key) || !(amount >= 0 && amount <= MOST_AMOUNT)) return null;
    read[key] = key === "cache" ? amount === 1 : amount;
  }
  return read as unknown as Prices;
}

function textOf(value: Settings[SettingKey]): string {
  return value === null ? "" : String(value);
}
