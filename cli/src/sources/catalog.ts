/** Registers the tools of the sources in a catalog, and finds the tools that a command line names. */

import {
  type Enrichment,
  type EnrichmentReport,
  ToolSift,
  type ToolInfo,
  type ToolSiftOptions,
  ToolSiftError,
} from "toolsift";
import { FAILED, Failure } from "../base/failure.js";
import { firstOf, oneLine, quoted } from "../output/escape.js";
import { warn } from "../output/print.js";
import { counted } from "../output/table.js";
import { tellFit } from "./enrichment.js";
import type { Listed } from "./live.js";

/** The most rejected tools that a warning names. */
const TOLD = 3;

/**
 * Returns a catalog of all lists. A tool whose name vendors refuse gets a safe alias. If a tool is rejected, it prints a
 * warning and sets the exit code to 1. It also warns of enrichment entries that no longer fit their tools.
 *
 * @throws Failure if every tool is rejected
 */
export function catalogOf(
  lists: readonly Listed[],
  options: ToolSiftOptions = {},
  enrichment?: readonly Enrichment[],
): ToolSift {
  const sift = new ToolSift(options);
  const reports = lists.map(({ server, tools, enrichment: packed = [] }) => {
    const words = [...packed, ...(enrichment ?? [])];
    const { rejected, enrichment: all } = sift.register(tools as never, { server, names: "alias", enrichment: words });
    // If the words of packs were registered too, the user's own entries are checked separately.
    const report = packed.length > 0 && enrichment !== undefined ? fitOf(tools, server, enrichment) : all;
    if (rejected.length === 0) return report;
    process.exitCode = FAILED;
    const shown = firstOf(rejected, TOLD).map(({ name, message }) =>
      oneLine(name === "" ? message : `${name}: ${message}`, 200),
    );
    const more = rejected.length > shown.length ? `; and ${rejected.length - shown.length} more (--verbose shows them)` : "";
    warn(`${counted(rejected.length, "tool")} of ${server} left out: ${shown.join("; ")}${more}`);
    return report;
  });
  if (enrichment !== undefined) tellFit(enrichment, reports);
  if (sift.tools().length > 0) return sift;
  sift.dispose();
  throw new Failure("no tool of the sources can be used");
}

/** Registers the tools with only these enrichment entries, and returns the report: which entries fit and which do not. */
export function fitOf(
  tools: Listed["tools"],
  server: string,
  enrichment: readonly Enrichment[],
): EnrichmentReport | undefined {
  const apart = new ToolSift({ activation: "off" });
  try {
    return apart.register(tools as never, { server, names: "alias", enrichment }).enrichment;
  } finally {
    apart.dispose();
  }
}

/** Returns the tools that a text names: by the name that the model sees, by `server:tool`, or by the server's own name. */
export function toolsNamed(tools: readonly ToolInfo[], text: string): ToolInfo[] {
  const exact = tools.filter(({ name }) => name === text);
  if (exact.length > 0) return exact;
  return tools.filter(({ originalName, server }) => originalName === text || `${server}:${originalName}` === text);
}

/** Returns the failure for a name that no tool has. Its message suggests the nearest names. */
export function noSuchTool(sift: ToolSift, text: string): Failure {
  let near: string[] = [];
  try {
    near = sift.search(text.replace(/^.*:/, "").replaceAll("_", " "), { limit: 3 }).hits.map(({ name }) => name);
    const names = new Map(sift.tools().map(({ name, originalName }) => [name, originalName]));
    near = near.map((name) => names.get(name) ?? name);
  } catch (error) {
    if (!ToolSiftError.is(error)) throw error;
  }
  const help = near.length === 0 ? "" : `; the nearest are ${near.map(quoted).join(", ")}`;
  return new Failure(`there is no tool ${quoted(text)}${help}`);
}
