/** Translates what a client of Anthropic's tool search sends back into what a backend without it knows. */

import { isQuestion, isReference, namesIn } from "../../wire/anthropic-references.js";
import { type Fields, fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { foundText } from "./shared.js";

/** Ids of the vendor's own tools begin with this. Behind it stands the id of the backend's call. */
const SERVER_ID = "srvtoolu_";

/** A block of content. */
export type Block = Fields;

/** The id of a call as the client reads it. */
export const serverId = (id: string): string => SERVER_ID + id;

/** The id of a call as the backend knows it, from the one that the client reads. */
function backendId(id: string): string {
  return id.startsWith(SERVER_ID) && id.length > SERVER_ID.length ? id.slice(SERVER_ID.length) : id;
}

/** The answer to a search as the backend reads it. */
export function resultOf(id: string, names: readonly string[] | undefined, error = ""): Block {
  const about = { type: "tool_result", tool_use_id: id };
  if (names === undefined) return { ...about, content: error || "The search failed.", is_error: true };
  return { ...about, content: foundText(names) };
}

/**
 * Messages as the backend takes them.
 *
 * @param loaded takes the names of the tools that they refer to, in their order
 */
export function translated(messages: unknown, loaded: Set<string>): unknown {
  if (!Array.isArray(messages)) return messages;
  const written: unknown[] = [];
  /** Answers to searches that stand before the next message of the user. */
  let answers: Block[] = [];
  for (const message of messages) {
    const { role, content } = fieldsOf(message);
    if (role !== "assistant" && answers.length > 0) {
      written.push({ ...fieldsOf(message), content: [...answers, ...withoutReferences(blocksOf(content), loaded)] });
      answers = [];
    } else if (!Array.isArray(content)) {
      written.push(message);
    } else if (role === "assistant") {
      for (const turn of parted(objectsIn(content), loaded)) {
        if (answers.length > 0) written.push({ role: "user", content: answers });
        written.push({ ...fieldsOf(message), content: turn.blocks });
        // The answers to the last calls join what the user says next.
        answers = turn.answers;
      }
    } else {
      written.push({ ...fieldsOf(message), content: withoutReferences(content, loaded) });
    }
  }
  if (answers.length > 0) written.push({ role: "user", content: answers });
  return written;
}

function blocksOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}

interface Turn {
  blocks: Block[];
  answers: Block[];
}

/** One message of the assistant, cut behind each search whose answer the model has read before it went on. */
function parted(blocks: readonly Block[], loaded: Set<string>): Turn[] {
  const turns: Turn[] = [];
  let turn: Turn = { blocks: [], answers: [] };
  const open = new Set<string>();
  for (const block of blocks) {
    const { type } = block;
    if (type === "tool_search_tool_result") {
      const id = backendId(String(block["tool_use_id"]));
      open.delete(id);
      turn.answers.push(answerOf(id, block, loaded));
      continue;
    }
    if (turn.answers.length > 0) {
      turns.push(turn);
      turn = { blocks: [], answers: [] };
    }
    if (isQuestion(block)) {
      const id = backendId(String(block["id"]));
      open.add(id);
      turn.blocks.push({ type: "tool_use", id, name: block["name"], input: fieldsOf(block["input"]), ...cacheOf(block) });
    } else {
      turn.blocks.push(withoutCaller(block));
    }
  }
  for (const id of open) turn.answers.push(resultOf(id, undefined, "The search was not finished."));
  turns.push(turn);
  return turns.filter(({ blocks }) => blocks.length > 0);
}

function answerOf(id: string, block: Block, loaded: Set<string>): Block {
  const { type, error_message } = fieldsOf(block["content"]);
  if (type === "tool_search_tool_result_error") return resultOf(id, undefined, textIn(error_message));
  const names = namesIn(block);
  for (const name of names) loaded.add(name);
  return resultOf(id, names);
}

const cacheOf = ({ cache_control }: Block) => (cache_control == null ? {} : { cache_control });

/** A call without its caller, which only calls from the vendor's sandbox need. */
export function withoutCaller(block: Block): Block {
  const { caller, ...others } = block;
  return block["type"] === "tool_use" && fieldsOf(caller)["type"] === "direct" ? others : block;
}

/** The user's blocks, in which references to tools become text. */
function withoutReferences(content: unknown[], loaded: Set<string>): unknown[] {
  return content.map((block) => {
    const names = namesIn(fieldsOf(block));
    if (names.length === 0) return block;
    for (const name of names) loaded.add(name);
    const others = objectsIn(fieldsOf(block)["content"]).filter((part) => !isReference(part));
    return { ...fieldsOf(block), content: [{ type: "text", text: foundText(names) }, ...others] };
  });
}
