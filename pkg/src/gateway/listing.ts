/** Lists everything that a server has: all pages, up to bounds for servers whose lists have no end. */

import type { Client } from "@modelcontextprotocol/client";
import { listAll, type ListBudget, LISTS } from "../upstream/list.js";
import { reasonOf } from "../base/values.js";
import type { Definitions, ServerTool } from "./types.js";
import { extensionIn } from "../skills/extension.js";

const MOST_TOOLS = 5_000;
const MOST_OTHERS = 10_000;
/** Milliseconds for prompts, resources, templates and skills together: the tools do not wait longer for a server that leaves one unanswered. */
const OTHERS_MS = 10_000;
/** How a server answers that has no such list, though it has others of the same capability. */
const METHOD_NOT_FOUND = -32_601;
const NO_METHOD =
  /method not found|unknown method|(?:method|request|operation)\b.{0,60}(?:not|un)[ -]?(?:supported|implemented)/i;
/** The most characters of a server's instructions. */
const MOST_INSTRUCTIONS = 8_000;

/** The definitions of a server, and what of its lists was left out. */
export interface Listed {
  definitions: Definitions;
  incomplete: string[];
}

/**
 * Asks a connected server for its tools, prompts, resources, templates and skills.
 *
 * @throws what the client throws while it lists the tools; other lists that fail are left out and named in `incomplete`,
 * except those that the server does not have
 */
export async function listEverything(client: Client, budget: ListBudget): Promise<Listed> {
  const capabilities: Record<string, unknown> = { ...client.getServerCapabilities() };
  const declared: Record<string, unknown> = { ...capabilities, skills: extensionIn(capabilities) };
  const incomplete: string[] = [];
  const list = async <T>(
    kind: keyof typeof declared,
    method: keyof typeof LISTS,
    id: string,
    most: number,
  ): Promise<T[]> => {
    if (declared[kind] === undefined) return [];
    const listed = await listAll(client, method, most, budget);
    if (listed.incomplete !== null) incomplete.push(listed.incomplete);
    const named = listed.entries.filter((entry) => typeof (Object(entry) as Record<string, unknown>)[id] === "string");
    const nameless = listed.entries.length - named.length;
    if (nameless > 0) incomplete.push(`${nameless} of its ${LISTS[method]} have no ${id}`);
    return named as T[];
  };
  const optional = async <T>(...args: [kind: string, method: keyof typeof LISTS, id: string]): Promise<T[]> => {
    try {
      return await list<T>(...args, MOST_OTHERS);
    } catch (error) {
      if (Object(error).code === METHOD_NOT_FOUND || NO_METHOD.test(reasonOf(error))) return [];
      incomplete.push(`${args[1]}: ${reasonOf(error)}`);
      return [];
    }
  };
  const tools = await list<ServerTool>("tools", "tools/list", "name", MOST_TOOLS);
  if (OTHERS_MS < budget.end - performance.now())
    Object.assign(budget, { ms: OTHERS_MS, end: performance.now() + OTHERS_MS });
  const [prompts, resources, resourceTemplates, skills] = await Promise.all([
    optional<{ name: string }>("prompts", "prompts/list", "name"),
    optional<{ uri: string }>("resources", "resources/list", "uri"),
    optional<{ uriTemplate: string }>("resources", "resources/templates/list", "uriTemplate"),
    optional<{ uri: string }>("skills", "skills/list", "uri"),
  ]);
  const instructions = client.getInstructions()?.slice(0, MOST_INSTRUCTIONS);
  const version = client.getServerVersion();
  const era = client.getProtocolEra();
  return {
    definitions: {
      ...(version && { server: { name: version.name, version: version.version } }),
      ...(era && { era }),
      ...(instructions && { instructions }),
      capabilities,
      tools,
      prompts,
      resources,
      resourceTemplates,
      skills,
    },
    incomplete,
  };
}
