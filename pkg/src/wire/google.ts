/** Google's Gemini API: a reply is a content with texts, thoughts and calls as parts, and one content answers the calls. */

import type { Answer, ModelCall } from "../types/index.js";
import type { Choice, Reply } from "./api.js";
import { objectOf } from "./arguments.js";
import { type Fields, fieldsOf, isObject, objectsIn, textIn } from "./fields.js";
import { entriesIn, objectIn } from "./reply.js";

/** The maximum length of the API's message about a call that it could not read. */
const MOST_SAID = 500;

/** Returns the name by which the model calls a function. */
export function nameOf(declaration: object): string | undefined {
  return textIn((declaration as Fields)["name"]);
}

/** Returns a field of a request, in either spelling that the API accepts. */
export function either(fields: Fields, camel: string, snake: string): unknown {
  return fields[camel] ?? fields[snake];
}

/** Returns the names that a calling config allows, and its demand for a call. */
export function choiceIn(calling: unknown): Choice {
  const fields = fieldsOf(calling);
  const allowed = either(fields, "allowedFunctionNames", "allowed_function_names");
  const mode = textIn(fields["mode"])?.toUpperCase();
  const named = Array.isArray(allowed) ? allowed.filter((name) => typeof name === "string") : [];
  return { named, choice: mode === "NONE" ? "none" : mode === "ANY" ? "demanded" : "free" };
}

/** Returns a calling config without its demand for a call. With names it needs the mode that is limited to them. */
export function freed<C extends object>(calling: C): C {
  const { named, choice } = choiceIn(calling);
  return choice === "demanded" ? { ...calling, mode: named.length === 0 ? "AUTO" : "VALIDATED" } : calling;
}

/** Returns a tool config for a request without functions: the API refuses a calling config there. */
export function withoutCalling(toolConfig: unknown): object | undefined {
  const { functionCallingConfig: _, function_calling_config: __, ...others } = fieldsOf(toolConfig);
  return Object.keys(others).length === 0 ? undefined : others;
}

/** Returns a system instruction, in any form that the API and its SDK accept, with the prompt section as its last part. */
export function withPrompt(own: unknown, section: string): { parts: object[] } {
  const { parts, ...others } = isObject(own) && !("text" in own) ? own : { parts: own };
  const ownParts = [parts]
    .flat()
    .flatMap((one): object | [] => (isObject(one) ? one : one && typeof one === "string" ? { text: one } : []));
  return { ...others, parts: [...ownParts, { text: section }] };
}

/** Reads a response: its first candidate. */
export function read(response: object): Reply | undefined {
  if (objectsIn(fieldsOf(response)["candidates"]).length === 0) return undefined;
  return { calls: callsIn(response), messages: contentOf(response), text: textOf(response) };
}

/** Returns the calls of a reply, and a call that the API could not read. Without it, the model would seem to be done. */
export function callsIn(response: object): ModelCall[] {
  const { parts } = fieldsOf(candidateOf(objectIn("response", response))["content"]);
  const calls = entriesIn("parts", parts)
    .filter(isCall)
    .map((part) => {
      const { id, name = "", args } = part["functionCall"] as { id?: string; name?: string; args?: unknown };
      return { id, name, args };
    });
  const broken = brokenIn(candidateOf(response), calls.length > 0);
  if (broken === undefined) return calls;
  // A call without a name cannot be answered, and the API accepts answers only to all calls of a reply together.
  const canAnswer = calls.length > 0 && calls.every(({ name }) => name !== "");
  return canAnswer ? calls.map((call) => ({ ...call, broken })) : [{ name: "", broken }];
}

/** Returns the content of a reply as the API accepts it back; nothing if it is empty, or if its call is not in it. */
export function contentOf(response: object): Fields[] {
  const { content } = candidateOf(response);
  if (!isObject(content) || partsOf(response).every(isEmpty) || callsIn(response).some(isOnlyTold)) return [];
  return [{ ...content, role: content["role"] ?? "model", parts: partsOf(response).map(sentBack) }];
}

/** Returns a part for the conversation. Arguments of a call become an object. */
function sentBack(part: Fields): Fields {
  const { args, ...call } = fieldsOf(part["functionCall"]);
  return args === undefined || isObject(args) ? part : { ...part, functionCall: { ...call, args: objectOf(args) } };
}

/** Returns the text of a reply, without thoughts; empty if there is none. */
export function textOf(response: object): string {
  return partsOf(response).map(visibleText).join("");
}

