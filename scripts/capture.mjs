/**
 * Lists the tools of the real MCP servers and writes them to www/captured, for the playground: one file for each server, `{
 * server, package, version, tools }`, and an index. A server that does not start is left out.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unlessFresh } from "./lib/fresh.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";

const HELP = `node scripts/capture.mjs [--force]

Starts the real MCP servers among the development packages and writes their tool lists to www/captured.
  --force   also where nothing changed`;

const FOLDER = at("www", "captured");

/** The title of the step. */
export const TITLE = "capturing the tools of real MCP servers";

/** Captures the tools, unless they were captured for these versions of the servers. `summary` describes the result. */
export async function capture({ force = false } = {}) {
  let summary = "nothing changed";
  const inputs = [at("package-lock.json"), at("scripts", "capture.mjs"), at("scripts", "servers.mjs")];
  await unlessFresh("capture", { inputs, outputs: [FOLDER], force }, async () => {
    const found = await ask();
    summary = found.summary;
    return found.complete;
  });
  return { summary };
}

/** Captures the tools as a step whose progress is shown. */
export const captureStep = (options) => step(TITLE, () => capture(options));

async function ask() {
  const { startServers } = await import("./servers.mjs");
  const { servers, failed, close } = await startServers();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const write = (name, content) => writeFileSync(join(FOLDER, name), `${JSON.stringify(content, null, 2)}\n`);
  for (const { name, package: from, version, tools } of servers) {
    write(`${name}.json`, { server: name, package: from, version, tools });
  }
  const index = servers.map(({ name, package: from, version, tools }) => ({
    server: name,
    file: `${name}.json`,
    package: from,
    version,
    license: JSON.parse(readFileSync(at("node_modules", from, "package.json"), "utf8")).license ?? null,
    tools: tools.length,
  }));
  write("index.json", { servers: index });
  await close();

  const count = index.reduce((sum, { tools }) => sum + tools, 0);
  const missing = failed.map(({ name, error }) => `; ${name} did not start: ${error}`).join("");
  return { complete: failed.length === 0, summary: `${count} tools of ${servers.length} servers${missing}` };
}

if (isCommand(import.meta.url)) {
  const { force } = options({ force: { type: "boolean" } }, HELP);
  await main(async () => {
    await captureStep({ force });
  });
}
