/** What a person has switched off: servers and tools that no gateway of theirs serves, until they are switched on again. */

import { join } from "node:path";
import type { GatewayRules } from "toolsift/gateway";
import { home, readIfThere, writePrivately } from "../home.js";
import { withLock } from "../lock.js";

/** Names of servers, and of tools as `server:tool`. */
export interface Switches {
  servers: string[];
  tools: string[];
}

/** The file, which running gateways follow. */
export const switchesFile = (): string => join(home(), "switches.json");

/** What is switched off; nothing where there is no file, or a damaged one. */
export async function readSwitches(): Promise<Switches> {
  try {
    const kept = JSON.parse((await readIfThere(switchesFile())) ?? "{}") as Partial<Switches> | null;
    return { servers: namesIn(kept?.servers), tools: namesIn(kept?.tools) };
  } catch {
    return { servers: [], tools: [] };
  }
}

/** Switches a server, or one of its tools, on or off. @throws what the file system throws */
export async function switchTo(isOn: boolean, server: string, tool?: string): Promise<void> {
  const file = switchesFile();
  await withLock(file, async () => {
    const off = await readSwitches();
    const [kind, name] = tool === undefined ? (["servers", server] as const) : (["tools", `${server}:${tool}`] as const);
    const others = off[kind].filter((one) => one !== name);
    await writePrivately(file, JSON.stringify({ ...off, [kind]: isOn ? others : [...others, name] }, null, 2));
  });
}

/** The entries without those of servers that are switched off. */
export function switchedOn<T>(entries: ReadonlyMap<string, T>, off: Switches): Map<string, T> {
  return new Map([...entries].filter(([name]) => !off.servers.includes(name)));
}

/** Rules that deny the tools that are switched off, too. */
export function withSwitches(rules: GatewayRules, off: Switches): GatewayRules {
  const { deny = [] } = rules;
  // What is no list is the gateway's to refuse.
  return off.tools.length === 0 || !Array.isArray(deny) ? rules : { ...rules, deny: [...deny, ...off.tools] };
}

const namesIn = (given: unknown): string[] => {
  return Array.isArray(given) ? given.filter((name): name is string => typeof name === "string") : [];
};
