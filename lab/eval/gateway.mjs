/** Opens the real gateway in front of servers made from lists of tools, all in this process, and searches through it. */

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** What a gateway in front of these lists answers: `search(query)`, each in a conversation of its own; `close()` ends it. */
export async function gatewayOver(gateway, lists) {
  const open = await gateway({
    mcpServers: Object.fromEntries([...lists.keys()].map((name) => [name, { command: "unused" }])),
    transport: (name) => linked(() => serverOf(name, lists.get(name))),
    // What is measured is the search: with packs, catalogs of well-known servers would not be compared with others.
    packs: false,
    activation: "on",
  });
  const search = async (query) => {
    const client = new Client({ name: "eval", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(linked(({ era }) => open.server({ era })));
    const { content } = await client.callTool({ name: "search_tools", arguments: { query } });
    await client.close();
    return content.map(({ text }) => text).join("\n");
  };
  await open.ready();
  return { search, close: () => open.close() };
}

/** A transport whose other end serves. */
function linked(factory) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(factory, { transport: far });
  return near;
}

function serverOf(name, tools) {
  const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  return server;
}
