/** What is suspicious in a definition. What was found is kept by the definition's hash: a server that lists again costs little. */

import { inspect } from "../suspicious/inspect.js";
import type { SuspiciousText } from "../types.js";

type Found = Omit<SuspiciousText, "server" | "name">;

/** Definitions whose findings are kept; most have none. */
const KEPT = 20_000;

/** Inspects definitions. */
export class Suspicions {
  readonly #known = new Map<string, Found[]>();

  /** @param hash that of the definition, empty where it is nested too deep to have one */
  in(definition: Record<string, unknown>, hash: string): Found[] {
    const known = hash === "" ? undefined : this.#known.get(hash);
    if (known !== undefined) return known;
    const found = inspect(inspectable(definition)) as Found[];
    if (this.#known.size >= KEPT) this.#known.clear();
    if (hash !== "") this.#known.set(hash, found);
    return found;
  }
}

/** The texts of a definition in any vendor's form, where `inspect` looks for them. */
function inspectable(definition: Record<string, unknown>): Parameters<typeof inspect>[0] {
  const { function: inner, annotations } = definition;
  const said = { ...definition, ...(definition["name"] === undefined && typeof inner === "object" ? inner : {}) } as Record<string, unknown>;
  const schemas = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters"].map((key) => said[key]);
  const { name, title, description } = said as { name: string; title?: string; description?: string };
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: schemas.filter((schema) => schema !== undefined),
    annotations,
  };
}
