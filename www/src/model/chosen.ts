/** What somebody chose: the options that differ from how a profile opens on the page. */
import type { ToolSiftOptions } from "toolsift";
import { defaultSettings, optionsOf, type ProfileTable, type Settings } from "./settings.ts";

export function chosenOptions(settings: Settings, table: ProfileTable): ToolSiftOptions {
  const opened: Record<string, unknown> = { ...optionsOf(defaultSettings(table, settings.profile)) };
  // The page has a profile hold back all tools, where it would hold back only those that ask for it. So does the program.
  delete opened["deferral"];
  // The page has a profile hold tools back at once. A program leaves that to the profile, so the page's own value is left out.
  if (settings.profile !== table.byDefault) delete opened["profile"];
  const differing = Object.entries(optionsOf(settings)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(opened[key]),
  );
  return Object.fromEntries(differing);
}
