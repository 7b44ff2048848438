/** The gateway's own tools: search, describe, call. Nothing that happens changes them. */

import type { Tool } from "@modelcontextprotocol/server";
import type { Effect } from "./types.js";

export const SEARCH = "search_tools";
export const DESCRIBE = "describe_tools";

/** The tools that call, and the most that the tools may do which they call. */
export const CALLS: Readonly<Record<string, Effect>> = {
  call_read_only_tool: "read",
  call_tool: "write",
  call_destructive_tool: "destroy",
};

const ORDER: readonly Effect[] = ["read", "write", "destroy"];

/** Whether a call tool of one effect may call a tool of another. */
export function allows(caller: Effect, effect: Effect): boolean {
  return ORDER.indexOf(effect) <= ORDER.indexOf(caller);
}

/** The call tool for an effect. */
export function callerOf(effect: Effect, calls: "by-effect" | "one"): string {
  if (calls === "one") return "call_tool";
  return Object.keys(CALLS).find((name) => CALLS[name] === effect)!;
}

/** Names that a server's tool cannot have: the surface's, and the discovery tools of the core's profile. */
export const RESERVED: ReadonlySet<string> = new Set([
  SEARCH,
  DESCRIBE,
  ...Object.keys(CALLS),
  "add_tool",
  "show_all_tools",
]);

/** Servers that the search tool names; the names of many would cost more than they help. */
const NAMED_SERVERS = 60;
const NAME_CHARS = 40;

const ARGUMENTS = {
  type: "object" as const,
  properties: {
    name: { type: "string" },
    arguments: { type: "object", description: "By the tool's parameters." },
  },
  required: ["name"],
};

/**
 * The definitions, for servers of these names. They change only when servers are added or removed.
 *
 * @param hasTasks whether calls may become tasks of the older protocol
 */
export function surface(servers: readonly string[], calls: "by-effect" | "one", hasTasks: boolean): Tool[] {
  const execution = hasTasks ? { execution: { taskSupport: "optional" as const } } : {};
  const named = servers.slice(0, NAMED_SERVERS).map((name) => name.replace(/[^\p{L}\p{N}._ -]/gu, "?").slice(0, NAME_CHARS));
  const more = servers.length > named.length ? ` and ${servers.length - named.length} more` : "";
  const search: Tool = {
    name: SEARCH,
    title: "Search tools",
    description:
      "Finds tools that are not listed here. Say in plain words what you need to do; several needs go on a line each. " +
      "The answer has the parameters of the tools that clearly fit, and which tool calls them, or says that nothing fits." +
      (named.length > 0 ? ` Connected servers: ${named.join(", ")}${more}.` : ""),
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: 'What you need, such as "open a ticket"; "server:github" narrows it.' },
      },
      required: ["query"],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
  const describe: Tool = {
    name: DESCRIBE,
    title: "Describe tools",
    description: "Gives the descriptions and parameters of tools that a search named without them.",
    inputSchema: {
      type: "object",
      properties: { names: { type: "array", items: { type: "string" }, description: "At most 20 names." } },
      required: ["names"],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
  if (calls === "one") {
    const description = "Calls a tool that search_tools found.";
    return [
      search,
      describe,
      { name: "call_tool", title: "Call a tool", description, inputSchema: ARGUMENTS, ...execution },
    ];
  }
  const caller = (name: string, title: string, which: string, annotations: Tool["annotations"]): Tool => {
    const description = `Calls a tool that search_tools found${which}.`;
    return { name, title, description, inputSchema: ARGUMENTS, annotations, ...execution };
  };
  return [
    search,
    describe,
    caller("call_read_only_tool", "Call a tool that only reads", " and that changes nothing", { readOnlyHint: true }),
    caller("call_tool", "Call a tool that writes", " and that adds or changes, but deletes nothing", {
      readOnlyHint: false,
      destructiveHint: false,
    }),
    caller("call_destructive_tool", "Call a tool that may delete", " and that may delete, overwrite, or does not say", {
      readOnlyHint: false,
      destructiveHint: true,
    }),
  ];
}
