/** Targets for replies of vendors' APIs to the loop, and for requests and replies through the proxy. */

import { APIS, whole } from "../../apis/index.mjs";
import { numbered } from "../../apis/vendor.mjs";
import { catalogOf, core, text, tools } from "../lib/world.mjs";

export const packages = {};

export async function world(app) {
  const [openai, anthropic, google, { siftProxy }] = await Promise.all(
    ["openai", "anthropic", "google", "proxy"].map((name) => app.load(`toolsift/${name}`)),
  );
  const inside = await core(app);
  return { ...inside, openai, anthropic, google, siftProxy, answers: () => catalogOf(inside.sift) };
}

const search = { name: "search_tools", args: { query: "a message" } };
const own = { name: "own", description: "d", inputSchema: { type: "object", properties: { a: { type: "string" } } } };

/** A search that Anthropic makes itself, and what it found. */
const hostedSearch = (id) => [
  { type: "server_tool_use", id, name: "tool_search_tool_bm25", input: { query: "x" } },
  {
    ...{ type: "tool_search_tool_result", tool_use_id: id },
    content: {
      type: "tool_search_tool_search_result",
      tool_references: [{ type: "tool_reference", tool_name: "read_file" }],
    },
  },
];

/** What one API alone has: in its requests, and in its replies. */
const ONLY = {
  chat: [{ tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools: [] } } }, { reasoning: "r" }],
  responses: [
    { tool_choice: "required", parallel_tool_calls: true, store: true, previous_response_id: null },
    {
      items: [
        { type: "function_call", call_id: "6", name: "inner", namespace: "ns", arguments: "{}" },
        { type: "custom_tool_call", call_id: "7", name: "custom", input: "x" },
        { type: "tool_search_call", call_id: "8", execution: "client", arguments: { query: "a message" } },
      ],
    },
  ],
  messages: [{ tool_choice: { type: "any", disable_parallel_tool_use: true } }, { blocks: hostedSearch("0") }],
  gemini: [{ toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["own"] } } }, { thinking: "t" }],
};
const FOREIGN = {
  chat: [{ type: "custom", custom: { name: "custom" } }],
  responses: [{ type: "namespace", name: "ns", tools: [{ type: "function", name: "inner" }] }, { type: "web_search" }],
  messages: [{ type: "web_search_20250305", name: "web_search" }],
  gemini: [{ googleSearch: {} }],
};

/** A request with something of every kind that the API has. */
function request(name, more = []) {
  const api = APIS[name];
  const called = api.step([{ id: "1", name: "good", args: {}, text: "x" }]);
  const body = api.request({ system: "s", messages: [api.asks("hi"), ...called], tools: [own, ...more] });
  return structuredClone({ ...body, ...ONLY[name][0], tools: [...body.tools, ...FOREIGN[name]] });
}

/** A reply, with calls that the host runs too, and its events; without them, toolsift answers all that it calls. */
const said = (name, hasMore) => ({
  text: "text",
  ...(hasMore && ONLY[name][1]),
  calls: [
    search,
    ...(hasMore
      ? [
          { name: "good", args: { text: "x" } },
          { name: "own", args: {} },
        ]
      : []),
  ],
});
const reply = (name, hasMore) => structuredClone(whole(APIS[name], said(name, hasMore)));
const eventsOf = (name, one) =>
  structuredClone(APIS[name].stream(numbered(one, 1), {}).flatMap(({ data }) => (data === "[DONE]" ? [] : data)));
const events = (name, hasMore) => eventsOf(name, said(name, hasMore));
const end = (name) => whole(APIS[name], { text: "done" });
const endings = (name) => eventsOf(name, { text: "done" });

/** A stream of events, as the clients return it; what is no list is the stream itself. */
const streamed = (all) => (Array.isArray(all) ? each(all) : all);

async function* each(all) {
  for (let at = 0; at < all.length; at++) yield all[at];
}

/** Clients are of classes: their inside is theirs. */
class Client {}
const clientOf = (parts) => Object.assign(new Client(), parts);

/** Answers the first request with what a target says, and then ends. */
function once(first, last) {
  let asked = 0;
  return async () => (asked++ === 0 ? first : last);
}
const chatOf = (...replies) => clientOf({ chat: { completions: { create: once(...replies) } } });
const responsesOf = (...replies) => clientOf({ responses: { create: once(...replies) } });
const anthropicOf = (first) => {
  const create = once(first, end("messages"));
  const stream = () => ({ on: (_, tell) => tell({ type: "message_start" }), finalMessage: create });
  return clientOf({ messages: { create, stream } });
};
const googleOf = (...replies) => {
  const answer = once(...replies);
  return clientOf({ models: { generateContent: answer, generateContentStream: answer } });
};

