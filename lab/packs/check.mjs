/** Compares packs with the catalogs from which they were written. */

import { definitionHash } from "../../scripts/lib/packs/hash.mjs";
import { brokenRules, sharedTexts } from "./rules.mjs";

/** Returns the server of a catalog: `azure-all` and `playwright-allcaps` are variants of one server. */
export const familyOf = (server) => server.replace(/-all(caps)?$/, "");

/** Returns the tools of some catalogs by server and hash, each once. */
export function toolsByServer(catalogs) {
  const servers = new Map();
  for (const { server, tools } of catalogs) {
    const known = servers.get(familyOf(server)) ?? new Map();
    for (const tool of tools) known.set(definitionHash(tool.name, tool.description ?? ""), tool);
    servers.set(familyOf(server), known);
  }
  return servers;
}

/**
 * Returns the problems of packs: tools without an entry, entries of changed or removed tools, and broken rules. For a server
 * without a catalog here, only the rules are checked.
 */
export function checkPacks(packs, catalogs, inspect) {
  const servers = toolsByServer(catalogs);
  const missing = [];
  const stale = [];
  const broken = [];
  const owners = new Map();
  for (const { name: pack, entries } of packs) {
    const tools = servers.get(pack);
    for (const entry of entries) {
      const tool = tools?.get(entry.hash);
      if (tools !== undefined && tool === undefined) stale.push({ pack, tool: entry.name });
      const problems = brokenRules(entry, tool, inspect);
      if (tool !== undefined && tool.name !== entry.name) problems.push(`is of the tool ${tool.name}`);
      if (owners.has(entry.hash)) problems.push(`has the hash of a tool of ${owners.get(entry.hash)}`);
      owners.set(entry.hash, pack);
      for (const problem of problems) broken.push({ pack, tool: entry.name, problem });
    }
    broken.push(...sharedTexts(entries).map((one) => ({ pack, ...one })));
  }
  for (const [server, tools] of servers) {
    for (const [hash, { name }] of tools) if (owners.get(hash) !== server) missing.push({ pack: server, tool: name, hash });
  }
  return { missing, stale, broken };
}
