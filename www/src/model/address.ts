/** Settings in the address of the page, so that a view can be shared: only what differs from the defaults. */
import { ToolSift } from "toolsift";
import {
  ACTIVATIONS,
  DISCLOSURES,
  REVEALS,
  UNREVEALED_CALLS,
  defaultSettings,
  type Settings,
} from "./settings.ts";
import { WIRE_FORMATS } from "./wire.ts";

export function settingsFrom(hash: string): Settings {
  const settings = defaultSettings();
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const profile = ToolSift.profiles().find((row) => row.name === given.get("profile"));
  if (profile) settings.profile = profile.name;
  settings.activation = oneOf(ACTIVATIONS, given.get("activation")) ?? settings.activation;
  settings.disclosure = oneOf(DISCLOSURES, given.get("disclosure")) ?? settings.disclosure;
  settings.reveal = oneOf(REVEALS, given.get("reveal")) ?? settings.reveal;
  settings.unrevealedCall = oneOf(UNREVEALED_CALLS, given.get("unrevealedCall")) ?? settings.unrevealedCall;
  settings.format = oneOf(WIRE_FORMATS, given.get("format")) ?? settings.format;
  settings.fromTools = whole(given.get("fromTools")) ?? settings.fromTools;
  settings.fromPercent = whole(given.get("fromPercent")) ?? settings.fromPercent;
  settings.searchLimit = whole(given.get("searchLimit"));
  settings.contextWindow = whole(given.get("contextWindow")) ?? settings.contextWindow;
  if (given.get("contextWindow") === "") settings.contextWindow = null;
  settings.preDiscovered = given.get("preDiscovered")?.split(",").filter(Boolean) ?? settings.preDiscovered;
  return settings;
}

export function addressOf(settings: Settings): string {
  const defaults = defaultSettings();
  const differing = new URLSearchParams();
  for (const key of Object.keys(defaults) as (keyof Settings)[]) {
    const value = textOf(settings[key]);
    if (value !== textOf(defaults[key])) differing.set(key, value);
  }
  const hash = differing.toString();
  return hash ? `#${hash}` : "";
}

function textOf(value: Settings[keyof Settings]): string {
  return value === null ? "" : String(value);
}

function oneOf<Value extends string>(allowed: Record<Value, string>, given: string | null): Value | null {
  return given !== null && Object.hasOwn(allowed, given) ? (given as Value) : null;
}

function whole(given: string | null): number | null {
  return given !== null && /^\d{1,9}$/.test(given) ? Number(given) : null;
}
