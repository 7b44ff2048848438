/** Converts the definitions of all servers to one form for the checks, and runs the checks. */

import { ToolSift } from "toolsift:self";
import { listOf } from "../../base/checks.js";
import { nameOf, wordsIn } from "../../core/definition.js";
import { ToolSiftError } from "../../base/errors.js";
import { aFunction, anything, type Shape, shaped, wholeOf } from "../../base/shape.js";
import type { ToolSift as Catalog } from "../../core/sift.js";
import type { Enrichment, EnrichmentReport, RegisterOptions, SchemaChange, ToolDefinition } from "../../types/index.js";
import { isList, kind } from "../../base/values.js";
import type { Examined, Tool } from "./check.js";
import { CHECKS, LEVELS, MAX_TOKENS } from "./checks.js";
import { openingOf } from "./text.js";
import type { DoctorOptions, Examination, ServerTools } from "./types.js";

/** The number of hits among which a tool must be: as many as a model sees of a search. */
const SHOWN = 5;

/** Settings that send every tool in full, so that all definitions can be read in one form. */
const IN_FULL = { activation: "off" } as const;

/**
 * Runs the checks on the tools of some servers. It is synchronous, and takes seconds for a thousand tools: run it in a
 * worker if somebody waits.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, and the error of an invalid enrichment
 */
export function examine(servers: readonly ServerTools[], options: DoctorOptions = {}): Examination {
  const { maxTokens, checks, enrichment, onProgress } = settingsOf(options);
  const lists = listsOf(servers);
  const sift = new ToolSift({ search: { universe: "all" } });
  try {
    const { tools, rejected, words, tokens, reports } = subjects(lists, sift, enrichment);
    const find = (query: string) => sift.search(query, { limit: SHOWN }).hits;
    const findings = checks.flatMap((check) => {
      const at = (done: number) => onProgress?.(check.title, done, tools.length);
      at(0);
      const found = [...check.run({ tools, rejected, words, find, maxTokens, at })];
      return found.map((one) => ({ check: check.name, ...one }));
    });
    findings.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
    const fit = reports.length > 0 ? { enrichment: reports } : {};
    return { servers: lists.length, tools: tools.length, tokens, findings, ...fit };
  } finally {
    sift.dispose();
  }
}

interface DoctorSettings {
  maxTokens: number;
  checks: typeof CHECKS;
  enrichment: readonly Enrichment[];
  onProgress?: NonNullable<DoctorOptions["onProgress"]>;
}

const OPTIONS: Shape<DoctorOptions> = {
  maxTokens: wholeOf(1, 1_000_000),
  only: anything,
  enrichment: (_, value) => void listOf("options.enrichment", value as readonly unknown[]),
  onProgress: aFunction,
};

function settingsOf(options: DoctorOptions): DoctorSettings {
  const { only, ...given } = shaped(options, OPTIONS);
  return { maxTokens: MAX_TOKENS, enrichment: [], ...given, checks: only === undefined ? CHECKS : chosen(only) };
}

function chosen(only: unknown): typeof CHECKS {
  const names = CHECKS.map(({ name }) => name);
  const wanted = isList(only) ? only : [only];
  const wrong = wanted.find((name) => !names.includes(name as string));
  if (isList(only) && wrong === undefined) return CHECKS.filter(({ name }) => wanted.includes(name));
  throw new ToolSiftError("option_invalid", `options.only has ${kind(wrong)}; it must be a list of ${names.join(", ")}`);
}

/** Returns the servers after checking that each has a name and tools. */
function listsOf(servers: readonly ServerTools[]): readonly ServerTools[] {
  if (!isList(servers)) {
    throw new ToolSiftError("option_invalid", `servers is ${kind(servers)}; it must be a list of { server, tools }`);
  }
  return Array.from(servers, (one: unknown, at) => {
    const { server, tools, enrichment = [] } = Object(one) as Partial<ServerTools>;
    if (typeof server !== "string" || typeof tools !== "object" || tools === null) {
      throw new ToolSiftError("option_invalid", `servers[${at}] is ${kind(one)}; it must be { server, tools }`);
    }
    return { server, tools, enrichment: listOf(`servers[${at}].enrichment`, enrichment) };
  });
}

interface Subjects extends Pick<Examined, "tools" | "rejected" | "words"> {
  tokens: number;
  reports: EnrichmentReport[];
}

/** Registers all tools three times: with strict names, to find refused ones; in full; and with repairs, for searches. */
function subjects(lists: readonly ServerTools[], sift: Catalog, enrichment: readonly Enrichment[]): Subjects {
  const strict = new ToolSift();
  const full = new ToolSift(IN_FULL);
  try {
    const rejected: Examined["rejected"][number][] = [];
    const changes = new Map<string, readonly SchemaChange[]>();
    const reports: EnrichmentReport[] = [];
    const words: Subjects["words"][number][] = [];
    for (const { server, tools, enrichment: packed = [] } of lists) {
      const definitions = tools as readonly ToolDefinition[];
      const refused = strict.register(definitions, { server }).rejected;
      rejected.push(...refused.map((one) => ({ ...one, server })));
      full.register(definitions, { server, names: "alias" });
      for (const tool of isList(tools) ? tools : []) {
        const texts = Object.values(wordsIn((Object(tool) as { _meta?: unknown })._meta)).flat();
        if (texts.length > 0) words.push({ server, tool: nameOf(tool), texts });
      }
      const added = [...packed, ...enrichment];
      const options: RegisterOptions = { server, names: "alias", ...(added.length > 0 && { enrichment: added }) };
      const report = sift.register(definitions, options);
      if (report.enrichment !== undefined) reports.push(report.enrichment);
      for (const one of report.repaired) changes.set(one.name, one.changes);
      // Adds the refusals that the strict registration did not report.
      const known = new Set(refused.map(({ index }) => index));
      rejected.push(...report.rejected.filter(({ index }) => !known.has(index)).map((one) => ({ ...one, server })));
    }
    const session = full.session("doctor");
    const { tools: counted, size } = session.assemble({ format: "openai" });
    const schemas = session.assemble({ format: "mcp" }).tools.map(({ inputSchema }) => inputSchema);
    // A skill is not part of a request, and has no parameters.
    const places = new Map(
      full
        .tools()
        .filter(({ skill }) => skill !== true)
        .map(({ name }, at) => [name, at]),
    );
    const tools = sift.tools().map((info): Tool => {
      const { name, originalName, server, title, description, annotations, googleName } = info;
      const at = places.get(name);
      return {
        name,
        originalName,
        server: server ?? "",
        title,
        description,
        inputSchema: at === undefined ? {} : schemas[at]!,
        tokens: at === undefined ? info.tokens : Math.ceil(JSON.stringify(counted[at]).length / 4),
        opening: openingOf(description),
        ...(annotations !== undefined && { annotations }),
        ...(googleName !== undefined && { googleName }),
        changes: changes.get(name) ?? [],
      };
    });
    return { tools, rejected, words, tokens: size.full.tokens, reports };
  } finally {
    strict.dispose();
    full.dispose();
  }
}
