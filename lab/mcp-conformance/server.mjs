/**
 * A server with the tools, prompts and resources that the official conformance suite asks for, in one protocol:
 *
 *   node lab/mcp-conformance/server.mjs stdio older|newer
 *   node lab/mcp-conformance/server.mjs http older|newer     (prints its URL)
 */

import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { hostHeaderValidation, originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import {
  completable,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** An image with one red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/** An audio file without samples. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
/** The time between two messages of a tool, in ms. */
const STEP_MS = 50;

const text = (said) => ({ type: "text", text: said });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const answer = (...content) => ({ content });
const embedded = (uri, mimeType, said) => ({ type: "resource", resource: { uri, mimeType, text: said } });
const object = (properties = {}, required = []) => ({ type: "object", properties, required });

const DEFAULTS = object({
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
});

const OPTIONS = ["option1", "option2", "option3"];
const NTH = ["First", "Second", "Third"];
const titled = (word) => NTH.map((nth, at) => ({ const: `value${at + 1}`, title: `${nth} ${word}` }));
const ENUMS = object({
  untitledSingle: { type: "string", enum: OPTIONS },
  titledSingle: { type: "string", oneOf: titled("Option") },
  legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
  untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
  titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
});

/**
 * Returns the function of a tool that asks the client once. For older protocols, the SDK sends the question as a request.
 */
function asking(requestOf, answerOf) {
  return (args, { mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, "asked");
    if (response.kind === "missing") return inputRequired({ inputRequests: { asked: requestOf(args) } });
    return answerOf(response);
  };
}

const eliciting = (schema, messageOf) => {
  const requestOf = (args) => inputRequired.elicit({ message: messageOf(args), requestedSchema: schema });
  return asking(requestOf, ({ action, content = {} }) => {
    return answer(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`));
  });
};

/** The tools, each with its description, parameters and function. */
const TOOLS = {
  test_simple_text: ["Answers with text", object(), () => answer(text("This is a simple text response for testing."))],
  test_image_content: ["Answers with an image", object(), () => answer(image)],
  test_audio_content: ["Answers with a sound", object(), () => answer({ type: "audio", data: WAV, mimeType: "audio/wav" })],
  test_embedded_resource: [
    "Answers with a resource",
    object(),
    () => answer(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
  ],
  test_multiple_content_types: [
    "Answers with text, an image and a resource",
    object(),
    () => {
      const json = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}');
      return answer(text("Multiple content types test:"), image, json);
    },
  ],
  test_tool_with_logging: [
    "Logs three times while it runs",
    object(),
    async (_, { mcpReq }) => {
      for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcpReq.log("info", said);
        await pause(STEP_MS);
      }
      return answer(text("It has logged three times."));
    },
  ],
  test_error_handling: [
    "Fails",
    object(),
    () => ({ ...answer(text("This tool intentionally returns an error for testing")), isError: true }),
  ],
  test_tool_with_progress: [
    "Tells of its progress three times",
    object(),
    async (_, { mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {};
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        }
        await pause(STEP_MS);
      }
      return answer(text("It has told of its progress."));
    },
  ],
  test_sampling: [
    "Asks the client's model",
    object({ prompt: { type: "string" } }, ["prompt"]),
    asking(
      ({ prompt }) => inputRequired.createMessage({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 }),
      ({ result }) => answer(text(`LLM response: ${[result.content].flat()[0]?.text}`)),
    ),
  ],
  test_elicitation: [
    "Asks the user",
    object({ message: { type: "string" } }, ["message"]),
    eliciting(
      object({ username: { type: "string" }, email: { type: "string" } }, ["username", "email"]),
      ({ message }) => message,
    ),
  ],
  test_elicitation_sep1034_defaults: ["Asks the user for data", object(), eliciting(DEFAULTS, () => "Your data")],
  test_elicitation_sep1330_enums: ["Asks the user to choose", object(), eliciting(ENUMS, () => "Your choice")],
  test_reconnection: [
    "Ends the stream of its call, and answers on the next one",
    object(),
    async (_, { http }) => {
      http?.closeSSE?.();
      await pause(2 * STEP_MS);
      return answer(text("The stream was taken up again."));
    },
  ],
  json_schema_2020_12_tool: [
    "Tool with JSON Schema 2020-12 features",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: object({ street: { type: "string" }, city: { type: "string" } }) },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    ({ name }) => answer(text(`hello ${name}`)),
  ],
};

const said = (...contents) => ({ messages: contents.map((content) => ({ role: "user", content })) });
/** Returns an argument with the completions Paris and park. */
const place = () => completable(z.string(), (value) => ["paris", "park"].filter((one) => one.startsWith(value)));

/** The prompts, each with its description, arguments and messages. */
const PROMPTS = {
  test_simple_prompt: ["A prompt without arguments", undefined, () => said(text("This is a simple prompt for testing."))],
  test_prompt_with_arguments: [
    "A prompt with arguments",
    z.object({ arg1: place(), arg2: z.string() }),
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: [
    "A prompt with a resource",
    z.object({ resourceUri: z.string() }),
    ({ resourceUri }) => {
      const resource = embedded(resourceUri, "text/plain", "Embedded resource content for testing.");
      return said(resource, text("Please process the embedded resource above."));
    },
  ],
  test_prompt_with_image: ["A prompt with an image", undefined, () => said(image, text("Please analyze the image above."))],
};

/** The resources, each with its type and content. */
const RESOURCES = {
  "test://static-text": ["text/plain", { text: "This is the content of the static text resource." }],
  "test://static-binary": ["image/png", { blob: PNG }],
  "test://watched-resource": ["text/plain", { text: "This resource can be followed." }],
};

function server() {
  const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} };
  const made = new McpServer({ name: "conformance", version: "1.0.0" }, { capabilities });
  for (const [name, [description, input, run]] of Object.entries(TOOLS)) {
    made.registerTool(name, { description, inputSchema: fromJsonSchema(input) }, run);
  }
  for (const [name, [description, argsSchema, run]] of Object.entries(PROMPTS)) {
    made.registerPrompt(name, { description, ...(argsSchema && { argsSchema }) }, run);
  }
  for (const [uri, [mimeType, content]] of Object.entries(RESOURCES)) {
    made.registerResource(uri, uri, { description: uri, mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  }
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  made.registerResource("template", template, { mimeType: "application/json" }, ({ href: uri }, { id }) => {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: "application/json", text: data }] };
  });
  for (const method of ["resources/subscribe", "resources/unsubscribe"]) made.server.setRequestHandler(method, () => ({}));
  return made;
}

/** Stores the events of one session's streams, so that a client can resume a stream. */
class Events {
  #events = [];

  async storeEvent(stream, message) {
    this.#events.push({ stream, message });
    return String(this.#events.length - 1);
  }

  async replayEventsAfter(last, { send }) {
    const { stream } = this.#events[Number(last)];
    for (const [at, event] of this.#events.entries()) {
      if (at > Number(last) && event.stream === stream) await send(String(at), event.message);
    }
    return stream;
  }
}

/** Handles sessions of the older protocol over HTTP. */
function sessions() {
  const transports = new Map();
  return async (request) => {
    const known = transports.get(request.headers.get("mcp-session-id"));
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
      eventStore: new Events(),
      retryInterval: 100,
    });
    await server().connect(transport);
    return transport.handleRequest(request);
  };
}

function overHttp(fetch) {
  const handle = toNodeHandler({ fetch });
  const names = ["localhost", "127.0.0.1", "[::1]"];
  const [isOwnHost, isOwnOrigin] = [hostHeaderValidation(names), originValidation(names)];
  const listening = createServer((request, response) => {
    if (isOwnHost(request, response) && isOwnOrigin(request, response)) void handle(request, response);
  });
  listening.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listening.address().port}/mcp`));
}

const [way, era] = process.argv.slice(2);
if (way === "stdio" && era === "older") await server().connect(new StdioServerTransport());
else if (way === "stdio" && era === "newer") serveStdio(server, { legacy: "reject" });
else if (way === "http" && era === "older") overHttp(sessions());
else if (way === "http" && era === "newer") overHttp(createMcpHandler(server, { legacy: "reject" }).fetch);
else {
  console.error("usage: server.mjs stdio|http older|newer");
  process.exitCode = 2;
}
