/** Computes the servers and tools that a client of the gateway may use: `--scope`, narrowed by a header of its request. */

import type { Scope } from "toolsift";

/** The header with which an HTTP client chooses servers and tools, such as `github, slack:post_message`. */
export const SCOPE_HEADER = "x-toolsift-scope";
/** The most servers, and the most tools, of one scope. */
const MOST_ENTRIES = 1_000;

/** Reads entries such as `github` and `slack:post_message`. Returns undefined if there are no entries. */
export function scopeOf(entries: readonly string[] | undefined): Scope | undefined {
  const named = (entries ?? [])
    .flatMap((entry) => entry.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (named.length === 0) return undefined;
  const [tools, servers] = [named.filter((entry) => entry.includes(":")), named.filter((entry) => !entry.includes(":"))];
  return { servers: servers.slice(0, MOST_ENTRIES), tools: tools.slice(0, MOST_ENTRIES) };
}

/** Returns the scope of a request. Its header can only narrow the scope of the command line. */
export function scopeFor(allowed: Scope | undefined, request: Request | undefined): Scope | "all" {
  const header = request?.headers.get(SCOPE_HEADER);
  const requested = header === null || header === undefined ? undefined : (scopeOf([header]) ?? { servers: [], tools: [] });
  if (requested === undefined) return allowed ?? "all";
  return allowed === undefined ? requested : both(allowed, requested);
}

function both(one: Scope, other: Scope): Scope {
  const servers = (one.servers ?? []).filter((server) => other.servers?.includes(server));
  const within = (tools: readonly string[] = [], { servers: whole = [], tools: named = [] }: Scope) => {
    return tools.filter(
      (tool) => whole.includes(serverOf(tool)) || named.includes(tool) || named.includes(`${serverOf(tool)}:*`),
    );
  };
  return { servers, tools: [...new Set([...within(one.tools, other), ...within(other.tools, one)])] };
}

const serverOf = (tool: string) => tool.slice(0, tool.indexOf(":"));
