/**
 * Opens the real gateway with servers that are made from lists of tools, all in this process, and connects a client to it.
 */

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { TOOL_RESULT } from "./play.mjs";

/** A schema that accepts any answer, because captured lists are not checked here. */
const ANYTHING = { "~standard": { version: 1, vendor: "toolsift", validate: (value) => ({ value }) } };

/**
 * The host of a conversation through a gateway with some options: `tools` and `instructions` as an MCP client reads them,
 * `list()` reads the tools once more, `call` answers `{ content, ran }`, `renew()` begins another conversation. `close()`
 * ends everything.
 */
export async function gatewayHost(gateway, catalogs, options) {
  const lists = new Map(catalogs.map(({ server, tools }) => [server, tools.flatMap(listed)]));
  const open = await gateway({
    mcpServers: Object.fromEntries([...lists.keys()].map((name) => [name, { command: "unused" }])),
    transport: (name) => linked(() => serverOf(name, lists.get(name))),
    // Packs are off, because they would favour catalogs of well-known servers.
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

/** Returns a transport that is connected with a server in memory. */
function linked(factory) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(factory, { transport: far });
  return near;
}

/** Makes a server whose tools all return the same result. */
function serverOf(name, tools) {
  const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: TOOL_RESULT }] }));
  return server;
}

/** Converts a definition of any usual form to MCP's form. Returns nothing if it is not a definition. */
export function listed(tool) {
  const given = tool?.function ?? tool;
  if (typeof given?.name !== "string") return [];
  // The output schema is dropped: with it, the SDK would refuse the common result. It is never sent to a model.
  const { parameters, input_schema, inputSchema = input_schema ?? parameters, outputSchema: _, ...rest } = given;
  return [{ ...rest, inputSchema: { type: "object", ...(inputSchema ?? { properties: {} }) } }];
}
