/** Tools that the tests of the command line share. */

/** A tool in the form of MCP. */
export function tool(name, description, properties = {}) {
  return { name, description, inputSchema: { type: "object", properties } };
}

const text = (description) => ({ type: "string", description });

/** Tools of a tracker, in the form of `tools/list`. */
export const TRACKER = {
  tools: [
    tool("create_issue", "Create a new issue in a project.", {
      title: text("The title"),
      body: text("The text, as Markdown"),
    }),
    tool("close_issue", "Close an issue that is done.", { number: text("The number of the issue") }),
    tool("list_labels", "List the labels of a project.", { project: text("The name of the project") }),
  ],
};

/** Tools of a chat, in the form of OpenAI. */
export const CHAT = [
  {
    type: "function",
    function: {
      name: "send_message",
      description: "Send a message to a channel.",
      parameters: { type: "object", properties: { channel: text("The channel"), text: text("What is said") } },
    },
  },
];

/** What a server of the older protocol answers to a message; nothing to a notification. Its calls say `called`. */
export function mcpAnswer(
  { id, method, params },
  tools = [{ name: "one", inputSchema: { type: "object" } }],
  called = "called",
) {
  if (id === undefined) return undefined;
  const protocolVersion = params?.protocolVersion ?? "2025-11-25";
  const results = {
    initialize: { protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo: { name: "fake", version: "1" } },
    "tools/list": { tools },
    "tools/call": { content: [{ type: "text", text: called }] },
  };
  const body = results[method] ? { result: results[method] } : { error: { code: -32601, message: "Method not found" } };
  return { jsonrpc: "2.0", id, ...body };
}
