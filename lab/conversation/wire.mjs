/** Writes a request in the order in which the vendor's prompt cache reads it. */

const text = JSON.stringify;

const chatCall = ({ id, name, args }) => ({ id, type: "function", function: { name, arguments: text(args) } });
const itemCall = ({ id, name, args }) => ({ type: "function_call", call_id: id, name, arguments: text(args) });
const toolUse = ({ id, name, args }) => ({ type: "tool_use", id, name, input: args });
const toolResult = ({ id, content }) => ({ type: "tool_result", tool_use_id: id, content });
const functionCall = ({ name, args }) => ({ functionCall: { name, args } });
const functionResponse = ({ name, content }) => ({ functionResponse: { name, response: { output: content } } });

const declared = ({ name, description = "", inputSchema }, key) => ({ name, description, [key]: inputSchema });

/**
 * The formats of all vendors. `body` builds a request, in the order in which the cache reads it. `tools` converts the
 * definitions of an MCP server. The other functions make messages of a user's text, the model's calls, their results and the
 * model's text. `writes` means that the vendor has a separate price for writing to the cache.
 */
export const WIRES = {
  anthropic: {
    writes: true,
    tools: (list) => list.map((tool) => declared(tool, "input_schema")),
    body: (tools, system, messages) => ({ tools, system, messages }),
    user: (content) => ({ role: "user", content }),
    calls: (calls) => [{ role: "assistant", content: calls.map(toolUse) }],
    results: (results) => [{ role: "user", content: results.map(toolResult) }],
    answer: (content) => ({ role: "assistant", content }),
  },
  openai: {
    writes: false,
    tools: (list) => list.map((tool) => ({ type: "function", function: declared(tool, "parameters") })),
    body: (tools, system, messages) => ({ tools, messages: [{ role: "system", content: system }, ...messages] }),
    user: (content) => ({ role: "user", content }),
    calls: (calls) => [{ role: "assistant", content: null, tool_calls: calls.map(chatCall) }],
    results: (results) => results.map(({ id, content }) => ({ role: "tool", tool_call_id: id, content })),
    answer: (content) => ({ role: "assistant", content }),
  },
  "openai-responses": {
    writes: false,
    tools: (list) => list.map((tool) => ({ type: "function", ...declared(tool, "parameters"), strict: false })),
    body: (tools, instructions, input) => ({ tools, instructions, input }),
    user: (content) => ({ role: "user", content }),
    calls: (calls) => calls.map(itemCall),
    results: (results) => results.map(({ id, content }) => ({ type: "function_call_output", call_id: id, output: content })),
    answer: (content) => ({ role: "assistant", content }),
  },
  google: {
    writes: false,
    tools: (list) => [{ functionDeclarations: list.map((tool) => declared(tool, "parametersJsonSchema")) }],
    body: (tools, system, contents) => ({ tools, systemInstruction: { parts: [{ text: system }] }, contents }),
    user: (content) => ({ role: "user", parts: [{ text: content }] }),
    calls: (calls) => [{ role: "model", parts: calls.map(functionCall) }],
    results: (results) => [{ role: "user", parts: results.map(functionResponse) }],
    answer: (content) => ({ role: "model", parts: [{ text: content }] }),
  },
};

/** Returns the single definitions of a request's tools. Google's format has all of them in one entry. */
export const definitionsOf = (tools) => tools.flatMap((entry) => entry.functionDeclarations ?? [entry]);

/** Returns the name of a definition in any format. */
export const nameOf = (definition) => definition.function?.name ?? definition.name;
