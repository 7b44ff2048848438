/** Settings in the address of the page, so that a view can be shared: only what differs from how a profile opens. */
import { ToolSift } from "toolsift";
import * as labels from "./labels.ts";
import { defaultSettings, type SettingKey, type Settings } from "./settings.ts";
import { WIRE_FORMATS } from "./wire.ts";

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

export function settingsFrom(hash: string): Settings {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const settings = defaultSettings(ToolSift.profiles().find((row) => row.name === given.get("profile"))?.name);
  const read: Partial<Record<SettingKey, unknown>> = {};
  for (const [key, values] of Object.entries(CHOICES) as [SettingKey, Record<string, string>][]) {
    const value = given.get(key);
    if (value !== null && Object.hasOwn(values, value)) read[key] = value;
  }
  for (const key of NUMBERS) {
    const value = given.get(key);
    if (value !== null && /^\d{1,9}$/.test(value)) read[key] = Number(value);
  }
  if (given.get("contextWindow") === "") read.contextWindow = null;
  const pins = given.get("preDiscovered");
  if (pins !== null) read.preDiscovered = pins.split(",").filter(Boolean);
  const without = given.get("without")?.split(",") ?? [];
  read.without = without.filter((name) => Object.hasOwn(labels.INGREDIENTS, name));
  read.synonyms = given.get("synonyms") ?? "";
  return Object.assign(settings, read as Partial<Settings>);
}

export function addressOf(settings: Settings): string {
  const defaults = defaultSettings(settings.profile);
  const differing = new URLSearchParams();
  if (settings.profile !== defaultSettings().profile) differing.set("profile", settings.profile);
  for (const key of Object.keys(defaults) as SettingKey[]) {
    const value = textOf(settings[key]);
    if (value !== textOf(defaults[key])) differing.set(key, value);
  }
  const hash = differing.toString();
  return hash ? `#${hash}` : "";
}

function textOf(value: Settings[SettingKey]): string {
  return value === null ? "" : String(value);
}
