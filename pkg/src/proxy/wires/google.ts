/** Google's Gemini API, and the API of Vertex AI. */

import { type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import * as api from "../../wire/google.js";
import { elementsOf, JsonText, listOf } from "../json-text.js";
import { promptMark, replyMark } from "../marks.js";
import type { Decided, Handed } from "../../loop/rounds.js";
import type { WireRequest, ListedTool, RoundRequest, Route, Wire } from "../wire.js";
import { callKey, signed, unwrappedPart, GoogleJoiner } from "./google-stream.js";
import { isWhole, oneLine, roundsIn, usageOf } from "./shared.js";

const { candidateOf, either, isCall, partsOf, visibleText, withoutCalling, withPrompt } = api;

export const google: Wire = {
  api,
  format: "google",
  route,
  toolsIn,
  read,
  definitions: (assembled) => assembled.flatMap((tool) => objectsIn(fieldsOf(tool)["functionDeclarations"])),
  stub,
  write,
  joined,
  markOf: (body) => markOf(partsOf(JSON.parse(body.text) as object)),
  joiner: (request) => new GoogleJoiner(request),
  error: (status, code, message) => JSON.stringify(error(`${message} (${code})`, status)),
  streamError: (body) => `data: ${oneLine(body, (message) => error(message, 502))}\n\n`,
};

function error(message: string, code: number): object {
  return { error: { code, message, status: code < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE" } };
}

function route(path: string, query: URLSearchParams): Route | undefined {
  const [, model, method] = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/.exec(path) ?? [];
  if (model === undefined || method === undefined) return undefined;
  if (method === "countTokens") return { counts: true, model, within: "generateContentRequest" };
  const stream = method === "streamGenerateContent";
  // A stream that is one JSON list is passed on unchanged.
  return stream && query.get("alt") !== "sse" ? undefined : { stream, model };
}

/** Returns the spelling of a key in the body: the API accepts both. */
function keyIn(body: JsonText, camel: string, snake: string): string {
  return body.has(snake) && !body.has(camel) ? snake : camel;
}

/** Returns the declarations of all tools, and the other fields of the tools as tools of their own. */
function toolsIn(text: string): ListedTool[] | undefined {
  return elementsOf(text)?.flatMap((element): ListedTool[] => {
    const tool = JsonText.of(element);
    if (tool === undefined) return [{ text: element }];
    const key = keyIn(tool, "functionDeclarations", "function_declarations");
    const declarations = elementsOf(tool.raw(key) ?? "[]") ?? [];
    const rest = tool.with({ [key]: undefined });
    const others = Object.keys(fieldsOf(JSON.parse(rest))).length > 0 || declarations.length === 0 ? [{ text: rest }] : [];
    return [...others, ...declarations.map(declared)];
  });
}

function declared(text: string): ListedTool {
  const declaration = fieldsOf(JSON.parse(text));
  const { parameters_json_schema, ...others } = declaration;
  const definition =
    parameters_json_schema === undefined ? declaration : { ...others, parametersJsonSchema: parameters_json_schema };
  return { text, name: textIn(declaration["name"]), definition };
}

function read(body: JsonText, { stream = false, model }: Route): WireRequest | string | undefined {
  const contents = body.value("contents");
  const settings = fieldsOf(body.value(keyIn(body, "generationConfig", "generation_config")));
  const config = fieldsOf(body.value(keyIn(body, "toolConfig", "tool_config")));
  const calling = fieldsOf(either(config, "functionCallingConfig", "function_calling_config"));
  if (!Array.isArray(contents)) return undefined;
  if (body.has("cachedContent") || body.has("cached_content")) return "cached content has tools of its own";
  if (either(calling, "streamFunctionCallArguments", "stream_function_call_arguments") === true) {
    return "arguments in pieces (streamFunctionCallArguments) cannot be told apart before they are whole";
  }
  if ((either(settings, "candidateCount", "candidate_count") ?? 1) !== 1)
    return "several candidates are several conversations";
  const all = objectsIn(contents).map(camel);
  const first = all.find(({ role }) => role !== "model");
  const answer = all.find(({ role }) => role === "model");
  return {
    body,
    stream,
    model,
    messages: all,
    ...api.choiceIn(calling),
    isStructured: either(settings, "responseMimeType", "response_mime_type") === "application/json",
    conversation: undefined,
    beginning: {
      first: JSON.stringify([
        promptMark([body.raw(keyIn(body, "systemInstruction", "system_instruction"))]),
        objectsIn(first?.["parts"]),
      ]),
      reply: answer === undefined ? undefined : markOf(objectsIn(answer["parts"])),
    },
  };
}

/** Converts the keys of calls and answers in a message of the history to camel case. */
function camel(content: Fields): Fields {
  const parts = content["parts"];
  if (!objectsIn(parts).some((part) => "function_call" in part || "function_response" in part)) return content;
  return {
    ...content,
    parts: objectsIn(parts).map(({ function_call, function_response, ...others }) => ({
      ...(function_call === undefined ? {} : { functionCall: function_call }),
      ...(function_response === undefined ? {} : { functionResponse: function_response }),
      ...others,
    })),
  };
}

function stub(own: object, shown: object): string {
  const { parameters: _, parametersJsonSchema: __, parameters_json_schema: ___, ...others } = own as Fields;
  return JSON.stringify({ ...others, ...shown });
}

function write({ body }: WireRequest, { always, tools, systemPrompt, turns }: RoundRequest): string {
  const functions = [...always.filter(isDeclaration), ...tools];
  const others = always.filter((text) => !isDeclaration(text));
  const all = functions.length === 0 ? others : [...others, `{"functionDeclarations":${listOf(functions)}}`];
  const contents = elementsOf(body.raw("contents")!)!;
  const changes: Record<string, string | undefined> = { contents: listOf([...contents, ...roundsIn(api, turns)]) };
  if (systemPrompt !== "") {
    const key = keyIn(body, "systemInstruction", "system_instruction");
    changes[key] = JSON.stringify(withPrompt(body.value(key), systemPrompt));
  }
  if (functions.length === 0) {
    const key = keyIn(body, "toolConfig", "tool_config");
    changes[key] = JSON.stringify(withoutCalling(body.value(key)));
  }
  return body.with({ ...changes, tools: all.length === 0 ? undefined : listOf(all) });
}

function isDeclaration(text: string): boolean {
  return JsonText.of(text)?.has("name") === true;
}

function joined({ isStructured }: WireRequest, replies: readonly JsonText[], { handed }: Decided): string {
  const last = replies.at(-1)!;
  const all = replies.map((one) => JSON.parse(one.text) as Fields);
  if (all.length === 1 && isWhole(handed, partsOf(all[0]!).filter(isCall).length)) return last.text;
  const rounds = all.map((one, at) => {
    const isInner = at < all.length - 1;
    const parts = shownParts(partsOf(one), isInner ? [] : handed, isInner);
    return isInner && isStructured ? parts.filter((part) => part["text"] === undefined) : parts;
  });
  const { content: own, ...candidate } = candidateOf(all.at(-1)!);
  const content = { role: "model", ...fieldsOf(own), parts: rounds.reduce<Fields[]>(withBlankLine, []) };
  const others = objectsIn(last.value("candidates")).slice(1);
  return last.with({
    candidates: JSON.stringify([{ ...candidate, content }, ...others]),
    ...usageOf("usageMetadata", replies),
  });
}

/** Adds the parts of a round. A blank line separates their text from the text of earlier rounds. */
function withBlankLine(before: Fields[], parts: readonly Fields[]): Fields[] {
  const isText = (part: Fields) => visibleText(part) !== "";
  const first = before.some(isText) ? parts.find(isText) : undefined;
  return [...before, ...parts.map((part) => (part === first ? { ...part, text: `\n\n${visibleText(part)}` } : part))];
}

/** Returns the parts of a round that the client gets. */
function shownParts(parts: readonly Fields[], handed: readonly Handed[], isInner: boolean): Fields[] {
  const byPlace = new Map(handed.map((one) => [one.at, one]));
  let nth = 0;
  let signature: string | undefined;
  return parts.flatMap((part): Fields[] => {
    if (isCall(part)) {
      const call = byPlace.get(nth++);
      if (call === undefined) {
        signature ??= textIn(part["thoughtSignature"]);
        return [];
      }
      const own = signed(call.unwrapped === undefined ? part : unwrappedPart(part, call), signature);
      signature = undefined;
      return [own];
    }
    if (!isInner) return [part];
    // A signature of an inner round would refer to a call that the client does not have.
    const { thoughtSignature: _, ...others } = part;
    return Object.keys(others).length === 0 ? [] : [others];
  });
}

function markOf(parts: readonly Fields[]): string {
  return replyMark(parts.map(visibleText).join(""), parts.filter(isCall).map(callKey));
}
