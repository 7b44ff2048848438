/** Registers a host's own tools that the catalog lacks: all of them, or none. Refuses different tools of the same name. */

import { ToolSiftError } from "../../base/errors.js";
import type { ToolInfo, ToolSift, RankOptions, Session } from "../../index.js";
import { isSame, twoTools } from "./same.js";
import { requireMethods } from "../../base/checks.js";
import { rankOf } from "../../loop/rank.js";
import { type Shape, shaped } from "../../base/shape.js";
import type { Defined } from "../../types/defined.js";

/** A tool of the host's own as it would be registered. */
export interface OwnDefinition {
  name: string;
  description?: string | null | undefined;
  inputSchema?: object | null | undefined;
}

/** What was registered here, as JSON text: adapters are often made anew over the same tools. */
const registered = new WeakMap<ToolSift, Map<string, string>>();

/**
 * Registers the tools whose names the catalog lacks, without a server.
 *
 * @param place where the host passed a tool, for the error
 * @throws ToolSiftError what is wrong with the first tool that is refused; `option_conflict` for one whose name the catalog
 * has for a different tool. Nothing is registered then.
 */
export function registerMissing(sift: ToolSift, tools: readonly OwnDefinition[], place: (name: string) => string): void {
  const catalog = toolsByName(sift);
  refuseOthers(sift, tools, catalog, place);
  const missing = tools.filter(({ name }) => !catalog.has(name));
  if (missing.length === 0) return;
  const report = sift.register(missing);
  const [broken] = report.rejected;
  if (broken === undefined) {
    const texts = registered.get(sift) ?? new Map<string, string>();
    for (const tool of missing) texts.set(tool.name, JSON.stringify(tool));
    registered.set(sift, texts);
    return;
  }
  if (report.registered.length > 0) sift.unregister({ names: report.registered });
  throw new ToolSiftError(broken.code, `${place(broken.name.slice(0, 80))}: ${broken.message}`);
}

function refuseOthers(
  sift: ToolSift,
  tools: readonly OwnDefinition[],
  catalog: ReadonlyMap<string, ToolInfo>,
  place: (name: string) => string,
): void {
  const texts = registered.get(sift);
  const doubtful = tools.flatMap((tool) => {
    const info = catalog.get(tool.name);
    if (info === undefined || (info.server === null && texts?.get(tool.name) === JSON.stringify(tool))) return [];
    return [{ tool, info }];
  });
  for (const { tool, info } of doubtful) {
    if (!isSame(tool, info, ({ name }) => sift.definition(name))) throw twoTools(place(tool.name), info);
  }
}

/**
 * The options of an adapter that works on a catalog of the host's.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function optionsFor<O extends RankOptions>(sift: ToolSift, options: O, shape: Shape<O>): Defined<O> {
  requireMethods("sift", sift, ["session", "register", "tools"], "a ToolSift");
  const valid = shaped(options, shape);
  rankOf(valid, () => sift.settings);
  return valid;
}

const read = new WeakMap<ToolSift, { revision: number; tools: ReadonlyMap<string, ToolInfo> }>();

/** The shared tools, by the names that a model sees. Adapters ask often, and the catalog changes rarely. */
export function toolsByName(sift: ToolSift): ReadonlyMap<string, ToolInfo> {
  const { revision } = sift;
  const before = read.get(sift);
  if (before?.revision === revision) return before.tools;
  const tools = new Map(sift.tools().map((tool) => [tool.name, tool]));
  read.set(sift, { revision, tools });
  return tools;
}

/** Whether a session is unused: it has made no request and revealed nothing. */
export function isNew(session: Session): boolean {
  const { turn, revealed } = session.snapshot();
  return turn === 0 && revealed.length === 0;
}

/** Whether a discovery tool calls others: then it takes their arguments. */
export function isBridge(schema: object | undefined): boolean {
  return "arguments" in (Object((schema as { properties?: object } | undefined)?.properties) as object);
}
