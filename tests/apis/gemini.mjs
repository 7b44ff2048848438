/**
 * The Gemini API as a strict test API, and a client of it. Like the real API, it refuses contents without parts, calls
 * without an answer in the next content, missing signatures, functions that are declared twice or in several tools, and
 * unknown fields.
 *
 * A reply may have `thinking`, `finishReason`, `finishMessage`, `parts` to send unchanged (an empty list means no content),
 * or the whole `response`. With `ids: false`, calls have no ids, as with older models.
 */

import assert from "node:assert/strict";
import { checkSchema, countsIn, eventsIn, halves, must, only, tokensOf } from "./vendor.mjs";

const FIELDS = "contents tools toolConfig systemInstruction generationConfig safetySettings cachedContent labels";
const PART =
  "text thought thoughtSignature inlineData fileData functionCall functionResponse executableCode codeExecutionResult";
/** Fields may have the names of the protocol buffers too, as Google's package for Python writes them. */
const DECLARATION =
  "name description parameters parametersJsonSchema parameters_json_schema response responseJsonSchema response_json_schema behavior";
const MODES = ["AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"];

const asTool = ({ name, description, inputSchema }) => ({ name, description, parametersJsonSchema: inputSchema });

/** The client's side; index.mjs says what each member is. */
const client = {
  url: (stream) => `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  counts: "/v1beta/models/m:countTokens",
  joins: true,
  tool: asTool,
  nameOf: ({ name }) => name,
  asks: (text) => ({ role: "user", parts: [{ text }] }),
  says: (text) => ({ role: "model", parts: [{ text }] }),
  step: (calls, { response = (text) => ({ output: text }), ids } = {}) => [
    {
      role: "model",
      parts: calls.map(({ id, name, args }, at) => ({
        functionCall: { ...(ids && { id }), name, args },
        ...(at === 0 && { thoughtSignature: btoa(`signature of ${id}`) }),
      })),
    },
    {
      role: "user",
      parts: calls.map(({ id, name, text, failed }) => ({
        functionResponse: { ...(ids && { id }), name, response: failed ? { error: text } : response(text) },
      })),
    },
  ],
  request: ({ system, messages, tools, choose, demand, json }) => ({
    contents: messages,
    tools: [{ functionDeclarations: tools.map(asTool) }],
    ...(system && { systemInstruction: { parts: [{ text: system }] } }),
    ...(choose && { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [choose] } } }),
    ...(demand && { toolConfig: { functionCallingConfig: { mode: demand === "free" ? "AUTO" : "ANY" } } }),
    ...(json && { generationConfig: { responseMimeType: "application/json" } }),
  }),
  collect(bytes, stream) {
    const all = stream ? eventsIn(bytes).map(({ data }) => data) : [JSON.parse(bytes)];
    assert.equal(new Set(all.map(({ responseId }) => responseId)).size, 1, "one id");
    assert.deepEqual(
      all.flatMap(({ candidates }) => candidates[0].finishReason ?? []),
      ["STOP"],
    );
    const parts = all.flatMap(({ candidates }) => candidates[0].content?.parts ?? []);
    const text = parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join("");
    const calls = parts.filter(({ functionCall }) => functionCall);
    if (calls.length > 0) assert.ok(calls[0].thoughtSignature, "the first call keeps a signature");
    return {
      texts: text ? [text] : [],
      calls: calls.map(({ functionCall: { name, args } }) => ({ name, args })),
      tokens: countsIn(all.at(-1).usageMetadata),
    };
  },
};

/** The API of models that number their calls, or of those that do not. */
export function geminiWire({ ids = true } = {}) {
  return {
    ...client,
    step: (calls, more) => client.step(calls, { ids, ...more }),
    path: /\/models\/[^/]+:(generateContent|streamGenerateContent\?alt=sse)$/,
    streams: (_, { url }) => url.endsWith("alt=sse"),
    read,
    reply: (reply, body) => reply.response ?? chunk(reply, body, partsOf(reply, ids), true),
    /** Texts come in pieces, every call for itself, and the end with a part of its own. */
    stream(reply, body) {
      if (reply.response !== undefined) return [{ data: reply.response }];
      const pieces = partsOf(reply, ids).flatMap(inPieces);
      const list = pieces.map((part) => chunk(reply, body, [part], false));
      return [...list, chunk(reply, body, pieces.length === 0 ? [] : [{ text: "" }], true)].map((data) => ({ data }));
    },
  };
}

export const gemini = geminiWire();

function read(body, { headers, url }) {
  must(headers["x-goog-api-key"] ?? headers.authorization ?? /key=/.test(url), "API key not valid.");
  only(body, FIELDS.split(" "), "request");
  const { contents, tools = [], systemInstruction, toolConfig } = body;
  const functions = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const names = functions.map(({ name }) => name);
  for (const declaration of functions) {
    const { name, parametersJsonSchema = declaration.parameters_json_schema } = declaration;
    must(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(name), `Invalid function name: ${name}`);
    only(declaration, DECLARATION.split(" "), name);
    if (parametersJsonSchema !== undefined) checkSchema(parametersJsonSchema, name);
  }
  must(new Set(names).size === names.length, "Duplicate function declaration found.");
  must(names.length <= 512, "at most 512 function declarations");
  must(
    tools.filter(({ functionDeclarations }) => functionDeclarations !== undefined).length <= 1,
    "functions in several tools",
  );
  const { mode = "AUTO", allowedFunctionNames = [] } = toolConfig?.functionCallingConfig ?? {};
  must(MODES.includes(mode), `mode ${mode}`);
  must(allowedFunctionNames.length === 0 || mode === "ANY" || mode === "VALIDATED", "allowed names need mode ANY");
  for (const name of allowedFunctionNames) must(names.includes(name), `${name} is allowed and not declared`);
  const turns = joined(contents);
  for (const [at, turn] of turns.entries()) checkTurn(turn, turns[at + 1]);
  const since = contents.slice(contents.findLastIndex(({ role }) => role === "model") + 1).flatMap(responsesIn);
  const words = contents.findLast(({ role, parts }) => role === "user" && parts[0].text !== undefined);
  return {
    tools: tools.flatMap(({ functionDeclarations = [], ...others }) => [
      ...Object.keys(others),
      ...functionDeclarations.map(({ name }) => name),
    ]),
    toolTokens: tokensOf(tools),
    system: textIn(systemInstruction),
    answers: since.map(({ response }) => response.output ?? response.error ?? JSON.stringify(response)),
    prompt: textIn(words),
  };
}

/** Google's packages write the pieces of a stream as one content each. */
function joined(contents) {
  const turns = [];
  for (const content of contents) {
    const last = turns.at(-1);
    if (last?.role === content.role) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
    else turns.push(content);
  }
  return turns;
}

function checkTurn({ role, parts, ...others }, next) {
  only(others, [], "content");
  must(role === "user" || role === "model", "Please use a valid role: user, model.");
  must(Array.isArray(parts) && parts.length > 0, "a content without parts");
  for (const part of parts) only(part, PART.split(" "), "part");
  const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
  const answers = responsesIn(next ?? {});
  const about = ({ id, name }) => ({ id, name });
  if (calls.length === 0) return;
  must(role === "model", "a call of the user");
  must(atob(calls[0].thoughtSignature ?? "").startsWith("signature of "), "Function call is missing a thought_signature");
  const same = JSON.stringify(answers.map(about)) === JSON.stringify(calls.map(({ functionCall }) => about(functionCall)));
  must(same, "the number of function response parts must equal the function call parts of the turn before");
}

/** The first of parallel calls carries the signature. */
function partsOf({ text, calls, step, thinking, parts }, ids) {
  if (parts !== undefined) return parts;
  const said = text === "" ? [] : [{ text }];
  const made = calls.map(({ id, name, args = {} }, at) => ({
    functionCall: { ...(ids ? { id } : {}), name, args },
    ...(at === 0 ? { thoughtSignature: btoa(`signature of ${step}`) } : {}),
  }));
  return [...(thinking === undefined ? [] : [{ text: thinking, thought: true }]), ...said, ...made];
}

function inPieces(part) {
  if (part.text === undefined || part.thoughtSignature !== undefined) return [part];
  return halves(part.text).map((text) => ({ ...part, text }));
}

function chunk({ step, finishReason = "STOP", finishMessage, text, calls }, body, parts, isEnd) {
  const content = { role: "model", parts };
  const candidate = {
    ...(parts.length === 0 ? {} : { content }),
    ...(isEnd ? { finishReason, finishMessage } : {}),
    index: 0,
  };
  const promptTokenCount = tokensOf({ contents: body.contents, tools: body.tools });
  const candidatesTokenCount = tokensOf([text, calls]);
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  const usageMetadata = { promptTokenCount, candidatesTokenCount, totalTokenCount };
  return { candidates: [candidate], usageMetadata, modelVersion: "gemini", responseId: `response-${step}` };
}

function responsesIn({ parts = [] }) {
  return parts.flatMap(({ functionResponse }) => functionResponse ?? []);
}

function textIn(content) {
  const parts = typeof content === "string" ? [{ text: content }] : (content?.parts ?? []);
  return parts.map(({ text }) => text ?? "").join("\n\n");
}
