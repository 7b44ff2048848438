/** What is sent to the Messages API? The host's parameters, with the tools and the prompt section of the session. */

import type Anthropic from "@anthropic-ai/sdk";
import { resolvable } from "./references.js";
import { nameOf, offer } from "./tools.js";
import type { MessagesAssembly, MessagesOptions, MessagesParams } from "./types.js";

/**
 * The body of one request: with the tools of the session behind those of the host, and the prompt section as a block
 * behind the host's own system prompt. `params` and its messages stay as they are.
 *
 * ```ts
 * const assembly = { session, ...session.assemble({ format: "anthropic" }) };
 * const message = await client.messages.create(messagesRequest(params, assembly, { mode: "client" }));
 * ```
 *
 * @throws ToolSiftError `limit_out_of_range` where more tools would be deferred than the API takes; `option_conflict`
 * where a tool of your own is called as a discovery tool is
 */
export function messagesRequest(
  params: MessagesParams,
  request: MessagesAssembly,
  options: MessagesOptions = {},
): Anthropic.MessageCreateParamsNonStreaming {
  return prepared(params, request, options).body;
}

/** The same, on which road it goes, and with which tools of the host's own. */
export function prepared(params: MessagesParams, request: MessagesAssembly, options: MessagesOptions) {
  const { stream: _, system, ...others } = params;
  const { road, tools, own } = offer(params, request, options);
  const names = new Set(tools.map(nameOf).filter((name) => name !== undefined));
  const messages = resolvable(params.messages, names, road !== "plain");
  // The section tells of our own search.
  const blocks = withPrompt(system, road === "hosted" ? "" : request.systemPrompt);
  const body: Anthropic.MessageCreateParamsNonStreaming = {
    ...others,
    messages,
    ...(blocks === undefined ? {} : { system: blocks }),
    ...(tools.length === 0 ? {} : { tools }),
  };
  return { road, own, body };
}

function withPrompt(system: MessagesParams["system"], prompt: string): MessagesParams["system"] {
  if (prompt === "") return system;
  const own = typeof system === "string" ? [system].filter((text) => text !== "").map(textBlock) : (system ?? []);
  return [...own, textBlock(prompt)];
}

function textBlock(text: string): Anthropic.TextBlockParam {
  return { type: "text", text };
}
