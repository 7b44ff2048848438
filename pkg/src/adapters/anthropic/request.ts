/** Builds a request to the Messages API: the host's parameters, with the tools and the prompt section of the session. */

import type Anthropic from "@anthropic-ai/sdk";
import { aFunction, anObject, oneNameOf, type Shape } from "../../base/shape.js";
import { freed, withPrompt } from "../../wire/anthropic.js";
import { resolvable } from "../../wire/anthropic-references.js";
import { offer } from "./tools.js";
import type { MessagesAssembly, MessagesOptions, MessagesParams } from "./types.js";

export const OPTIONS: Shape<MessagesOptions> = {
  mode: oneNameOf("plain", "client", "hosted", "auto"),
  hostedSearch: oneNameOf("bm25", "regex"),
  supportsHosted: aFunction,
  toolsCache: anObject,
  onStreamEvent: aFunction,
};

/**
 * The body of one request: with the tools of the session behind those of the host, and the prompt section as a block
 * behind the host's own system prompt. `params` and its messages stay as they are. With the road on which the tools go,
 * and the host's own tools.
 *
 * A `tool_choice` that demands a call holds for the first request of a run: with it in all of them no run would end.
 *
 * @throws ToolSiftError `limit_out_of_range` where more tools would be deferred than the API takes; `option_conflict` where
 * a tool of the host's is called as a discovery tool is
 */
export function prepared(params: MessagesParams, request: MessagesAssembly, options: MessagesOptions) {
  const { stream: _, system, tools: __, tool_choice, ...others } = params;
  const { road, tools, own } = offer(params, request, options);
  const names = new Set(tools.flatMap((tool) => ("name" in tool ? [tool.name] : [])));
  const messages = resolvable(params.messages, names, road !== "plain");
  // The section tells of our own search.
  const section = road === "hosted" ? "" : request.systemPrompt;
  const blocks = section === "" ? system : withPrompt(system, section, (block): Anthropic.TextBlockParam => block);
  const body: Anthropic.MessageCreateParamsNonStreaming = {
    ...others,
    messages,
    ...(blocks === undefined ? {} : { system: blocks }),
    ...(tools.length === 0 ? {} : { tools, ...choiceOf(tool_choice, request.step) }),
  };
  return { road, own, body };
}

function choiceOf(choice: MessagesParams["tool_choice"], step: number): Pick<MessagesParams, "tool_choice"> {
  if (choice === undefined) return {};
  return { tool_choice: step === 1 ? choice : (freed(choice) as typeof choice) };
}
