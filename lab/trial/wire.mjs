/** Writes the requests of a trial in the format of a vendor's API, and reads the replies. */

import { WIRES } from "../conversation/wire.mjs";
import { Problem } from "../../scripts/lib/run.mjs";

/** Reads a reply in the plain form, `{ text, calls }`, which an agent that plays by hand writes. */
function plain({ text = "", calls = [] }) {
  if (text === "" && calls.length === 0) throw new Error("it has neither a text nor calls");
  return { text, calls };
}

const argumentsOf = (text) => {
  if (typeof text !== "string") return text ?? {};
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    // Invalid arguments are passed on as text, so that the host reports the error to the model.
    return text;
  }
};

const textOf = (parts) => parts.map((part) => part.text ?? "").join("");

const CHAT = {
  format: "openai",
  path: "/chat/completions",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: (model, tools, system, messages) => ({ model, ...withTools(WIRES.openai.body(tools, system, messages)) }),
  calls: (text, calls) => WIRES.openai.calls(calls).map((message) => ({ ...message, content: text || null })),
  read: ({ choices: [{ message }] }) => ({
    text: message.content ?? "",
    calls: (message.tool_calls ?? []).map(({ function: { name, arguments: args } }) => ({
      name,
      arguments: argumentsOf(args),
    })),
  }),
};

const RESPONSES = {
  format: "openai-responses",
  path: "/responses",
  headers: CHAT.headers,
  body: (model, tools, system, messages) => ({
    model,
    store: false,
    ...withTools(WIRES["openai-responses"].body(tools, system, messages)),
  }),
  calls: (text, calls) => [
    ...(text ? [WIRES["openai-responses"].answer(text)] : []),
    ...WIRES["openai-responses"].calls(calls),
  ],
  read: ({ output }) => ({
    text: textOf(output.filter(({ type }) => type === "message").flatMap(({ content }) => content)),
    calls: output
      .filter(({ type }) => type === "function_call")
      .map(({ name, arguments: args }) => ({ name, arguments: argumentsOf(args) })),
  }),
};

const MESSAGES = {
  format: "anthropic",
  path: "/messages",
  headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  body: (model, tools, system, messages) => ({
    model,
    max_tokens: 4096,
    ...withTools(WIRES.anthropic.body(tools, system, messages)),
  }),
  calls: (text, calls) =>
    WIRES.anthropic.calls(calls).map(({ role, content }) => ({
      role,
      content: [...(text ? [{ type: "text", text }] : []), ...content],
    })),
  read: ({ content }) => ({
    text: textOf(content.filter(({ type }) => type === "text")),
    calls: content.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ name, arguments: input })),
  }),
};

/** Leaves out an empty list of tools, because vendors refuse it. */
const withTools = ({ tools, ...rest }) => (tools.length > 0 ? { tools, ...rest } : rest);

/** The key that identifies a vendor's reply, with its reader. Replies without these keys are read in the plain form. */
const SHAPES = [
  ["choices", CHAT.read],
  ["output", RESPONSES.read],
  ["content", MESSAGES.read],
];

/** The APIs, by the value of `--api`. */
export const APIS = { chat: CHAT, responses: RESPONSES, messages: MESSAGES };

/** Returns the text and the calls of a reply, `{ name, arguments }`. An invalid reply is refused with the reason. */
export function readReply(reply) {
  let read;
  try {
    const [, shape] = SHAPES.find(([key]) => Array.isArray(reply[key])) ?? [undefined, plain];
    read = shape(reply);
  } catch (error) {
    throw new Problem(`a reply cannot be read: ${error.message}`);
  }
  const { text, calls } = read;
  if (typeof text !== "string") throw new Problem("a reply's text must be a text");
  if (!Array.isArray(calls) || calls.some((call) => typeof call?.name !== "string")) {
    throw new Problem("a reply's calls must be a list of { name, arguments }");
  }
  return { text, calls };
}
