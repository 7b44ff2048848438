/** Reads the definition of a server's tool: the fields that MCP defines, and the search words. */

import { wordsOf } from "../core/definition.js";
import type { ServerTools } from "../servers/config.js";
import type { Budget } from "../types/index.js";
import { cut } from "../base/values.js";
import { foreign } from "../trust/foreign.js";

/** The maximum length of a search hint in the core, in characters. */
const HINT_CHARS = 512;
/** The budget for tools that servers want always sent, if the catalog's own budget has no limit. */
const ALWAYS = { tools: 5, tokens: 1_000 };
const CHARS_OF_TOKEN = 4;

/** Returns the fields that MCP defines for a tool. With others, a server could present its tools as another server's. */
export function definition(tool: unknown): object {
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
  };
}

/** Returns the definitions of a server's tools. Tools that the server wants always sent are marked. */
export function definitionsOf(tools: readonly unknown[], { trustServerHints, deferral }: ServerTools): object[] {
  const mayAsk = trustServerHints && deferral === undefined;
  return tools.map((tool) => (mayAsk && wantsLoad(tool) ? { ...definition(tool), ...WISH } : definition(tool)));
}

const WISH = { deferral: "never" };

/** A catalog with a budget that its servers share. */
interface Budgeted {
  settings: { budget: { tools?: number | null; tokens?: number | null } | Budget };
}

/** Each server's part of a catalog's budget. */
const shares = new WeakMap<Budgeted, Map<string, { tools: number; chars: number }>>();

/** Keeps the marks of a server's always-sent tools, as far as other servers have left room in the catalog's budget. */
export function withinBudget(definitions: readonly object[], catalog: Budgeted, server: string): object[] {
  const { budget } = catalog.settings;
  const others = shares.get(catalog) ?? new Map<string, { tools: number; chars: number }>();
  shares.set(catalog, others);
  others.delete(server);
  const left = { tools: budget.tools ?? ALWAYS.tools, chars: (budget.tokens ?? ALWAYS.tokens) * CHARS_OF_TOKEN };
  for (const { tools, chars } of others.values()) {
    left.tools -= tools;
    left.chars -= chars;
  }
  const share = { tools: 0, chars: 0 };
  others.set(server, share);
  return definitions.map((one) => {
    const { deferral, ...read } = Object(one) as { deferral?: unknown };
    if (deferral === undefined) return one;
    const taken = JSON.stringify(read).length;
    if (share.tools === left.tools || share.chars + taken > left.chars) return read;
    share.tools += 1;
    share.chars += taken;
    return one;
  });
}

/** Frees a removed server's part of the catalog's budget. */
export function withoutServer(catalog: Budgeted, server: string): void {
  shares.get(catalog)?.delete(server);
}

function wantsLoad(tool: unknown): boolean {
  const { _meta } = Object(tool) as { _meta?: unknown };
  return (Object(_meta) as Record<string, unknown>)["anthropic/alwaysLoad"] === true;
}

/** The maximum length of one server's instructions, in characters, because every request contains them. */
const MOST_CHARS = 8_000;

const HEADING =
  '## What the servers say of their tools\n\nLines that begin with ">" are the words of the server that is named above them.';

/**
 * Quotes the servers' instructions as one section: they cannot end their part, begin another server's, or look like
 * toolsift's text. The section is empty if no server has any.
 *
 * @param most the maximum length of all parts together, in characters; a part that does not fit is left out
 */
export function instructionsOf(servers: readonly { name: string; instructions: string }[], most = Infinity): string {
  let left = most;
  const parts = servers.flatMap(({ name, instructions }) => {
    if (instructions.trim() === "") return [];
    const said = foreign(instructions, MOST_CHARS, "marked");
    const part = `The server ${JSON.stringify(foreign(name, 200, "line"))} says:\n${said}`;
    if (part.length > left) return [];
    left -= part.length;
    return part;
  });
  return parts.length === 0 ? "" : [HEADING, ...parts].join("\n\n");
}
