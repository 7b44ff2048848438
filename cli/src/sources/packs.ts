/** Adds the search words of packs to tools, unless `--no-packs` is given. A pack has words for one well-known server. */

import type { Command } from "commander";
import type { ToolSiftOptions } from "toolsift";
import { packsFor, translations } from "toolsift/packs";
import { warn } from "../output/print.js";
import type { Listed } from "./live.js";

/** The value of the option `--no-packs`: false if it is given. */
export interface PackOptions {
  packs: boolean;
}

/** Adds the option to a command that searches. */
export function withPacks(command: Command): Command {
  return command.option("--no-packs", "leave out the words that toolsift has for the tools of well-known servers");
}

/** Adds translations from everyday words, in several languages, to the settings of a search. */
export async function translated(settings: ToolSiftOptions, { packs }: PackOptions): Promise<ToolSiftOptions> {
  return packs ? { ...settings, translations: await translations() } : settings;
}

/** Returns the lists with the words of packs. If a pack cannot be loaded, prints a warning and goes on. */
export async function packed(lists: readonly Listed[], { packs }: PackOptions): Promise<Listed[]> {
  if (!packs) return [...lists];
  return Promise.all(
    lists.map(async (list) => {
      const { entries, problems } = await packsFor(list.tools as never);
      problems.forEach(warn);
      return { ...list, enrichment: entries };
    }),
  );
}
