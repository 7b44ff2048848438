/** What is suspicious in a definition. What was found is kept by the definition's hash: a server that lists again costs little. */

import { Recent } from "../base/recent.js";
import type { SuspiciousText } from "../types/index.js";
import { inspect } from "./inspect.js";
import { Names, type Tool } from "./names.js";
import type { ServerTool } from "./pinned.js";

type Found = Omit<SuspiciousText, "server" | "name">;

/** Definitions whose findings are kept; most have none. */
const KEPT = 20_000;

/** Inspects definitions. */
export class Suspicions {
  /** Names that are known: those that come later are compared with them. */
  readonly names: Names;
  readonly #known = new Recent<string, Found[]>(KEPT);

  /** @param pins of an earlier process: their names are known */
  constructor(pins: readonly Tool[]) {
    this.names = new Names(pins);
  }

  /**
   * @param hash that of the definition; undefined where it is nested too deep to have one
   * @param tool what it defines, unless that is the host's own
   */
  in(definition: Record<string, unknown>, hash: string | undefined, tool: Tool | undefined): Found[] {
    const detail = tool === undefined ? undefined : this.names.likeAnother(tool);
    const found = (hash === undefined ? undefined : this.#known.get(hash)) ?? inspect(inspectable(definition));
    if (hash !== undefined) this.#known.set(hash, found);
    return detail === undefined ? found : [...found, { kind: "look-alike", where: "name", detail }];
  }
}

/** A definition in any vendor's form, as `inspect` reads it. */
function inspectable(definition: Record<string, unknown>): ServerTool {
  const { function: inner } = definition;
  const isInner = definition["name"] === undefined && typeof inner === "object";
  const fields: Record<string, unknown> = isInner ? { ...definition, ...inner } : definition;
  const schemas = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters"].map((key) => fields[key]);
  return { ...(fields as unknown as ServerTool), inputSchema: schemas };
}
