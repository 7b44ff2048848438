/** The options that the page plays with, without those that the library has by itself. */
import type { ToolSiftOptions } from "toolsift";
import { defaultSettings, optionsOf, type ProfileTable, type Settings } from "./settings.ts";

export function chosenOptions(settings: Settings, table: ProfileTable): ToolSiftOptions {
  const { profile, contextWindow } = optionsOf(defaultSettings(table));
  const own: Record<string, unknown> = { profile, ...(settings.activation !== "share" && { contextWindow }) };
  const chosen = Object.entries(optionsOf(settings)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(own[key]),
  );
  return Object.fromEntries(chosen);
}
