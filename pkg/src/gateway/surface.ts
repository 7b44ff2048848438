/** The gateway's own tools: the constant discovery tools of the core, with titles and annotations for MCP clients. */

import type { Tool } from "@modelcontextprotocol/server";
import type { ToolSift } from "../core/sift.js";

export const SEARCH = "search_tools";
/** The tool that may call every tool. */
export const CALL_ANY = "call_destructive_tool";

/** The tool that reads files of skills. It is listed only if a skill has files. */
export const READ_SKILL = "read_skill";

/** The titles and annotations by which clients decide if they ask a person before a call. */
const SHOWN: Readonly<Record<string, Pick<Tool, "title" | "annotations">>> = {
  [SEARCH]: { title: "Search tools", annotations: { readOnlyHint: true, openWorldHint: false } },
  call_read_only_tool: { title: "Call a tool that only reads", annotations: { readOnlyHint: true } },
  call_tool: { title: "Call a tool that writes", annotations: { readOnlyHint: false, destructiveHint: false } },
  [READ_SKILL]: { title: "Read a file of a skill", annotations: { readOnlyHint: true, openWorldHint: false } },
  [CALL_ANY]: { title: "Call a tool that may delete", annotations: { readOnlyHint: false, destructiveHint: true } },
};

/** The maximum number of servers that the search tool's description names; more names would cost more than they help. */
const NAMED_SERVERS = 60;
const NAME_CHARS = 40;

/** Checks if a name belongs to one of the gateway's own tools. */
export function isOwn(name: string): boolean {
  return Object.hasOwn(SHOWN, name);
}

/**
 * Returns the definitions of the gateway's own tools. They change only when a server is added or removed, and with the first
 * skill.
 *
 * @param sift contains the core's definitions
 * @param readSkill the tool that reads files of skills, if a skill has files
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
