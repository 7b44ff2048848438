/** Requests of Anthropic's tool search, in the words of a Messages API that has none. */

import { isQuestion, isReference, isSearch, namesIn } from "../../wire/anthropic-search.js";
import { type Fields, fieldsOf, objectsIn } from "../../wire/fields.js";
import { backendTool, foundText, type Translated } from "./shared.js";

/** The request with ordinary tools. Replies need no change. */
export function translatedMessages({ messages, tools, tool_choice, ...others }: Fields): Translated {
  const loaded = new Set<string>();
  const written = Array.isArray(messages) ? messages.flatMap((message) => translated(fieldsOf(message), loaded)) : messages;
  const listed = objectsIn(tools);
  const choice = fieldsOf(tool_choice);
  const searches = listed.filter(isSearch);
  const isChosen = choice["type"] === "tool";
  const isSearchChosen = isChosen && searches.some((tool) => nameOf(tool) === choice["name"]);
  if (isChosen) loaded.add(String(choice["name"]));
  const own = listed.filter((tool) => !searches.includes(tool));
  const eager = own.filter((tool) => tool["defer_loading"] !== true);
  const deferred = new Map(own.filter((tool) => tool["defer_loading"] === true).map((tool) => [nameOf(tool), tool]));
  const found = [...loaded].map((name) => deferred.get(name)).filter((tool) => tool !== undefined);
  // Without a search of the vendor's, the client searches by itself.
  const sent = searches.length > 0 ? own : [...eager, ...found];
  const text = JSON.stringify({
    ...others,
    messages: written,
    ...(sent.length > 0 && { tools: sent.map(backendTool) }),
    // Without tools the API refuses a choice of them.
    ...(sent.length > 0 && tool_choice !== undefined && !isSearchChosen && { tool_choice }),
  });
  return { text, always: searches.length > 0 ? [...eager, ...found].map(nameOf) : undefined };
}

const nameOf = ({ name }: Fields) => String(name);

/** A message without searches of the vendor's, and with text for references; none where nothing is left of it. */
function translated(message: Fields, loaded: Set<string>): Fields[] {
  const { content } = message;
  if (!Array.isArray(content)) return [message];
  const blocks = objectsIn(content).flatMap((block) => {
    const names = namesIn(block);
    if (isQuestion(block)) return [];
    for (const name of names) loaded.add(name);
    if (block["type"] === "tool_search_tool_result") return [];
    if (names.length === 0) return [withoutCaller(block)];
    const others = objectsIn(block["content"]).filter((part) => !isReference(part));
    return [{ ...block, content: [{ type: "text", text: foundText(names) }, ...others] }];
  });
  return blocks.length === 0 && content.length > 0 ? [] : [{ ...message, content: blocks }];
}

/** A call without its caller, which only calls from the vendor's sandbox need. */
function withoutCaller(block: Fields): Fields {
  const { caller, ...others } = block;
  return block["type"] === "tool_use" && fieldsOf(caller)["type"] === "direct" ? others : block;
}
