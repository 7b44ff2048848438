/** What vendors' APIs answer to the loop, and what their clients and they themselves send through the proxy. */

import {
  CHAT,
  CHUNKS,
  COMPLETION,
  CONTENT,
  CONTENTS,
  GOOGLE,
  MESSAGE,
  MESSAGE_EVENTS,
  MESSAGES,
  RESPONSE,
  RESPONSES,
  RESPONSES_EVENTS,
} from "../lib/apis.mjs";
import { catalogOf, core, text, tools } from "../lib/world.mjs";

export const packages = {};

export async function world(app) {
  const [openai, anthropic, google, { siftProxy }] = await Promise.all(
    ["openai", "anthropic", "google", "proxy"].map((name) => app.load(`toolsift/${name}`)),
  );
  const inside = await core(app);
  return { ...inside, openai, anthropic, google, siftProxy, answers: () => catalogOf(inside.sift) };
}

/** A stream of events, as the clients return it; what is no list is the stream itself. */
const streamed = (events) => (Array.isArray(events) ? each(events) : events);

async function* each(events) {
  for (let at = 0; at < events.length; at++) yield events[at];
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
const anthropicOf = (reply) => {
  const create = once(reply, { role: "assistant", stop_reason: "end_turn", content: [] });
  const stream = () => ({ on: (_, tell) => tell({ type: "message_start" }), finalMessage: create });
  return clientOf({ messages: { create, stream } });
};
const googleOf = (...replies) => {
  const answer = once(...replies);
  return clientOf({ models: { generateContent: answer, generateContentStream: answer } });
};

const chatEnd = { id: "c", choices: [{ finish_reason: "stop", message: { role: "assistant", content: "done" } }] };
const chunkEnd = { choices: [{ delta: {}, finish_reason: "stop" }] };
const responseEnd = { id: "r", status: "completed", output: [] };
const googleEnd = { candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text: "done" }] } }] };

/** The parameters of Google's SDK. */
function generate() {
  const { contents, ...config } = GOOGLE();
  return { model: "gemini", contents, config };
}

/** The models of the loop, each made of a reply that a target says. */
const MODELS = {
  "chat replies": [COMPLETION, (w, reply) => w.openai.chatModel(chatOf(reply, chatEnd), CHAT())],
  "chat streams": [
    CHUNKS,
    (w, chunks) => w.openai.chatModel(chatOf(streamed(chunks), streamed([chunkEnd])), { ...CHAT(), stream: true }),
  ],
  ...Object.fromEntries(
    ["client", "none"].map((toolSearch) => [
      `responses, tool search ${toolSearch}`,
      [RESPONSE, (w, reply) => w.openai.responsesModel(responsesOf(reply, responseEnd), RESPONSES(), { toolSearch })],
    ]),
  ),
  "responses streams": [
    RESPONSES_EVENTS,
    (w, events) => {
      const last = streamed([{ type: "response.completed", response: responseEnd }]);
      return w.openai.responsesModel(responsesOf(streamed(events), last), { ...RESPONSES(), stream: true });
    },
  ],
  ...Object.fromEntries(
    ["plain", "client", "hosted"].map((mode) => [
      `messages, ${mode}`,
      [MESSAGE, (w, reply) => w.anthropic.messagesModel(anthropicOf(reply), MESSAGES(), { mode })],
    ]),
  ),
  "messages streams": [
    MESSAGE,
    (w, reply) =>
      w.anthropic.messagesModel(anthropicOf(reply), { ...MESSAGES(), stream: true }, { onStreamEvent: () => {} }),
  ],
  "google replies": [CONTENT, (w, reply) => w.google.googleModel(googleOf(reply, googleEnd), generate())],
  "google streams": [
    CONTENTS,
    (w, chunks) => {
      const client = googleOf(streamed(chunks), streamed([googleEnd]));
      return w.google.googleModel(client, generate(), { stream: true });
    },
  ],
};

/** A tool as both of OpenAI's APIs have it, the one inside of an object. */
const chatTool = ({ inputSchema, ...one }) => ({ ...one, parameters: inputSchema });

/** A request, a reply and a stream of each API: the proxy answers the model's search, and asks again. */
const WIRES = {
  "v1/chat/completions": {
    body: () => ({ ...CHAT(), tools: tools().map((one) => ({ type: "function", function: chatTool(one) })) }),
    reply: () => COMPLETION(1),
    events: () => CHUNKS(1),
  },
  "v1/responses": {
    body: () => ({
      ...RESPONSES(),
      input: RESPONSES().input.slice(0, 1),
      tools: tools().map((one) => ({ type: "function", ...chatTool(one) })),
    }),
    reply: () => RESPONSE(3),
    events: () => RESPONSES_EVENTS(3),
  },
  "v1/messages": {
    body: () => ({
      ...MESSAGES(),
      messages: MESSAGES().messages.slice(0, 1),
      tools: [...MESSAGES().tools, ...tools().map(({ inputSchema, ...one }) => ({ ...one, input_schema: inputSchema }))],
    }),
    reply: () => MESSAGE(4),
    events: MESSAGE_EVENTS,
  },
  "v1beta/models/m:generateContent": {
    body: () => ({
      ...GOOGLE(),
      tools: [
        { functionDeclarations: tools().map(({ inputSchema, ...one }) => ({ ...one, parametersJsonSchema: inputSchema })) },
      ],
    }),
    reply: () => CONTENT(2),
    events: () => CONTENTS(2),
  },
};

const typed = (type, body) => new Response(body, { headers: { "content-type": type } });
const json = (value) => typed("application/json", text(value));
/** Events, one after the other; what cannot be written is left out. */
const events = (all) =>
  typed(
    "text/event-stream",
    (Array.isArray(all) ? all.slice(0, 100) : [all]).map((one) => `data: ${text(one)}\n\n`).join(""),
  );

/** Sends a request through the proxy, and reads the answer to its end. */
async function through(w, path, body, answer) {
  const sift = { activation: "on", profile: "sift" };
  const proxy = w.siftProxy({
    upstream: "https://vendor.test",
    sift,
    fetch: async () => answer(),
    timeoutMs: 500,
    maxRounds: 2,
  });
  const headers = { "content-type": "application/json" };
  const sent = typeof body === "string" ? body : text(body);
  return (await proxy(new Request(`http://proxy.test/${path}`, { method: "POST", headers, body: sent }))).text();
}

const wires = Object.entries(WIRES).flatMap(([path, { body, reply, events: all }]) => {
  const streams = path.replace("generateContent", "streamGenerateContent?alt=sse");
  const stream = path.includes("models") ? {} : { stream: true };
  return [
    {
      title: `requests to ${path}`,
      args: () => [body()],
      run: (w, sent) => through(w, path, sent, () => Response.json(reply())),
    },
    { title: `replies of ${path}`, args: () => [reply()], run: (w, answer) => through(w, path, body(), () => json(answer)) },
    {
      title: `streams of ${path}`,
      args: () => [all()],
      run: (w, some) => through(w, streams, { ...body(), ...stream }, () => events(some)),
    },
  ];
});

export const targets = [
  ...Object.entries(MODELS).map(([title, [reply, model]]) => ({
    title,
    args: () => [reply()],
    run: (w, said) => w.runTools(w.sift.session("run"), { ...model(w, said), execute: () => "done", maxSteps: 4 }),
  })),
  ...wires,
];
