/** The loop and the vendors' adapters: parameters, options, and whatever a model or its vendor writes. */

import {
  CHAT,
  CHAT_CALLS,
  CHUNKS,
  COMPLETION,
  CONTENT,
  CONTENTS,
  GOOGLE,
  MESSAGE,
  MESSAGES,
  OUTPUT,
  RESPONSE,
  RESPONSES,
  RESPONSES_EVENTS,
} from "../lib/apis.mjs";
import { on } from "../lib/target.mjs";
import { catalogOf, core } from "../lib/world.mjs";

export const packages = {};
export const covers = ["openai", "anthropic", "google", "toolsift.RunOptions", "toolsift.AnswerOptions", "shared.MaxTools"];

export async function world(app) {
  const [openai, anthropic, google] = await Promise.all(
    ["openai", "anthropic", "google"].map((name) => app.load(`toolsift/${name}`)),
  );
  const inside = await core(app);
  return { ...inside, openai, anthropic, google, answers: () => catalogOf(inside.sift) };
}

const IMAGE = () => ({
  content: [
    { type: "text", text: "x" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource_link", uri: "file:///a", name: "a" },
    { type: "resource", resource: { uri: "file:///a", text: "x" } },
  ],
  structuredContent: { a: 1 },
  isError: false,
});

const MODES = {
  mode: "client",
  hostedSearch: "bm25",
  supportsHosted: () => true,
  toolsCache: { type: "ephemeral" },
  onStreamEvent: () => {},
};

/** The parameters of Google's SDK. */
function generate() {
  const { contents, ...config } = GOOGLE();
  return { model: "gemini", contents, config: { ...config, abortSignal: new AbortController().signal } };
}

/** A stream of events, as the clients return it; what is no list is the stream itself. */
function streamed(events) {
  return Array.isArray(events) ? each(events) : events;
}

async function* each(events) {
  for (let at = 0; at < events.length; at++) yield events[at];
}

/** Clients are of classes: their inside is theirs. */
class Client {}
const clientOf = (parts) => Object.assign(new Client(), parts);

/** A client that answers the first request with what a target says, and then ends. */
const openaiOf = (first, last, how) => {
  let asked = 0;
  const create = async () => (asked++ === 0 ? first : last);
  return clientOf(how === "chat" ? { chat: { completions: { create } } } : { responses: { create } });
};
const chatDone = { id: "c", choices: [{ finish_reason: "stop", message: { role: "assistant", content: "done" } }] };
const responsesDone = { id: "r", status: "completed", output: [] };
const messagesDone = { role: "assistant", stop_reason: "end_turn", content: [] };
const googleDone = { candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text: "done" }] } }] };

const anthropicOf = (first) => {
  let asked = 0;
  const create = async () => (asked++ === 0 ? first : messagesDone);
  const stream = () => ({ on: (_, tell) => tell({ type: "message_start" }), finalMessage: create });
  return clientOf({ messages: { create, stream } });
};
const googleOf = (first, isStream) => {
  let asked = 0;
  const answer = async () => (asked++ === 0 ? first : isStream ? streamed([googleDone]) : googleDone);
  return clientOf({ models: { generateContent: answer, generateContentStream: answer } });
};

/** Leads a whole run with a model that is made of these arguments. */
const run = (w, model) => w.runTools(w.sift.session("run"), { ...model, execute: () => IMAGE(), maxSteps: 4 });

const RUN = () => ({
  format: "openai",
  send: (request) => ({
    calls: request.step === 1 ? [{ id: "1", name: "search_tools", args: { query: "a message" } }] : [],
    searches: [],
  }),
  execute: () => "done",
  answered: () => {},
  begin: () => () => {},
  maxSteps: 5,
  patience: 3,
  signal: new AbortController().signal,
  onEvent: () => {},
  maxAnswerChars: 1_000,
  readOn: true,
  rank: async () => ["good"],
  rankTimeoutMs: 100,
  maxTools: undefined,
});
const REPLY = () => ({
  calls: [
    { id: "1", name: "search_tools", args: { query: "a message" } },
    { id: "2", name: "good", args: '{"text":"x"}' },
    { id: "3", name: "own", args: {}, own: { server: null } },
    { id: "4", name: "cut", args: {}, broken: { code: "arguments_invalid", message: "m" } },
  ],
  searches: [{ id: "5", tool: "tool_search", version: "1", query: "x", names: ["read_file"] }],
});
const SAYS = { says: /^console.warn: .*rank/ };

