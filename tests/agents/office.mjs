/** The installed package over six real MCP servers: what every test of an agent begins with. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startServers } from "../../scripts/servers.mjs";
import { install } from "../package/installed.mjs";

/** Starts the servers; `close` ends them. */
export async function openOffice() {
  const { home } = await install();
  const { ToolSift } = await import(pathToFileURL(join(home, "dist", "index.js")).href);
  const office = await startServers();
  assert.deepEqual(office.failed, [], "every server starts");
  const { servers } = office;
  return {
    servers,
    close: () => office.close(),

    /** A sift with the tools of every server. */
    filled(options) {
      const sift = new ToolSift(options);
      for (const { name, tools } of servers) {
        const report = sift.register(tools, { server: name });
        assert.deepEqual(report.rejected, [], name);
        assert.equal(report.registered.length, tools.length);
      }
      return sift;
    },

    /** The tools of one server. */
    toolsOf: (server) => servers.find(({ name }) => name === server).tools,

    /** Runs a tool on the server that it came from. */
    async run(server, name, args) {
      const { client } = servers.find((one) => one.name === server);
      const { content } = await client.callTool({ name, arguments: args });
      return content.map((part) => part.text).join("\n");
    },
  };
}

/** What came of the first call of a step. */
export const outcome = (result, step) => result.outcomes[step][0];
