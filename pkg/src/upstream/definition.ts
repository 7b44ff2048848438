/** Reads the definition of a server's tool: the fields that MCP defines, and hints for the search. */

import { wordsIn } from "../core/definition.js";
import type { Budget, RegisterOptions } from "../types/index.js";
import { cut } from "../base/values.js";
import { foreign } from "../trust/foreign.js";

/** The most characters of a hint that the core accepts. */
const HINT_CHARS = 512;
/** The budget for tools that a server wants always sent, if the catalog's own budget has no bound. */
const ALWAYS = { tools: 5, tokens: 1_000 };
const CHARS_OF_TOKEN = 4;

/** The fields that MCP defines for a tool. No other field is passed on: a server could present its tools as another server's. */
export function definition(tool: unknown): object {
  if (typeof tool !== "object" || tool === null) return tool as unknown as object;
  const { name, title, annotations, description, inputSchema, outputSchema, _meta } = tool as Record<string, unknown>;
  const shown = title ?? (annotations as { title?: unknown } | null | undefined)?.title;
  const meta = Object(_meta) as Record<string, unknown>;
  const hint = meta["anthropic/searchHint"];
  const words = searchWords(meta);
  return {
    name,
    ...(typeof shown === "string" && { title: shown }),
    description,
    inputSchema,
    annotations,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(typeof hint === "string" && { searchHint: cut(hint.replace(/\s+/g, " ").trim(), HINT_CHARS) }),
    ...(words && { _meta: { "toolsift/search": words } }),
  };
}

/** The words that a server writes for the search, in both lists together; nobody reads them but the search. */
const MOST_WORDS = 32;
const WORDS_CHARS = 2_000;

/** The first words of each list that a server writes for the search, within a bound for both. */
function searchWords(meta: Record<string, unknown>): Record<string, string[]> | undefined {
  let [left, chars] = [MOST_WORDS, WORDS_CHARS];
  const lists = Object.entries(wordsIn(meta)).map(([key, words]) => {
    const taken = words.filter((word) => left > 0 && (chars -= word.length) >= 0 && left-- > 0);
    return [key, taken] as const;
  });
  const some = lists.filter(([, words]) => words.length > 0);
  return some.length === 0 ? undefined : Object.fromEntries(some);
}

/** How the tools of a server are taken. */
export interface Taking {
  /** Whether the server may say which of its tools are sent with every request. */
  trustServerHints: boolean;
  /** What the host says of all tools of the server counts more than what the server says. */
  options: RegisterOptions;
}

/** The definitions of a server's tools, with its wish for those that it wants sent with every request. */
export function definitionsOf(tools: readonly unknown[], { trustServerHints, options }: Taking): object[] {
  const mayAsk = trustServerHints && options.deferral === undefined;
  return tools.map((tool) => (mayAsk && wantsLoad(tool) ? { ...definition(tool), ...WISH } : definition(tool)));
}

const WISH = { deferral: "never" };

/** A catalog, whose budget its servers share. */
interface Budgeted {
  settings: { budget: { tools?: number | null; tokens?: number | null } | Budget };
}

/** What each server has of the budget of a catalog. */
const shares = new WeakMap<Budgeted, Map<string, { tools: number; chars: number }>>();

/** Grants the wishes of a server's tools, as many as the other servers have left of the catalog's budget. */
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

/** Gives back what a server that has left had of the catalog's budget. */
export function withoutServer(catalog: Budgeted, server: string): void {
  shares.get(catalog)?.delete(server);
}

function wantsLoad(tool: unknown): boolean {
  const { _meta } = Object(tool) as { _meta?: unknown };
  return (Object(_meta) as Record<string, unknown>)["anthropic/alwaysLoad"] === true;
}

/** The most characters of one server's instructions, which every request carries. */
const MOST_CHARS = 8_000;

/** The heading of the instructions of all servers. */
export const INSTRUCTIONS_HEADING =
  '## What the servers say of their tools\n\nLines that begin with ">" are the words of the server that is named above them.';

/** One server's instructions: they cannot end their section, begin another server's, or pass for our words. */
export function instructionsOf(server: string, instructions: string): string {
  return `The server ${JSON.stringify(foreign(server, 200, "line"))} says:\n${foreign(instructions, MOST_CHARS, "marked")}`;
}
