/** What the conformance suite runs against: two servers, each alone and behind the gateway in several ways. */

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "../../scripts/lib/paths.mjs";
import { callingThrough } from "./call-tools.mjs";
import { program } from "./program.mjs";

const EVERYTHING = at("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js");
const OWN = at("lab", "mcp-conformance", "server.mjs");
const GATEWAY = at("cli", "bin", "toolsift-cli.mjs");

/** Catalogs as small as these pass through. With this flag their tools are behind the surface, and are called through it. */
const SEARCHING = ["--activation", "on"];

const stdio = (...args) => ({ command: process.execPath, args });
const everything = { stdio: () => stdio(EVERYTHING, "stdio"), http: everythingOverHttp };
const own = (era) => ({ stdio: () => stdio(OWN, "stdio", era), http: () => program([OWN, "http", era], {}, /^(http\S+)/m) });

/** Each by its key: what it is, and what starts it. The first of each server is the server alone. */
export const TARGETS = [
  {
    server: "server-everything",
    ways: {
      direct: () => everything.http(),
      "process, passed through": () => behind(everything.stdio()),
      "HTTP, passed through": () => behindHttp(everything.http),
      "process, surface": () => behindSurface(everything.stdio()),
    },
  },
  {
    server: "the suite's tools on SDK v2",
    ways: {
      direct: () => own("older").http(),
      "process, older": () => behind(own("older").stdio()),
      "process, newer": () => behind(own("newer").stdio()),
      "HTTP, older": () => behindHttp(own("older").http),
      "HTTP, newer": () => behindHttp(own("newer").http),
      "older, surface": () => behindSurface(own("older").stdio()),
      "newer, surface": () => behindSurface(own("newer").stdio()),
    },
  },
];

/** The gateway in front of one server, as a process that serves HTTP. */
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

async function behindHttp(start) {
  const server = await start();
  return inFrontOf(server, () => behind({ url: server.url }));
}

async function behindSurface(entry) {
  const gateway = await behind(entry, ...SEARCHING);
  return inFrontOf(gateway, () => callingThrough(gateway.url));
}

/** Starts something in front of a server; closing it closes both. */
async function inFrontOf(server, start) {
  try {
    const front = await start();
    return { ...front, close: async () => void (await front.close(), await server.close()) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** It takes the port from its environment, and does not say which one it got. */
async function everythingOverHttp() {
  const port = await freePort();
  const { close } = await program([EVERYTHING, "streamableHttp"], { PORT: String(port) }, /listening on (port)/);
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
