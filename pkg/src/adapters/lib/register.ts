/** Registers your program's tools that the catalog lacks, all or none. Refuses different tools of the same name. */

import { ToolSiftError } from "../../base/errors.js";
import type { Dispatch, ToolInfo, ToolSift, RankOptions, Session } from "../../index.js";
import { isSame, twoTools } from "./same.js";
import { requireMethods } from "../../base/checks.js";
import { withOwnNames } from "../../loop/own-names.js";
import { checkRankable } from "../../loop/rank.js";
import { type Shape, shaped } from "../../base/shape.js";
import type { Defined } from "../../types/defined.js";

/** The definition of your program's tool for registration. */
export interface OwnDefinition {
  name: string;
  description?: string | null | undefined;
  inputSchema?: object | null | undefined;
}

/** The tools that adapters have registered, as JSON text by name: adapters are often created again with the same tools. */
const registered = new WeakMap<ToolSift, Map<string, string>>();

/**
 * Registers the tools whose names are not in the catalog, without a server.
 *
 * @param place returns the option that contains a tool, for the error
 * @throws ToolSiftError the reason of the first refused tool; `option_conflict` for a tool that has the name of a different
 *   tool of the catalog. Then no tool is registered.
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
    if (!isSame(tool, info, sift.definition(info.name))) throw twoTools(place(tool.name), info);
  }
}

/**
 * Checks and returns the options of an adapter, and checks that `sift` is a catalog.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`, `option_conflict`
 */
export function optionsFor<O extends RankOptions>(sift: ToolSift, options: O, shape: Shape<O>): Defined<O> {
  requireMethods("sift", sift, ["session", "register", "tools"], "a ToolSift");
  const valid = shaped(options, shape);
  checkRankable(valid, () => sift.settings);
  return valid;
}

const read = new WeakMap<ToolSift, { revision: number; tools: ReadonlyMap<string, ToolInfo> }>();

/** Returns the shared tools by the names that a model sees. Cached, because adapters need them often. */
export function toolsByName(sift: ToolSift): ReadonlyMap<string, ToolInfo> {
  const { revision } = sift;
  const before = read.get(sift);
  if (before?.revision === revision) return before.tools;
  const tools = new Map(sift.tools().map((tool) => [tool.name, tool]));
  read.set(sift, { revision, tools });
  return tools;
}

/** Checks if a session is new: it has made no request and loaded nothing. */
export function isNew(session: Session): boolean {
  const { turn, revealed } = session.snapshot();
  return turn === 0 && revealed.length === 0;
}

/** Checks by its parameters if a discovery tool calls other tools: then it has a parameter `arguments`. */
export function isBridge(schema: object | undefined): boolean {
  return "arguments" in (Object((schema as { properties?: object } | undefined)?.properties) as object);
}

/** Returns a call that is not decided yet as a dispatch, for the question if it needs approval. */
export function dispatchOf(session: Session, name: string, input: unknown, id: string | undefined): Dispatch {
  const { server = null, originalName = name, annotations, own, parameterNames } = session.named([name]).get(name) ?? {};
  return {
    kind: "dispatch",
    server,
    name: originalName,
    ...(own && { session: session.id }),
    ...(annotations && { annotations }),
    modelName: name,
    arguments: Object(withOwnNames(input, parameterNames)) as Dispatch["arguments"],
    id,
  };
}
