/** Brings the definitions of all servers into one form for the checks, and runs them. */

import { type Enrichment, type Repaired, ToolSift } from "toolsift";
import { Failure } from "../failure.js";
import { tellFit } from "../sources/enrichment.js";
import type { Listed } from "../sources/live.js";
import { COUNTED_FORMAT, type Request, requestOf } from "../sources/request.js";
import { CHECKS } from "./checks.js";
import { openingOf } from "./text.js";
import { type Examined, type Finding, LEVELS, type Tool } from "./types.js";

/** Hits among which a tool must be: what a model is shown of a search. */
export const SHOWN = 5;

/** What the examination is told while it runs. */
export interface ExamineOptions {
  maxTokens: number;
  /** The checks that run; all by default. */
  only?: readonly string[];
  /** Words that are searched beside the definitions. */
  enrichment?: readonly Enrichment[];
  onProgress?: (check: string, done: number, of: number) => void;
}

/** What was examined, and what was found: the gravest first. */
export interface Examination {
  servers: number;
  tools: number;
  /** What a request with all tools has, in the format of OpenAI: the same number as `size` shows. */
  tokens: number;
  findings: Finding[];
}

/**
 * Runs the checks on the tools of some servers.
 *
 * @throws Failure when there is no tool at all
 */
export function examine(lists: readonly Listed[], { maxTokens, only, enrichment, onProgress }: ExamineOptions): Examination {
  const sift = new ToolSift({ search: { universe: "all" } });
  try {
    const request = requestOf(lists, COUNTED_FORMAT);
    const { tools, rejected } = subjects(lists, sift, request, enrichment);
    if (tools.length === 0 && rejected.length === 0) throw new Failure("no source has a tool");
    const find = (query: string) => sift.search(query, { limit: SHOWN }).hits;
    const checks = only === undefined ? CHECKS : CHECKS.filter(({ name }) => only.includes(name));
    const findings = checks.flatMap((check) => {
      const at = (done: number) => onProgress?.(check.title, done, tools.length);
      at(0);
      return [...check.run({ tools, rejected, find, maxTokens, at })];
    });
    const sorted = findings.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
    return { servers: lists.length, tools: tools.length, tokens: request.cost.tokens, findings: sorted };
  } finally {
    sift.dispose();
  }
}

/** Registers all tools twice: as vendors take them, for what they refuse, and with repairs, for the checks to search. */
function subjects(
  lists: readonly Listed[],
  sift: ToolSift,
  request: Request,
  enrichment: readonly Enrichment[] | undefined,
): Pick<Examined, "tools" | "rejected"> {
  const strict = new ToolSift();
  // Sends everything in full, so that each definition can be read in one form.
  const full = new ToolSift({ activation: "off" });
  const rejected: Examined["rejected"][number][] = [];
  const repaired = new Map<string, string>();
  const fits = [];
  for (const { server, tools, enrichment: packed = [] } of lists) {
    const refused = strict.register(tools as never, { server }).rejected;
    rejected.push(...refused.map((one) => ({ ...one, server })));
    full.register(tools as never, { server, names: "alias" });
    const words = [...packed, ...(enrichment ?? [])];
    const report = sift.register(tools as never, { server, names: "alias", enrichment: words });
    fits.push(report.enrichment);
    for (const { name, repair } of report.repaired as Repaired[]) repaired.set(name, repair);
    // What is refused for more than its name is seen only here.
    const known = new Set(refused.map(({ index }) => index));
    rejected.push(...report.rejected.filter(({ index }) => !known.has(index)).map((one) => ({ ...one, server })));
  }
  if (enrichment !== undefined) tellFit(enrichment, fits);
  const definitions = full.session().assemble({ format: "mcp" }).tools;
  const tools = sift.tools().map((info, at): Tool => {
    const { name, originalName, server, title, description, annotations, googleName } = info;
    const repair = repaired.get(name);
    return {
      name,
      originalName,
      server: server ?? "",
      title,
      description,
      inputSchema: definitions[at]!.inputSchema,
      tokens: request.definitions[at]!.tokens,
      opening: openingOf(description),
      ...(annotations !== undefined && { annotations }),
      ...(googleName !== undefined && { googleName }),
      ...(repair !== undefined && { repair }),
    };
  });
  strict.dispose();
  full.dispose();
  return { tools, rejected };
}
