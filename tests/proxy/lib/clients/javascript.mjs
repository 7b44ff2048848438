/** Agents over each API with the vendors' own packages and AI SDK, plain or with their own accumulators of streams. */

import { appWith } from "../../../adapters/lib/app.mjs";
import { gemini } from "../../../apis/gemini.mjs";
import { APIS } from "../../../apis/index.mjs";

const PLAIN_AND_STREAMED = [{ stream: false }, { stream: true }];

/** Arguments as a client reads them; what is no JSON is handed on as it stands. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The loop of an agent. `ask({ messages, fresh, before })` is the next reply, `read(reply)` what the client keeps of it, its calls, its
 * text and how it ended, and `answered(calls)` what answers them; `system` is a message where the API has it as one.
 */
async function looped({ api, messages, maxSteps, execute, prompt, system }, { ask, read, answered }) {
  if (system !== undefined && messages.length === 0) messages.push(system);
  messages.push(api.asks(prompt));
  const replies = [];
  let fresh = messages;
  for (let step = 1; step <= maxSteps; step += 1) {
    const reply = await ask({ messages, fresh, before: replies.at(-1) });
    replies.push(reply);
    const { kept, calls, text, finish } = read(reply);
    messages.push(...kept);
    if (calls.length === 0) return { messages, replies, text, finish };
    const answers = [];
    for (const call of calls) answers.push({ ...call, text: await execute(call.name, call.args, call.namespace) });
    fresh = answered(answers);
    messages.push(...fresh);
  }
  return { messages, replies, finish: "steps" };
}

/** The fields of a request that bring tools. */
const toolsOf = (api, tools) => (tools.length === 0 ? {} : { tools: tools.map((one) => (one.type ? one : api.tool(one))) });

async function openai({ packages, url, fetch, headers }) {
  const { default: OpenAI } = await (await appWith(packages)).load("openai");
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0, fetch, defaultHeaders: headers });
}

export const openaiChat = {
  ...{ label: "openai chat", wire: "chat", variants: PLAIN_AND_STREAMED },
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  async run({ tools, system, stream, params, ...about }) {
    const { completions } = (await openai(about)).chat;
    const api = APIS.chat;
    const said = { role: "system", content: system };
    return looped(
      { ...about, api, system: system && said },
      {
        ask: ({ messages }) => {
          const body = { model: "gpt-5.2", messages, ...toolsOf(api, tools), ...params };
          if (!stream) return completions.create(body);
          return completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion();
        },
        read: ({ choices: [{ message, finish_reason: finish }] }) => {
          // What the SDK's accumulator adds is not the API's.
          const { role, content, refusal = null, reasoning_content, tool_calls = [] } = message;
          const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args: parsed(args) }));
          const made = tool_calls.map(({ id, type, function: { name, arguments: args } }) => ({
            ...{ id, type, function: { name, arguments: args } },
          }));
          const more = { ...(reasoning_content && { reasoning_content }), ...(made.length > 0 && { tool_calls: made }) };
          return { kept: [{ role, content, refusal, ...more }], calls, text: content, finish };
        },
        answered: (calls) => api.step(calls).slice(1),
      },
    );
  },
};

export const openaiResponses = {
  ...{ label: "openai responses", wire: "responses", variants: [...PLAIN_AND_STREAMED, { stream: true, kept: "response" }] },
  versions: [{ openai: "openai-6" }, { openai: "openai" }],
  /** With `kept`, the vendor keeps the conversation; `find` answers the searches that the client runs, with tools. */
  async run({ tools, system, stream, params, kept: isKept, find, ...about }) {
    const { responses } = await openai(about);
    const api = APIS.responses;
    const isSearch = ({ type, execution }) => type === "tool_search_call" && execution === "client";
    return looped(
      { ...about, api, execute: (name, ...call) => (name === undefined ? call[0] : about.execute(name, ...call)) },
      {
        ask: ({ messages, fresh, before }) => {
          const input = isKept ? { input: [...fresh], previous_response_id: before?.id } : { input: messages };
          const body = { model: "gpt-5.4", instructions: system, ...toolsOf(api, tools), ...params, ...input };
          return stream ? responses.stream(body).finalResponse() : responses.create(body);
        },
        read: ({ output, output_text: text, status: finish }) => {
          const kept = output.map(({ parsed_arguments: _, content, ...item }) => ({
            ...item,
            ...(content && { content: content.map(({ parsed: __, ...part }) => part) }),
          }));
          const calls = kept.flatMap(({ call_id: id, name, namespace, arguments: args, ...item }) => {
            if (isSearch(item)) return [{ id, args: find(args) }];
            return item.type === "function_call" ? [{ id, name, namespace, args: parsed(args) }] : [];
          });
          return { kept, calls, text, finish };
        },
        answered: (calls) =>
          calls.map(({ id: call_id, name, text }) =>
            name === undefined
              ? { type: "tool_search_output", call_id, execution: "client", status: "completed", tools: text }
              : { type: "function_call_output", call_id, output: text },
          ),
      },
    );
  },
};

