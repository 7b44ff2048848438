/**
 * The list of an agent's tools. The SDK iterates it before each request, and then the list reads the session again. When the
 * SDK iterates it to process a reply, nothing changes. Tools that your program has in the list or adds later stay in it.
 */

import type { Tool } from "@openai/agents";
import { ToolSiftError } from "../../base/errors.js";
import type { Session } from "../../index.js";
import { fitted, type ToolLimit } from "../../wire/limits.js";
import type { Catalog, ToolList } from "./catalog.js";
import { type Definition, sentTool } from "./tools.js";

/**
 * Makes a list that starts with your program's own tools.
 *
 * @throws ToolSiftError as `with`
 */
export function toolList(
  catalog: Catalog,
  open: () => Session,
  own: readonly Tool<any>[],
  limit: ToolLimit | undefined,
): ToolList {
  const tools = [...own];
  const ours = new WeakSet<Tool<any>>();
  const list: ToolList = { tools, catalog, open, limit, ours, isSent: false };
  const readAnew = () => {
    const others = tools.filter((tool) => !ours.has(tool));
    const { discovery, deferred } = sentNow(list, others);
    for (const tool of [...discovery, ...deferred]) ours.add(tool);
    tools.splice(0, tools.length, ...discovery, ...others, ...deferred);
  };
  const iterate = () => {
    if (!list.isSent) readAnew();
    return Array.prototype.values.call(tools);
  };
  Object.defineProperty(tools, Symbol.iterator, { value: iterate });
  readAnew();
  return list;
}

/** Returns the session's tools in two parts: discovery tools, which come before the agent's own tools, and loaded tools. */
function sentNow(list: ToolList, others: readonly Tool<any>[]): { discovery: Tool<any>[]; deferred: Tool<any>[] } {
  const { open, limit } = list;
  const session = open();
  const { tools } = session.look({ format: "mcp" });
  const definitions = tools as unknown as Definition[];
  const known = session.named(definitions.map(({ name }) => name));
  const isDiscovery = ({ name }: Definition) => !known.has(name);
  const discovery = definitions.filter(isDiscovery);
  refuseClashes(session, discovery, others);
  const deferred = definitions.filter((one) => !isDiscovery(one));
  const nameOf = ({ name }: Definition) => name;
  return {
    discovery: discovery.map((one) => sentTool(list, one, true)),
    deferred: fitted(deferred, discovery.length + others.length, session, limit, nameOf).map((one) =>
      sentTool(list, one, false),
    ),
  };
}

function refuseClashes(session: Session, discovery: readonly Definition[], others: readonly Tool<any>[]): void {
  const found = new Set(discovery.map(({ name }) => name));
  const clash = others.find(({ name }) => found.has(name));
  if (clash !== undefined) {
    throw new ToolSiftError("option_conflict", `the agent's tool ${clash.name} has the name of a discovery tool; rename it`);
  }
  const known = session.named(others.map(({ name }) => name));
  const seen = others.map(({ name }) => known.get(name)).find((tool) => tool !== undefined && tool.state !== "hidden");
  if (seen === undefined) return;
  const where = seen.server === null ? "the catalog" : `server ${seen.server}`;
  const help = "rename it, or pass it in the tools of siftAgents to have it deferred";
  throw new ToolSiftError("option_conflict", `the agent's tool ${seen.name} has the name of a tool of ${where}; ${help}`);
}
