/** Lists the tools of a server: all pages, up to bounds for servers whose list has no end. */

import { wordsOf } from "../../definition.js";
import { ToolSiftError } from "../../errors.js";
import { answerOf } from "../lib/method.js";
import type { Settings } from "./options.js";
import { cut } from "./texts.js";
import { within } from "./wait.js";
import type { McpClient, McpRequestOptions, McpToolPage } from "./types.js";

const MOST_PAGES = 1_000;
/** The most bytes of all definitions of one server: servers share the memory of the catalog. */
const MOST_CHARS = 32_000_000;
/** The most characters of a cursor, which every request for a page sends back. */
const CURSOR_CHARS = 10_000;

/** What a server listed. */
export interface Listing {
  tools: object[];
  /** Why the list is incomplete; null if it is complete. */
  incomplete: string | null;
}

/** The bounds of one listing, and the options for its tools. */
export type ListSettings = Pick<Settings, "timeoutMs" | "maxTools" | "tools">;

/** The most characters of a hint that the core accepts. */
const HINT_CHARS = 512;

/**
 * Lists a server's tools.
 *
 * @throws what the client throws; ToolSiftError `not_currently_available` when it takes too long
 */
export async function listAll(client: McpClient, { timeoutMs, maxTools, tools: taken }: ListSettings): Promise<Listing> {
  const capabilities = answerOf(client, "getServerCapabilities");
  if (capabilities !== undefined && capabilities.tools === undefined) return { tools: [], incomplete: null };
  const end = Date.now() + timeoutMs;
  const late = `listing its tools took more than ${timeoutMs} ms`;
  const tools: object[] = [];
  const seen = new Set<string>();
  let chars = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await pageOf(client, cursor, end);
    for (const tool of page.tools) {
      const read = definition(tool, taken.deferral === undefined);
      chars += lengthOf(read);
      if (tools.length === maxTools) return { tools, incomplete: `it lists more than ${maxTools} tools` };
      if (chars > MOST_CHARS) return { tools, incomplete: `its tools take more than ${MOST_CHARS} characters` };
      tools.push(read);
    }
    cursor = page.nextCursor;
    // Some servers send an empty cursor or null at the end.
    if (typeof cursor !== "string" || cursor === "") return { tools, incomplete: null };
    if (seen.has(cursor)) return { tools, incomplete: "its pages go round in a circle" };
    if (seen.size === MOST_PAGES) return { tools, incomplete: `its list has more than ${MOST_PAGES} pages` };
    if (cursor.length > CURSOR_CHARS) return { tools, incomplete: `a cursor has more than ${CURSOR_CHARS} characters` };
    // A client that has every page at hand answers at once, however late it is.
    if (Date.now() >= end) return { tools, incomplete: late };
    seen.add(cursor);
  }
}

/** A schema that accepts any answer. Each major version of the SDK uses the half of it that it knows. */
const ANYTHING = {
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1, vendor: "toolsift", validate: (value: unknown) => ({ value }) },
};

type Request = (request: object, schema: typeof ANYTHING, options: McpRequestOptions) => Promise<unknown>;

/** The SDKs refuse a whole page for one broken tool. Then the page is requested again without a check. */
async function pageOf(client: McpClient, cursor: string | undefined, end: number): Promise<McpToolPage> {
  const params = cursor === undefined ? undefined : { cursor };
  const ask = (list: (options: McpRequestOptions) => Promise<unknown>) => {
    const ms = Math.max(1, end - Date.now());
    // A client that caches answers must not return an old one.
    const options = { timeout: ms, cacheMode: "refresh" };
    return within({ what: "listing its tools", ms }, async () => checked(await list(options)));
  };
  try {
    return await ask((options) => client.listTools(params, options));
  } catch (error) {
    const { request } = client as { request?: Request };
    if (typeof request !== "function" || Date.now() >= end) throw error;
    const again = { method: "tools/list", ...(params && { params }) };
    return await ask((options) => request.call(client, again, ANYTHING, options)).catch(() => {
      throw error;
    });
  }
}

function checked(page: unknown): McpToolPage {
  if (Array.isArray((page as McpToolPage | null | undefined)?.tools)) return page as McpToolPage;
  throw new ToolSiftError("not_json", "it answered tools/list with something that holds no list of tools");
}

/**
 * The fields that MCP defines for a tool. No other field is passed on: a server could present its tools as another server's.
 *
 * @param mayLoad whether the server may say that a tool is never held back: the host has not decided it
 */
export function definition(tool: unknown, mayLoad: boolean): object {
  if (typeof tool !== "object" || tool === null) return tool as unknown as object;
  const { name, title, annotations, description, inputSchema, outputSchema, _meta } = tool as Record<string, unknown>;
  const shown = title ?? (annotations as { title?: unknown } | null | undefined)?.title;
  const meta = Object(_meta) as Record<string, unknown>;
  const hint = meta["anthropic/searchHint"];
  const words = wordsOf(meta);
  return {
    name,
    ...(typeof shown === "string" && { title: shown }),
    description,
    inputSchema,
    annotations,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(typeof hint === "string" && { searchHint: cut(hint.replace(/\s+/g, " ").trim(), HINT_CHARS) }),
    ...(words && { _meta: words }),
    ...(mayLoad && meta["anthropic/alwaysLoad"] === true && { deferral: "never" }),
  };
}

/** A tool that cannot be written as JSON is not counted; the core refuses it. */
function lengthOf(tool: unknown): number {
  try {
    return JSON.stringify(tool)?.length ?? 0;
  } catch {
    return 0;
  }
}
