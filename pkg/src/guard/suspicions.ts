/** What is suspicious in a definition. What was found is kept by the definition's hash: a server that lists again costs little. */

import { Recent } from "../base/recent.js";
import { inspect, MAX_DESCRIPTION } from "../suspicious/inspect.js";
import { KnownNames } from "../suspicious/known-names.js";
import { SEARCH_FIELDS } from "../suspicious/search-words.js";
import type { SuspiciousText, ToolPin } from "../types/index.js";

type Found = Omit<SuspiciousText, "server" | "name">;
type Tool = Pick<ToolPin, "server" | "name">;

/** Definitions whose findings are kept; most have none. */
const KEPT = 20_000;

/** Inspects definitions. */
export class Suspicions {
  readonly #known = new Recent<string, Found[]>(KEPT);
  readonly #names: KnownNames;

  /** @param pins of an earlier process: their names are known */
  constructor(pins: readonly Tool[]) {
    this.#names = new KnownNames(pins);
  }

  /**
   * @param hash that of the definition, empty where it is nested too deep to have one
   * @param tool what it defines, unless that is the host's own
   */
  in(definition: Record<string, unknown>, hash: string, tool: Tool | undefined): Found[] {
    const detail = tool === undefined ? undefined : this.#names.likeAnother(tool);
    const found = this.#textsIn(definition, hash);
    return detail === undefined ? found : [...found, { kind: "look-alike", where: "name", detail }];
  }

  /** A shared tool was taken: names that come later are compared with its name. */
  took(tool: Tool): void {
    this.#names.add(tool);
  }

  forget(server: string): void {
    this.#names.forget(server);
  }

  #textsIn(definition: Record<string, unknown>, hash: string): Found[] {
    const known = hash === "" ? undefined : this.#known.get(hash);
    if (known !== undefined) return known;
    const found = inspect(inspectable(definition));
    if (hash !== "") this.#known.set(hash, found);
    return found;
  }
}

/** The texts of a definition in any vendor's form, where `inspect` looks for them. */
function inspectable(definition: Record<string, unknown>): Parameters<typeof inspect>[0] {
  const { function: inner, annotations, outputSchema, _meta } = definition;
  const fields = {
    ...definition,
    ...(definition["name"] === undefined && typeof inner === "object" ? inner : {}),
  } as Record<string, unknown>;
  const schemas = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters"].map((key) => fields[key]);
  const { name, title, description } = fields as { name: string; title?: string; description?: string };
  const searched = SEARCH_FIELDS.filter((key) => definition[key] !== undefined).map((key) => [key, definition[key]]);
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && fits(description) && { description }),
    inputSchema: schemas.filter((schema) => schema !== undefined),
    outputSchema,
    annotations,
    _meta,
    ...Object.fromEntries(searched),
  };
}

const encoder = new TextEncoder();
let room: Uint8Array | undefined;

/** Whether a description is one that the catalog takes. Any other is not read. */
function fits(description: unknown): boolean {
  // Half a surrogate pair takes three bytes, as do most characters beyond Latin.
  if (typeof description !== "string" || 3 * description.length <= MAX_DESCRIPTION) return true;
  if (description.length > MAX_DESCRIPTION) return false;
  room ??= new Uint8Array(MAX_DESCRIPTION);
  return encoder.encodeInto(description, room).read === description.length;
}
