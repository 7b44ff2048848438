/**
 * Opens the real gateway with servers that are made from lists of tools, all in this process, and connects a client to it.
 */

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { TOOL_RESULT } from "./play.mjs";

/** Accepts any answer: what a captured list holds is not judged here. */
const ANYTHING = { "~standard": { version: 1, vendor: "toolsift", validate: (value) => ({ value }) } };

/**
 * The host of a conversation through a gateway with some options: `tools` and `instructions` as an MCP client reads them,
 * `list()` reads the tools once more, `call` answers `{ content, ran }`, `renew()` begins another conversation. `close()` ends
 * everything.
 */
export async function gatewayHost(gateway, catalogs, options) {
  const lists = new Map(catalogs.map(({ server, tools }) => [server, tools.flatMap(listed)]));
  const open = await gateway({
    mcpServers: Object.fromEntries([...lists.keys()].map((name) => [name, { command: "unused" }])),
    transport: (name) => linked(() => serverOf(name, lists.get(name))),
    // What is measured is the search: with packs, catalogs of well-known servers would not be compared with others.
    packs: false,
    ...options,
  });
  const connected = async () => {
    const made = new Client({ name: "prompt-size", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await made.connect(linked(({ era }) => open.server({ era })));
    return made;
  };
  try {
    await open.ready();
    let client = await connected();
    const list = async () => (await client.request({ method: "tools/list" }, ANYTHING)).tools;
    return {
      tools: await list(),
      instructions: client.getInstructions() ?? "",
      list,
      call: async ({ name, args }) => {
        const request = { method: "tools/call", params: { name, arguments: args } };
        const { content, isError } = await client.request(request, ANYTHING);
        const said = content.map(({ text }) => text).join("\n");
        return { content: said, ran: isError !== true && said === TOOL_RESULT };
      },
      renew: async () => {
        await client.close();
        client = await connected();
      },
      close: async () => {
        await client.close();
        await open.close();
      },
    };
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** A transport whose other end serves. */
function linked(factory) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(factory, { transport: far });
  return near;
}

/** A server whose tools all give back the same. */
function serverOf(name, tools) {
  const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: TOOL_RESULT }] }));
  return server;
}

/** A definition as an MCP server lists it, of the shapes in which people keep them; nothing where it is none. */
export function listed(tool) {
  const given = tool?.function ?? tool;
  if (typeof given?.name !== "string") return [];
  // Its output schema would have the SDK refuse the answer that all tools give here; no model is sent it.
  const { parameters, input_schema, inputSchema = input_schema ?? parameters, outputSchema: _, ...rest } = given;
  return [{ ...rest, inputSchema: { type: "object", ...(inputSchema ?? { properties: {} }) } }];
}
