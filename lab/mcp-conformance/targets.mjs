/** Lists the targets of the conformance suite: a server alone, and the server behind the gateway in several setups. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "../../scripts/lib/paths.mjs";
import { callingThrough } from "./call-tools.mjs";
import { program } from "./program.mjs";

const OWN = at("lab", "mcp-conformance", "server.mjs");
const GATEWAY = at("cli", "bin", "toolsift-cli.mjs");

/** The flags that defer tools. Without them, the gateway passes such small catalogs through unchanged. */
const SEARCHING = ["--activation", "on"];

const asProcess = (era) => ({ command: process.execPath, args: [OWN, "stdio", era] });
const overHttp = (era) => program([OWN, "http", era], {}, /^(http\S+)/m);

/**
 * The targets, each with a function that starts it: first the server alone, then the server behind the gateway in several
 * setups.
 */
export const TARGETS = {
  direct: () => overHttp("older"),
  "process, older": () => behind(asProcess("older")),
  "process, newer": () => behind(asProcess("newer")),
  "HTTP, older": () => behindHttp("older"),
  "HTTP, newer": () => behindHttp("newer"),
  "older, surface": () => behindSurface(asProcess("older")),
  "newer, surface": () => behindSurface(asProcess("newer")),
};

/** Starts the gateway in front of one server, as a process that serves HTTP. */
async function behind(entry, ...flags) {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-conformance-"));
  const config = join(folder, "servers.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { behind: entry } }));
  const args = [GATEWAY, "mcp", "--config", config, "--http", "0", "--no-token", ...flags];
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const gateway = await program(args, { TOOLSIFT_HOME: join(folder, "home") }, /listening on (\S+)/);
    return { ...gateway, close: async () => void (await gateway.close(), close()) };
  } catch (error) {
    close();
    throw error;
  }
}

async function behindHttp(era) {
  const server = await overHttp(era);
  return inFrontOf(server, () => behind({ url: server.url }));
}

async function behindSurface(entry) {
  const gateway = await behind(entry, ...SEARCHING);
  return inFrontOf(gateway, () => callingThrough(gateway.url));
}

/** Starts a program in front of a server. Closing it closes both. */
async function inFrontOf(server, start) {
  try {
    const front = await start();
    return { ...front, close: async () => void (await front.close(), await server.close()) };
  } catch (error) {
    await server.close();
    throw error;
  }
}
