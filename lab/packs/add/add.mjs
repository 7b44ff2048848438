/** Adds the pack of a server: lists its tools for the author of the words, or reads the written words and makes the pack. */

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asLines } from "../../../scripts/lib/json-lines.mjs";
import { inTemporary } from "../../../scripts/lib/place.mjs";
import { step } from "../../../scripts/lib/progress.mjs";
import { CommandFailed, Problem } from "../../../scripts/lib/run.mjs";
import { definitionHash } from "../../../scripts/lib/packs/hash.mjs";
import { packModules } from "../../../scripts/lib/packs/modules.mjs";
import { writePages } from "../pages.mjs";
import { packsDir, readPacks } from "../../../scripts/lib/packs/read.mjs";
import { readServers, writeServers } from "../servers.mjs";
import { entriesOf, rowsIn } from "./entries.mjs";
import { installed } from "./install.mjs";
import { listed, Unlisted } from "./list.mjs";
import { wordsPrompt } from "./prompts.mjs";

const today = () => new Date().toISOString().slice(0, 10);

/**
 * Lists the tools of a server and writes what a writer needs into a folder: `tools.json` and `words.md`. Tools that have
 * words in this pack or another are left out of `words.md`.
 *
 * @param choices `{ source, args, env, program, name, hasNetwork, out }`
 * @param lib `{ enrich, Client, ResultSchema, processTransport }`
 */
export async function listServer(choices, lib) {
  try {
    return await inTemporary("pack", (folder) => listedIn(folder, choices, lib));
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new Problem(`${choices.source} cannot be installed: ${error.message}\n${error.output.slice(-2_000)}`);
  }
}

async function listedIn(folder, choices, lib) {
  const servers = readServers();
  const { source, args, env, program, hasNetwork } = choices;
  const server = await step(`installing ${source}, without its scripts`, () => installed(source, folder, program));
  const { package: from, version } = server;
  const start = { command: server.command, args: [...server.args, ...args], env };
  let found;
  try {
    found = await step("starting it and listing its tools", () => listed(start, lib, { folder, hasNetwork }));
  } catch (error) {
    if (!(error instanceof Unlisted)) throw error;
    const others = servers.unlisted.filter((row) => row.package !== from);
    const unlisted = [...others, { package: from, version, why: error.why, tried: today() }];
    save({ ...servers, unlisted });
    throw new Problem(`${from} ${version} does not list its tools: ${error.why}. ${error.message}`);
  }
  const pack = choices.name ?? servers.packs.find((row) => row.package === from)?.pack ?? nameOf(from);
  checkName(pack, from, servers);
  const out = join(choices.out, pack);
  mkdirSync(out, { recursive: true });
  const tools = found.tools.map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema,
  }));
  const write = (name, text) => writeFileSync(join(out, name), text);
  write("tools.json", `${JSON.stringify({ source, pack, package: from, version, listed: today(), tools }, null, 2)}\n`);
  const known = readPacks().flatMap(({ entries }) => entries);
  const open = withoutWords(tools, known);
  if (open.length > 0) write("words.md", await wordsPrompt(lib.enrich, tools, known, pack));
  return { pack, version, tools: tools.length, open: open.length, madeUp: found.madeUp, out };
}

/**
 * Makes the pack of written words. If the words are invalid, writes nothing and reports the problems.
 *
 * @param choices `{ source, out, words, more }`: the server, the folder of `listServer`, and the files of the authors
 * @param lib `{ enrich, inspect }`
 */
export async function takeWords({ source, out, words, more }, lib) {
  const { pack, package: from, version, listed: day, tools } = listedOf(source, out);
  const packs = readPacks();
  const others = packs.filter(({ name }) => name !== pack);
  const before = packs.find(({ name }) => name === pack)?.entries ?? [];
  const own = withoutWords(
    tools,
    others.flatMap(({ entries }) => entries),
  );
  const { entries, leftOut, problems } = await entriesOf(rowsOf(words), rowsOf(more), own, before, { ...lib, server: pack });
  if (problems.length > 0) return { pack, leftOut, problems };

  writeFileSync(join(packsDir, `${pack}.jsonl`), asLines(entries));
  const servers = readServers();
  const row = servers.packs.find((one) => one.pack === pack);
  const packed = [...servers.packs.filter((one) => one !== row), { pack, ...row, package: from, version, written: day }];
  const unlisted = servers.unlisted.filter((one) => one.package !== from);
  const changed = save({ packs: packed, unlisted });
  return { pack, leftOut, problems, entries: entries.length, changed };
}

const rowsOf = (file) => (file === undefined ? [] : rowsIn(file));

/** Reads the files that `listServer` wrote for a source. */
function listedOf(source, out) {
  const files = existsSync(out) ? readdirSync(out).map((name) => join(out, name, "tools.json")) : [];
  const all = files.filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, "utf8")));
  const found = all.find((one) => one.source === source);
  if (found === undefined)
    throw new Problem(`the tools of ${source} are not in ${out}: run the command without --words first`);
  return found;
}

/** Writes the facts about the servers, and the pages that contain them. */
function save(servers) {
  writeServers(servers);
  return writePages(packModules(), servers);
}

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

function checkName(pack, from, { packs }) {
  if (!/^[a-z0-9-]+$/.test(pack))
    throw new Problem(`a pack is called by small letters, digits and "-", got ${pack}: --name NAME`);
  const other = packs.find((row) => row.pack === pack && row.package !== from);
  if (other !== undefined)
    throw new Problem(`the pack ${pack} is of ${other.package}: give this one another with --name NAME`);
}
