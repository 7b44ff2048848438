/** The gateway's own tools: those of the core's constant surface, with what MCP's clients show of each. Nothing changes them. */

import type { Tool } from "@modelcontextprotocol/server";
import type { ToolSift } from "../core/sift.js";

export const SEARCH = "search_tools";
/** The tool that may call every tool. */
export const CALL_ANY = "call_destructive_tool";

/** Reads files of skills. It is there where a skill has some. */
export const READ_SKILL = "read_skill";

/** What clients show of each, and by which they decide whether they ask a person first. */
const SHOWN: Readonly<Record<string, Pick<Tool, "title" | "annotations">>> = {
  [SEARCH]: { title: "Search tools", annotations: { readOnlyHint: true, openWorldHint: false } },
  call_read_only_tool: { title: "Call a tool that only reads", annotations: { readOnlyHint: true } },
  call_tool: { title: "Call a tool that writes", annotations: { readOnlyHint: false, destructiveHint: false } },
  [READ_SKILL]: { title: "Read a file of a skill", annotations: { readOnlyHint: true, openWorldHint: false } },
  [CALL_ANY]: { title: "Call a tool that may delete", annotations: { readOnlyHint: false, destructiveHint: true } },
};

/** Servers that the search tool names; the names of many would cost more than they help. */
const NAMED_SERVERS = 60;
const NAME_CHARS = 40;

/** Whether a name is one of the gateway's own tools. */
export function isOwn(name: string): boolean {
  return Object.hasOwn(SHOWN, name);
}

/**
 * The definitions, for servers of these names. They change only when servers are added or removed, and with the first skill.
 *
 * @param sift has the core's definitions
 * @param readSkill the one that is there where a skill has files
 */
export function surface(sift: ToolSift, readSkill: Tool | undefined, servers: readonly string[]): Tool[] {
  const named = servers.slice(0, NAMED_SERVERS).map((name) => name.replace(/[^\p{L}\p{N}._ -]/gu, "?").slice(0, NAME_CHARS));
  const more = servers.length > named.length ? ` and ${servers.length - named.length} more` : "";
  const connected = named.length === 0 ? "" : ` Connected servers: ${named.join(", ")}${more}.`;
  const tools = sift.settings.surface.map((name) => {
    const tool = sift.definition(name) as Tool;
    if (tool.name === SEARCH) return { ...tool, ...SHOWN[SEARCH], description: `${tool.description}${connected}` };
    return { ...tool, ...SHOWN[tool.name] };
  });
  return readSkill === undefined ? tools : [...tools, { ...readSkill, ...SHOWN[READ_SKILL] }];
}