/** Returns the text of a part for the user; empty for a thought. */
export function visibleText(part: Fields): string {
  return part["thought"] === true ? "" : (textIn(part["text"]) ?? "");
}

/** Returns the one content that answers the calls of a reply. */
export function answersOf(answers: readonly Answer[]) {
  return answers.length === 0 ? [] : [{ role: "user", parts: answers.map(answerPart) }];
}

function answerPart({ call, content, isError }: Answer) {
  if (isOnlyTold(call)) return { text: content };
  const { id, name } = call;
  const response = isError ? { error: content } : { output: content };
  return { functionResponse: id === undefined ? { name, response } : { id, name, response } };
}

/** Checks if the conversation has no call for this answer, so that the answer is sent as text. */
function isOnlyTold({ name, broken }: ModelCall): boolean {
  return broken !== undefined && name === "";
}

/** Returns the first candidate of a response. */
export function candidateOf(response: object): Fields {
  return fieldsOf((fieldsOf(response)["candidates"] as unknown[] | undefined)?.[0]);
}

/** Returns the parts of a response's first candidate. */
export function partsOf(response: object): Fields[] {
  return objectsIn(fieldsOf(candidateOf(response)["content"])["parts"]);
}

/** Checks if a part is a call. */
export function isCall(part: Fields): boolean {
  return isObject(part["functionCall"]);
}

function isEmpty(part: Fields): boolean {
  return part["text"] === "" && part["thoughtSignature"] === undefined;
}

/**
 * Returns the error of a call that the API could not read, or of an undeclared function if the reply does not have its call.
 */
function brokenIn({ finishReason: reason, finishMessage }: Fields, hasCalls: boolean): ModelCall["broken"] {
  const detail = finishMessage === undefined ? "" : ` (${String(finishMessage).slice(0, MOST_SAID)})`;
  if (reason === "MALFORMED_FUNCTION_CALL") {
    const message = `Your function call could not be read, so nothing ran${detail}. Make it again, in plain JSON.`;
    return { code: "arguments_not_json", message };
  }
  if (reason !== "UNEXPECTED_TOOL_CALL" || hasCalls) return undefined;
  const message = `You called a function that is not declared, so nothing ran${detail}. Find it first, or do without.`;
  return { code: "tool_unknown", message };
}

/** Joins the chunks of a stream. Each chunk is a response. */
export class Pieces {
  readonly #chunks: Fields[] = [];
  isOver = false;

  add(chunk: object): void {
    this.#chunks.push(chunk as Fields);
    this.isOver ||= candidateOf(chunk)["finishReason"] !== undefined || fieldsOf(chunk)["promptFeedback"] !== undefined;
  }

  get reply(): Fields | undefined {
    return this.isOver ? joined(this.#chunks) : undefined;
  }
}

/** Joins chunks to one response: all parts, and the last value of every other field. */
export function joined(chunks: readonly object[]): Fields {
  const all = entriesIn("chunks", chunks);
  // Made with a chunk's prototype, so that it has the getters of the SDK without importing the SDK.
  const response = Object.assign(Object.create(Object.getPrototypeOf(all.at(-1) ?? {})), ...all) as Record<string, unknown>;
  const choices = all.flatMap((chunk) => entriesIn("candidates", chunk["candidates"]));
  const candidates = choices.filter(({ index = 0 }) => index === 0);
  if (candidates.length === 0) return response;
  const contents = candidates.flatMap(({ content }) => content ?? []);
  const candidate: Record<string, unknown> = Object.assign({}, ...candidates);
  if (contents.length > 0) {
    const parts = contents.flatMap((content) => entriesIn("parts", fieldsOf(content)["parts"]));
    candidate["content"] = { ...fieldsOf(contents[0]), parts: parts.reduce<Fields[]>(joinPart, []) };
  }
  response["candidates"] = [candidate];
  return response;
}

function joinPart(parts: Fields[], part: Fields): Fields[] {
  const last = parts.at(-1);
  if (last !== undefined && isText(last) && isText(part) && last["thought"] === part["thought"]) {
    parts[parts.length - 1] = { ...last, text: `${last["text"]}${part["text"]}` };
  } else if (!isText(part) || part["text"] !== "") {
    parts.push(part);
  }
  return parts;
}

/** Checks if a part has only text. */
function isText(part: Fields): boolean {
  return typeof part["text"] === "string" && Object.keys(part).every((key) => key === "text" || key === "thought");
}