export const targets = [
  on("toolsift.runTools", (w) => [w.session, (({ maxTools: _, ...options }) => options)(RUN())], { ...SAYS }),
  on("toolsift.runTools", () => [REPLY()], {
    about: "what a model replies",
    run: (w, reply) => {
      const send = ({ step }) => (step === 1 ? reply : { calls: [] });
      return w.runTools(w.session, { send, execute: () => "done", onEvent: () => {} });
    },
  }),
  on("toolsift.runTools", () => [IMAGE()], {
    about: "what a tool returns",
    run: (w, result) => {
      const send = ({ step }) => ({ calls: step === 1 ? [{ id: "1", name: "good", args: {} }] : [] });
      return w.runTools(w.session, { send, execute: () => result });
    },
  }),

  on("openai.chatModel", () => [openaiOf(COMPLETION(), chatDone, "chat"), CHAT(), { maxTools: 50, onChunk: () => {} }], {
    run: (w, ...args) => run(w, w.openai.chatModel(...args)),
  }),
  on("openai.chatModel", () => [COMPLETION()], {
    about: "replies",
    run: (w, reply) => run(w, w.openai.chatModel(openaiOf(reply, chatDone, "chat"), CHAT())),
  }),
  on("openai.chatModel", () => [CHUNKS()], {
    about: "streams",
    run: (w, chunks) =>
      run(
        w,
        w.openai.chatModel(
          openaiOf(streamed(chunks), streamed([{ choices: [{ delta: {}, finish_reason: "stop" }] }]), "chat"),
          { ...CHAT(), stream: true },
        ),
      ),
  }),
  on("openai.chatCalls", () => [{ tool_calls: CHAT_CALLS() }, "length"]),

  on(
    "openai.responsesModel",
    () => [
      openaiOf(RESPONSE(), responsesDone),
      RESPONSES(),
      { toolSearch: "client", additions: "tool_search", given: ["good"], maxTools: 50, onChunk: () => {} },
    ],
    { run: (w, ...args) => run(w, w.openai.responsesModel(...args)) },
  ),
  ...["client", "none"].map((toolSearch) =>
    on("openai.responsesModel", () => [RESPONSE()], {
      about: `replies, tool search ${toolSearch}`,
      run: (w, reply) => run(w, w.openai.responsesModel(openaiOf(reply, responsesDone), RESPONSES(), { toolSearch })),
    }),
  ),
  on("openai.responsesModel", () => [RESPONSES_EVENTS()], {
    about: "streams",
    run: (w, events) =>
      run(
        w,
        w.openai.responsesModel(
          openaiOf(streamed(events), streamed([{ type: "response.completed", response: responsesDone }])),
          {
            ...RESPONSES(),
            stream: true,
          },
        ),
      ),
  }),
  on("openai.responsesCalls", () => [OUTPUT(), "search_tools", "incomplete"]),
  on("openai.responsesItems", () => [{ output: OUTPUT(), status: "incomplete" }]),

  on("anthropic.messagesModel", () => [anthropicOf(MESSAGE()), { ...MODES }], {
    run: (w, client, modes) => run(w, w.anthropic.messagesModel(client, MESSAGES(), modes)),
  }),
  ...["plain", "client", "hosted"].map((mode) =>
    on("anthropic.messagesModel", () => [MESSAGE()], {
      about: `replies, ${mode}`,
      run: (w, reply) => run(w, w.anthropic.messagesModel(anthropicOf(reply), MESSAGES(), { mode })),
    }),
  ),
  on("anthropic.messagesModel", () => [MESSAGE()], {
    about: "streams",
    run: (w, reply) =>
      run(w, w.anthropic.messagesModel(anthropicOf(reply), { ...MESSAGES(), stream: true }, { onStreamEvent: () => {} })),
  }),
  on("anthropic.messagesCalls", () => [MESSAGE()]),
  on("anthropic.messagesSearches", () => [MESSAGE(), MESSAGES().messages]),

  on("google.googleModel", () => [googleOf(CONTENT()), generate(), { stream: false, onChunk: () => {} }], {
    run: (w, ...args) => run(w, w.google.googleModel(...args)),
  }),
  on("google.googleModel", () => [CONTENT()], {
    about: "replies",
    run: (w, reply) => run(w, w.google.googleModel(googleOf(reply), generate())),
  }),
  on("google.googleModel", () => [CONTENTS()], {
    about: "streams",
    run: (w, chunks) => run(w, w.google.googleModel(googleOf(streamed(chunks), true), generate(), { stream: true })),
  }),
  on(
    ["google.googleCalls", "google.googleContent", "google.googleText"],
    () => [CONTENT(4, { finishReason: "MAX_TOKENS" })],
    {
      run: (w, reply) => [w.google.googleCalls(reply), w.google.googleContent(reply), w.google.googleText(reply)],
    },
  ),
  on("google.googleJoined", () => [CONTENTS()], {
    run: (w, ...args) => [w.google.googleJoined(...args)],
  }),
];
