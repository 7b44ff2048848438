/** The types of the Anthropic adapter: the host's options and parameters, and the replies. */

import type Anthropic from "@anthropic-ai/sdk";
import type { ModelReply, ModelRequest } from "../../index.js";

/** A client of `@anthropic-ai/sdk`, or of a package that offers the same for another platform. */
export interface MessagesClient {
  messages: Pick<Anthropic.Messages, "create" | "stream">;
}

/** The parameters of the requests. `messages` is the conversation: replies and answers are appended to it. */
export type MessagesParams = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream"> & {
  messages: Anthropic.MessageParam[];
  stream?: boolean | undefined;
};

/**
 * How the model gets to its tools.
 * `plain`: what is revealed is appended to the tools; any model.
 * `client`: every tool is sent with every request, as `defer_loading` where it is deferred; the search is ours, and it
 * answers with `tool_reference`s, so that the tools never change.
 * `hosted`: the same, and the search is Anthropic's.
 * `auto`: `hosted` where the model supports it, `plain` everywhere else.
 */
export type MessagesMode = "plain" | "client" | "hosted" | "auto";

/** Options of `messagesModel`. */
export interface MessagesOptions {
  /** Default `"plain"`. */
  mode?: MessagesMode | undefined;
  /** Which of Anthropic's searches is used where it searches: by words, or by patterns. Default `"bm25"`. */
  hostedSearch?: "bm25" | "regex" | undefined;
  /** Whether a model can search itself, for `auto`. Default: by its name. */
  supportsHosted?: ((model: string) => boolean) | undefined;
  /** A cache breakpoint to be set on the last of the tools that stay the same over the whole conversation. */
  toolsCache?: Anthropic.CacheControlEphemeral | undefined;
  /** With `stream: true`, receives every event as it arrives. An error that it throws ends the run. */
  onStreamEvent?: ((event: Anthropic.MessageStreamEvent) => void) | undefined;
}

/** The data of a request's body: the result of `session.assemble`, the session, and the number of the request. */
export type MessagesAssembly = Pick<ModelRequest<"anthropic">, "session" | "tools" | "systemPrompt" | "step">;

/** The model's reply. */
export interface MessagesReply extends ModelReply {
  /** The text of the reply; empty where there is none. */
  text: string;
  /** The last message, where the API paused in between. */
  message: Anthropic.Message;
}