/** The parameters of Google's SDK. */
function generate() {
  const { contents, ...config } = request("gemini");
  return { model: "gemini", contents, config };
}

/** The models of the loop: what a target says, and the model that is made of it. */
const MODELS = {
  "chat replies": [() => reply("chat", true), (w, one) => w.openai.chatModel(chatOf(one, end("chat")), request("chat"))],
  "chat streams": [
    () => events("chat", true),
    (w, all) => w.openai.chatModel(chatOf(streamed(all), streamed(endings("chat"))), { ...request("chat"), stream: true }),
  ],
  "responses replies": [
    () => reply("responses", true),
    (w, one) => w.openai.responsesModel(responsesOf(one, end("responses")), request("responses")),
  ],
  "responses replies, deferLoading": [
    () => reply("responses", true),
    (w, one) => w.openai.responsesModel(responsesOf(one, end("responses")), request("responses"), { deferLoading: true }),
  ],
  "responses streams": [
    () => events("responses", true),
    (w, all) =>
      w.openai.responsesModel(responsesOf(streamed(all), streamed(endings("responses"))), {
        ...{ ...request("responses"), stream: true },
      }),
  ],
  "messages replies": [
    () => reply("messages", true),
    (w, one) => w.anthropic.messagesModel(anthropicOf(one), request("messages")),
  ],
  "messages replies, deferLoading": [
    () => reply("messages", true),
    (w, one) => w.anthropic.messagesModel(anthropicOf(one), request("messages"), { deferLoading: true }),
  ],
  "messages streams": [
    () => reply("messages", true),
    (w, one) =>
      w.anthropic.messagesModel(anthropicOf(one), { ...request("messages"), stream: true }, { onStreamEvent: () => {} }),
  ],
  "google replies": [
    () => reply("gemini", true),
    (w, one) => w.google.googleModel(googleOf(one, end("gemini")), generate()),
  ],
  "google streams": [
    () => events("gemini", true),
    (w, all) => w.google.googleModel(googleOf(streamed(all), streamed([end("gemini")])), generate(), { stream: true }),
  ],
};

const typed = (type, body) => new Response(body, { headers: { "content-type": type } });
const json = (value) => typed("application/json", text(value));
/** Events, one after the other; what cannot be written is left out. */
const streamOf = (all) =>
  typed(
    "text/event-stream",
    (Array.isArray(all) ? all.slice(0, 100) : [all]).map((one) => `data: ${text(one)}\n\n`).join(""),
  );

/** Sends a request through the proxy, which answers the model's search and asks again, and reads the answer to its end. */
async function through(w, path, body, answer) {
  const sift = { activation: "on", profile: "sift" };
  const limits = { timeoutMs: 500, maxRounds: 2 };
  const proxy = w.siftProxy({ upstream: "https://vendor.test", sift, fetch: async () => answer(), ...limits });
  const headers = { "content-type": "application/json" };
  const sent = typeof body === "string" ? body : text(body);
  return (await proxy(new Request(`http://proxy.test${path}`, { method: "POST", headers, body: sent }))).text();
}

const wires = Object.entries(APIS).flatMap(([name, { url }]) => {
  const body = () => request(name, tools());
  return [
    {
      title: `requests to ${url()}`,
      args: () => [body()],
      run: (w, sent) => through(w, url(), sent, () => json(reply(name, false))),
    },
    {
      title: `replies of ${url()}`,
      args: () => [reply(name, false)],
      run: (w, answer) => through(w, url(), body(), () => json(answer)),
    },
    {
      title: `streams of ${url()}`,
      args: () => [events(name, false)],
      run: (w, all) =>
        through(w, url(true), { ...body(), stream: name === "gemini" ? undefined : true }, () => streamOf(all)),
    },
  ];
});

export const targets = [
  ...Object.entries(MODELS).map(([title, [saying, model]]) => ({
    title,
    args: () => [saying()],
    run: (w, one) => w.runTools(w.sift.session("run"), { ...model(w, one), execute: () => "done", maxSteps: 4 }),
  })),
  ...wires,
];
