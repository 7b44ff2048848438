/** Reads one list of a server: all pages, with limits for servers whose lists have no end. */

import { ToolSiftError } from "../base/errors.js";
import type { McpRequestOptions } from "../servers/client.js";
import { within } from "../base/wait.js";

const MOST_PAGES = 1_000;
/** The maximum length of all lists of one server together, in characters: all servers share the memory of one process. */
const MOST_CHARS = 32_000_000;
/** The maximum length of a cursor, in characters, because every request for a page sends it back. */
const CURSOR_CHARS = 10_000;

/** A schema that accepts any answer. SDK v1 calls `safeParse`, v2 reads the Standard Schema. */
export const ANYTHING = {
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1 as const, vendor: "toolsift", validate: (value: unknown) => ({ value }) },
};

/** A client that may have a generic `request()`, like the clients of the MCP SDKs. */
interface Asking {
  request?: (request: object, schema: typeof ANYTHING, options: McpRequestOptions) => Promise<unknown>;
  listTools?: (params: { cursor: string } | undefined, options: McpRequestOptions) => Promise<unknown>;
  getProtocolEra?: () => string | undefined;
}

/** The limits of all lists of one server together. `chars` counts down. */
export interface ListBudget {
  /** The time limit for listing in ms, and the time of its end. */
  ms: number;
  end: number;
  chars: number;
}

/** Returns the limits for lists that may take `ms` milliseconds together. */
export const budgetOf = (ms: number): ListBudget => ({ ms, end: performance.now() + ms, chars: MOST_CHARS });

/** Returns the number of characters that were read within a budget. */
export const readIn = ({ chars }: ListBudget): number => MOST_CHARS - chars;

/** One list of a server. */
export interface Listing {
  entries: unknown[];
  /** The reason why the list is incomplete; null if it is complete. */
  incomplete: string | null;
}

/** The lists that a server may have: by method, the key of the entries in a page, and the field that names an entry. */
export const LISTS = {
  "tools/list": ["tools", "name"],
  "prompts/list": ["prompts", "name"],
  "resources/list": ["resources", "uri"],
  "resources/templates/list": ["resourceTemplates", "uriTemplate"],
  "skills/list": ["skills", "uri"],
} as const;

/**
 * Reads one list with `request()`. A client without it is called with `listTools`, which refuses a whole page for one
 * invalid entry and compiles the server's schemas, whose patterns can take any time.
 *
 * @param most the maximum number of entries
 * @throws the client's errors; ToolSiftError `not_currently_available` if it takes too long
 */
export async function listAll(
  client: object,
  method: keyof typeof LISTS,
  most: number,
  budget: ListBudget,
): Promise<Listing> {
  const [key] = LISTS[method];
  const isNewer = (client as Asking).getProtocolEra?.() === "modern";
  const entries: unknown[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await pageOf(client, method, cursor, budget);
    const listed = page[key];
    if (!Array.isArray(listed)) {
      throw new ToolSiftError("not_json", `it answered ${method} with something that holds no list of ${key}`);
    }
    for (const entry of listed as unknown[]) {
      budget.chars -= textOf(entry)?.length ?? 0;
      if (entries.length === most) return { entries, incomplete: `it lists more than ${most} ${key}` };
      if (budget.chars < 0) return { entries, incomplete: `its ${key} take more than ${MOST_CHARS} characters` };
      entries.push(entry);
    }
    const next = page["nextCursor"];
    // Servers with `initialize` may send an empty cursor at the end. Without it, an empty cursor is an ordinary one.
    if (typeof next !== "string" || (next === "" && !isNewer)) return { entries, incomplete: null };
    if (seen.has(next)) return { entries: withoutRepeats(entries), incomplete: "its pages go round in a circle" };
    if (seen.size === MOST_PAGES) return { entries, incomplete: `its list has more than ${MOST_PAGES} pages` };
    if (next.length > CURSOR_CHARS) return { entries, incomplete: `a cursor has more than ${CURSOR_CHARS} characters` };
    // A client that answers immediately never reaches the time limit of a request.
    if (performance.now() >= budget.end) {
      return { entries, incomplete: `listing its ${key} took longer than ${budget.ms} ms` };
    }
    seen.add(next);
    cursor = next;
  }
}

async function pageOf(
  client: Asking,
  method: keyof typeof LISTS,
  cursor: string | undefined,
  { ms, end }: ListBudget,
): Promise<Record<string, unknown>> {
  const left = Math.max(1, end - performance.now());
  const page = await within({ what: `listing its ${LISTS[method][0]}`, ms, left }, (signal) => {
    const options = { timeout: left, signal };
    const params = cursor === undefined ? undefined : { cursor };
    if (client.request === undefined) return client.listTools!(params, options);
    return client.request({ method, ...(params && { params }) }, ANYTHING, options);
  });
  return Object(page) as Record<string, unknown>;
}

/** Removes entries that pages repeat. */
function withoutRepeats(entries: readonly unknown[]): unknown[] {
  return [...new Map(entries.map((entry) => [textOf(entry) ?? entry, entry])).values()];
}

/** Returns an entry as JSON text; undefined if it is not JSON, which the core refuses later. */
function textOf(entry: unknown): string | undefined {
  try {
    return JSON.stringify(entry);
  } catch {
    return undefined;
  }
}
