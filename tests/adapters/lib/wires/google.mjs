/**
 * The wire of the Gemini API, which Vertex AI speaks too. It refuses what the API does: contents without parts, calls
 * that the next content does not answer, missing signatures, functions in several tools or declared twice.
 *
 * A reply may also say `finishReason`, `finishMessage`, `parts` as they are to be sent (without any there is no
 * content), or the whole `response`.
 */

import assert from "node:assert/strict";

/** The wire of models that number their calls, or of those that do not. */
export function googleWire({ ids }) {
  return {
    path: /\/models\/[^/]+:(generateContent|streamGenerateContent\?alt=sse)$/,
    streams: (_, { url }) => url.endsWith("alt=sse"),
    read,
    reply: (reply) => reply.response ?? chunk(reply, partsOf(reply, ids), reply),

    /** Texts come in pieces, every call for itself, and the end with a part of its own. */
    stream(reply) {
      if (reply.response !== undefined) return [{ data: reply.response }];
      const pieces = partsOf(reply, ids).flatMap(inPieces);
      const end = pieces.length === 0 ? [] : [{ text: "" }];
      return [...pieces.map((part) => chunk(reply, [part])), chunk(reply, end, reply)].map((data) => ({ data }));
    },
  };
}

/** The wire as the newest models speak it. */
export const google = googleWire({ ids: true });

function read({ contents, tools = [], systemInstruction, toolConfig }) {
  const functions = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const names = functions.map(({ name }) => name);
  for (const name of names) assert.match(name, /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/);
  assert.equal(new Set(names).size, names.length, "declared twice");
  const homes = tools.filter(({ functionDeclarations }) => functionDeclarations !== undefined);
  assert.ok(homes.length <= 1, "functions in several tools");
  for (const name of toolConfig?.functionCallingConfig?.allowedFunctionNames ?? []) {
    assert.ok(names.includes(name), `${name} is allowed and not declared`);
  }
  for (const [at, content] of contents.entries()) checkTurn(content, contents[at + 1]);
  const last = contents.findLastIndex(({ role }) => role === "model");
  const answers = contents.slice(last + 1).flatMap(responsesIn);
  return {
    tools: tools.flatMap(({ functionDeclarations = [], ...others }) => [
      ...Object.keys(others),
      ...functionDeclarations.map(({ name }) => name),
    ]),
    toolsText: JSON.stringify(tools),
    system: textIn(systemInstruction),
    answers: answers.map(({ response }) => response.output ?? response.error),
    prompt: textIn(contents.findLast(({ role, parts }) => role === "user" && parts[0].text !== undefined)),
  };
}

function checkTurn({ role, parts }, next) {
  assert.match(role, /^(user|model)$/);
  assert.ok(Array.isArray(parts) && parts.length > 0, "a content without parts");
  const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
  if (calls.length === 0) return;
  assert.equal(role, "model");
  assert.match(calls[0].thoughtSignature, /^signature of /, "a call is missing its signature");
  const answers = responsesIn(next ?? {});
  const about = ({ id, name }) => ({ id, name });
  assert.deepEqual(
    answers.map(about),
    calls.map(({ functionCall }) => about(functionCall)),
    "answers to other calls",
  );
  for (const { response } of answers) assert.match(Object.keys(response).join(), /^(output|error)$/);
}

/** The first of parallel calls carries the signature. */
function partsOf({ text, calls, step, parts }, ids) {
  if (parts !== undefined) return parts;
  const said = text === "" ? [] : [{ text }];
  const made = calls.map(({ id, name, args = {} }, at) => ({
    functionCall: { ...(ids ? { id } : {}), name, args },
    ...(at === 0 ? { thoughtSignature: `signature of ${step}` } : {}),
  }));
  return [{ text: `Thinking about ${step}.`, thought: true }, ...said, ...made];
}

function inPieces(part) {
  if (part.text === undefined || part.thoughtSignature !== undefined) return [part];
  return [
    { ...part, text: part.text.slice(0, 2) },
    { ...part, text: part.text.slice(2) },
  ];
}

function chunk({ step }, parts, end) {
  const content = { role: "model", parts };
  const stop = end === undefined ? {} : { finishReason: end.finishReason ?? "STOP", finishMessage: end.finishMessage };
  const candidate = { ...(parts.length === 0 ? {} : { content }), ...stop, index: 0 };
  return { candidates: [candidate], usageMetadata: USAGE, modelVersion: "gemini", responseId: `response-${step}` };
}

const USAGE = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };

function responsesIn({ parts = [] }) {
  return parts.flatMap(({ functionResponse }) => functionResponse ?? []);
}

function textIn(content) {
  return (content?.parts ?? []).map(({ text }) => text ?? "").join("\n\n");
}
