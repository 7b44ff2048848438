/** Gives tools the words of packs that come with toolsift, where a command line does not say otherwise. */

import type { Command } from "commander";
import type { ToolSiftOptions } from "toolsift";
import { packsFor, translations } from "toolsift/packs";
import { warn } from "../output/print.js";
import type { Listed } from "./live.js";

/** The values of the option for packs. */
export interface PackOptions {
  packs: boolean;
}

/** Adds the option to a command that searches. */
export function withPacks(command: Command): Command {
  return command.option("--no-packs", "leave out the words that toolsift has for the tools of well-known servers");
}

/** Settings of a search with what people say for the words of tools. */
export async function translated(settings: ToolSiftOptions, { packs }: PackOptions): Promise<ToolSiftOptions> {
  return packs ? { ...settings, translations: await translations() } : settings;
}

/** The lists with the words of packs. A pack that cannot be loaded is told, and costs nothing else. */
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