export const anthropic = {
  ...{ label: "anthropic", wire: "messages", variants: PLAIN_AND_STREAMED },
  versions: [{ "@anthropic-ai/sdk": "@anthropic-ai/sdk" }],
  async run({ packages, url, fetch, headers, tools, system, stream, params, ...about }) {
    const { default: Anthropic } = await (await appWith(packages)).load("@anthropic-ai/sdk");
    const { messages: own } = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0, fetch, defaultHeaders: headers });
    const api = APIS.messages;
    return looped(
      { ...about, api },
      {
        ask: ({ messages }) => {
          const said = { model: "claude-opus-5-5", max_tokens: 1024, messages, ...(system && { system }) };
          const body = { ...said, ...toolsOf(api, tools), ...params };
          return stream ? own.stream(body).finalMessage() : own.create(body);
        },
        read: ({ content, stop_reason: finish }) => {
          const used = content.filter(({ type }) => type === "tool_use");
          const calls = used.map(({ id, name, input }) => ({ id, name, args: input }));
          const text = content.flatMap((block) => (block.type === "text" ? block.text : [])).join("");
          return { kept: [{ role: "assistant", content }], calls, text, finish };
        },
        answered: (calls) => api.step(calls).slice(1),
      },
    );
  },
};

export const google = {
  ...{ label: "google", wire: "gemini", variants: PLAIN_AND_STREAMED },
  versions: [{ "@google/genai": "genai-2" }, { "@google/genai": "@google/genai" }],
  async run({ packages, url, fetch, headers, tools, system, stream, params, ...about }) {
    const { GoogleGenAI } = await (await appWith(packages)).load("@google/genai");
    const { models } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url, headers, ...(fetch && { fetch }) } });
    const api = gemini;
    const functions = { functionDeclarations: tools.map(api.tool) };
    return looped(
      { ...about, api },
      {
        ask: async ({ messages }) => {
          const config = { systemInstruction: system, ...(tools.length > 0 && { tools: [functions] }), ...params };
          const body = { model: "gemini-3.8-flash", contents: messages, config };
          if (!stream) return models.generateContent(body);
          const chunks = [];
          for await (const chunk of await models.generateContentStream(body)) chunks.push(chunk);
          const parts = chunks.flatMap(({ candidates: [{ content }] }) => content?.parts ?? []);
          const finishReason = chunks.map(({ candidates: [one] }) => one.finishReason).findLast(Boolean);
          return { ...chunks.at(-1), candidates: [{ content: { role: "model", parts }, finishReason }] };
        },
        read: ({ candidates: [{ content = { role: "model", parts: [] }, finishReason: finish }] }) => {
          const calls = content.parts.flatMap(({ functionCall: one }) => (one ? [{ ...one, args: one.args ?? {} }] : []));
          const text = content.parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join("");
          return { kept: [content], calls, text, finish };
        },
        answered: (calls) => api.step(calls).slice(1),
      },
    );
  },
};

/** AI SDK with its own provider for OpenAI, over either of OpenAI's APIs. */
const aiSdk = (wire) => ({
  ...{ label: `ai ${wire}`, wire, variants: PLAIN_AND_STREAMED },
  versions: [
    { ai: "ai", "@ai-sdk/openai": "@ai-sdk/openai" },
    { ai: "ai-7", "@ai-sdk/openai": "@ai-sdk/openai-4" },
  ],
  async run({ packages, url, fetch, headers, tools, execute, prompt, system, stream, maxSteps, messages, params }) {
    const app = await appWith(packages);
    const { generateText, streamText, stepCountIs, tool, jsonSchema } = await app.load("ai");
    const { createOpenAI } = await app.load("@ai-sdk/openai");
    const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none", fetch, headers })[wire]("gpt-5.2");
    messages.push({ role: "user", content: prompt });
    const set = tools.map(({ name, description, inputSchema }) => [
      ...[name, tool({ description, inputSchema: jsonSchema(inputSchema), execute: (args) => execute(name, args) })],
    ]);
    const about = { model, maxRetries: 0, system, messages, ...params };
    const options = { ...about, tools: Object.fromEntries(set), stopWhen: stepCountIs(maxSteps) };
    const failures = [];
    const onError = ({ error }) => failures.push(error);
    const result = stream ? streamText({ ...options, onError }) : await generateText(options);
    if (stream) await result.consumeStream();
    if (failures.length > 0) throw failures[0];
    const [steps, text, response] = [await result.steps, await result.text, await result.response];
    // In version 7, the response is the last step's alone.
    messages.push(...((await result.responseMessages) ?? response.messages));
    const { finishReason } = steps.at(-1);
    const isCut = steps.length === maxSteps && finishReason === "tool-calls";
    return { messages, replies: steps, text, finish: isCut ? "steps" : finishReason };
  },
});

export const aiSdkChat = aiSdk("chat");
export const aiSdkResponses = aiSdk("responses");
