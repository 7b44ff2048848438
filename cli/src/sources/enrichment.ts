/** The option `--enrichment FILE`: reads files with extra search words for tools, and warns if they no longer fit. */

import { type Command, Option } from "commander";
import { type Enrichment, type EnrichmentReport, ToolSiftError } from "toolsift";
import { Failure } from "../base/failure.js";
import { oneLine, quoted } from "../output/escape.js";
import { warn } from "../output/print.js";
import { counted } from "../output/table.js";
import { textOf } from "./files.js";

/** The values of the option. */
export interface EnrichmentOptions {
  enrichment?: readonly string[] | undefined;
}

/** The most tools that a warning names. */
const TOLD = 3;

/** Collects the values of an option that may be given several times. */
export function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Adds the option to a command that searches. */
export function withEnrichment(command: Command): Command {
  const option = new Option(
    "--enrichment <file>",
    "also search the words in this file, written by `toolsift enrich` (repeatable)",
  );
  return command.addOption(option.argParser(collected));
}

/** Returns the entries of all files, or undefined without the option. @throws Failure that names a wrong file and line */
export async function enrichmentOf({ enrichment: files }: EnrichmentOptions): Promise<Enrichment[] | undefined> {
  if (files === undefined) return undefined;
  const lists = await Promise.all(files.map(async (file) => entriesIn((await textOf(file)).text, quoted(file))));
  return lists.flat();
}

/** Returns the entries of a text. @throws Failure that names the wrong line */
export async function entriesIn(text: string, from: string): Promise<Enrichment[]> {
  // Loaded only here: the module loads slowly, and most commands read no enrichment.
  const { readEnrichment } = await import("toolsift/author");
  try {
    return readEnrichment(text);
  } catch (error) {
    if (!ToolSiftError.is(error)) throw error;
    throw new Failure(`${from}: ${error.message}`);
  }
}

/** Warns if entries were written for older definitions, or if no entry fits a tool. */
export function tellFit(entries: readonly Enrichment[], reports: readonly (EnrichmentReport | undefined)[]): void {
  const stale = reports.flatMap((report) => report?.stale ?? []);
  if (stale.length > 0) {
    const names = stale.slice(0, TOLD).map((name) => oneLine(name, 60));
    const more = stale.length > TOLD ? `, … ${stale.length - TOLD} more` : "";
    const what = `the enrichment of ${counted(stale.length, "tool")} was written from another definition and is ignored`;
    warn(`${what}: ${names.join(", ")}${more}; run \`toolsift enrich\` again`);
  } else if (entries.length > 0 && reports.every((report) => !report?.enriched)) {
    warn("the --enrichment file has no entry for any of these tools");
  }
}
