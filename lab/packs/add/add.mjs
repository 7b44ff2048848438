/** Adds the pack of a server: writes what the author of the words needs, or reads the written words and makes the pack. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asLines } from "../../../scripts/lib/json-lines.mjs";
import { Problem } from "../../../scripts/lib/run.mjs";
import { definitionHash } from "../../../scripts/lib/packs/hash.mjs";
import { packModules } from "../../../scripts/lib/packs/modules.mjs";
import { writePages } from "../pages.mjs";
import { packsDir, readPacks } from "../../../scripts/lib/packs/read.mjs";
import { readServers, writeServers } from "../servers.mjs";
import { entriesOf, rowsIn } from "./entries.mjs";
import { wordsPrompt } from "./prompts.mjs";

/**
 * Returns the server of a package: the name of its pack, its version, its tools, and those of them that need words.
 *
 * @param source `NAME@VERSION` of a package of npm, or `pypi:NAME@VERSION`
 */
export function serverOf(source, tools, name) {
  const [, from, version] = /^(.+)@(.+)$/.exec(source) ?? [];
  if (version === undefined) throw new Problem(`${source}: write the version of the package too, as in ${source}@1.2.3`);
  const { packs } = readServers();
  const pack = name ?? packs.find((row) => row.package === from)?.pack ?? nameOf(from);
  if (!/^[a-z0-9-]+$/.test(pack))
    throw new Problem(`a pack is called by small letters, digits and "-", got ${pack}: --name NAME`);
  const other = packs.find((row) => row.pack === pack && row.package !== from);
  if (other !== undefined)
    throw new Problem(`the pack ${pack} is of ${other.package}: give this one another with --name NAME`);
  return { pack, package: from, version, tools };
}

/** Writes the prompt for the words of tools that have none, in this pack or another. Returns the number of these tools. */
export async function writePrompt({ pack, tools }, file, enrich) {
  const known = readPacks().flatMap(({ entries }) => entries);
  const open = withoutWords(tools, known);
  mkdirSync(dirname(file), { recursive: true });
  if (open.length > 0) writeFileSync(file, await wordsPrompt(enrich, tools, known, pack));
  return open.length;
}

/**
 * Makes the pack of written words. If the words are invalid, writes nothing and reports the problems.
 *
 * @param files `{ words, more }`, the files of the authors
 * @param lib `{ enrich, inspect }`
 */
export async function takeWords({ pack, package: from, version, tools }, { words, more }, lib) {
  const packs = readPacks();
  const others = packs.filter(({ name }) => name !== pack);
  const before = packs.find(({ name }) => name === pack)?.entries ?? [];
  const own = withoutWords(
    tools,
    others.flatMap(({ entries }) => entries),
  );
  const { entries, leftOut, problems } = await entriesOf(rowsOf(words), rowsOf(more), own, before, { ...lib, server: pack });
  if (problems.length > 0) return { leftOut, problems };

  writeFileSync(join(packsDir, `${pack}.jsonl`), asLines(entries));
  const servers = readServers();
  const row = servers.packs.find((one) => one.pack === pack);
  const written = new Date().toISOString().slice(0, 10);
  servers.packs = [...servers.packs.filter((one) => one !== row), { pack, ...row, package: from, version, written }];
  writeServers(servers);
  return { leftOut, problems, entries: entries.length, changed: writePages(packModules(), servers) };
}

const rowsOf = (file) => (file === undefined ? [] : rowsIn(file));

/** Returns the tools without an entry for their definition. */
function withoutWords(tools, entries) {
  const hashes = new Set(entries.map(({ hash }) => hash));
  return tools.filter(({ name, description = "" }) => !hashes.has(definitionHash(name, description)));
}

/** Returns the default name of a pack: the package's name without usual parts such as `mcp-server`. */
function nameOf(from) {
  const [, scope = "", name] = /^(?:pypi:)?(?:@([^/]+)\/)?(.+)$/.exec(from);
  const parts = (text) =>
    text
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((part) => part !== "" && !["mcp", "server"].includes(part));
  const own = parts(name);
  return (own.length > 0 ? own : parts(scope)).join("-");
}
