/** The interface of a vendor's API for the proxy: reads a request, writes the body of a round, and joins the replies. */

import type { Api, Choice, Reply } from "../wire/api.js";
import type { Decided } from "../loop/rounds.js";
import type { Answer } from "../loop/types.js";
import type { JsonText } from "./json-text.js";
import type { SseEvent } from "./sse.js";
import type { RequestEvent } from "./types.js";

/** The data in the path of a request. */
export interface Route {
  /** True if the path asks for a stream; undefined if the body decides. */
  stream?: boolean;
  /** The model, if it is in the path. */
  model?: string;
  /** True if the request only counts tokens. */
  counts?: true;
  /** The key of the body that may contain the actual request. */
  within?: string;
}

/** One tool of the client's list. */
export interface ListedTool {
  /** Its unchanged text. */
  text: string;
  /** The name by which the model calls it, if it has one. */
  name?: string | undefined;
  /** Its parsed definition, if it can be deferred. A vendor's own tools are always sent. */
  definition?: object | undefined;
  /** Its breakpoint of the vendor's prompt cache, as text, which is moved to the last tool that is sent. */
  breakpoint?: string | undefined;
}

/** The parts of a client's request that tool search reads. */
export interface WireRequest extends Choice {
  body: JsonText;
  stream: boolean;
  model: string | undefined;
  /** The conversation, in the API's format. */
  messages: readonly unknown[];
  /** True if the reply's text must be JSON, so that no other text may come before it. */
  isStructured: boolean;
  /** The vendor's own id of the conversation, if the request has one. */
  conversation: string | undefined;
  /** The id of the reply that the request continues, if the vendor stores replies. */
  follows?: string | undefined;
  /** True if the vendor stores the reply, so that a later request may continue it. */
  isStored?: boolean | undefined;
  /** The texts that identify the conversation: prompt and first message, and the first reply to it, if there is one. */
  beginning: { first: string; reply: string | undefined };
}

/** One round whose reply had calls that the proxy has answered. */
export interface Turn {
  reply: Reply;
  answers: readonly Answer[];
}

/** The state of a stored reply that the client does not know. */
export interface Chain {
  /** The vendor's id of the reply, if the client has the id of an earlier round. */
  alias?: string | undefined;
  /** The texts of the answers that the vendor waits for: to calls that the client has not seen. */
  pending?: readonly string[] | undefined;
}

/** A request whose state was lost, and the state that was rebuilt for it. */
export interface Recovered {
  request: WireRequest;
  chain: Chain;
}

/** The state of one conversation. */
export interface ConversationState {
  /** The names of the loaded tools, in the order of loading. */
  revealed: readonly string[];
  chain?: Chain | undefined;
}

/** The data of one request to the upstream. */
export interface RoundRequest {
  /** The texts of the tools that are always sent, unchanged: the vendor's own tools, and those that the core refuses. */
  always: readonly string[];
  /** The texts of the tools after them: discovery tools, and the client's tools that are sent to the model. */
  tools: readonly string[];
  /** The prompt cache breakpoint for the last of these tools. */
  breakpoint: string | undefined;
  /** The text that is appended to the client's system prompt; may be empty. */
  systemPrompt: string;
  /** The rounds before this one. */
  turns: readonly Turn[];
  /** The state of the stored reply that the request continues, if there is one. */
  chain: Chain | undefined;
  /** True if the model calls the client's tools through discovery tools, because the tool list is constant. */
  isWrapped: boolean;
}

/** Joins the streams of all rounds into one. */
export interface Joiner {
  /** Begins a round. `isReal` checks if a name belongs to a tool of the client. */
  begin(isReal: (name: string) => boolean): void;
  /** Adds one event, and returns the text that the client gets immediately. */
  push(event: SseEvent): string;
  /** Returns the round's reply after the end of its stream; undefined if the stream broke off or contained an error. */
  ended(): Reply | undefined;
  /** Continues after a round whose calls were all answered by the proxy. */
  next(): void;
  /** Returns the end of the stream for the client. */
  close(settled: Decided): string;
  /** Returns the text that had not been passed on when the stream broke off. */
  rest(): string;
  /**
   * True if a stream broke off without an error, and a part is missing that the client cannot notice: a call, or a whole
   * later round. Without an error, the client would take its part for a whole reply.
   */
  readonly isCut: boolean;
  /** The mark of the reply for the client, as in `WireRequest.beginning.reply`. */
  readonly mark: string;
  /** The id that the client got, if the vendor stores replies. */
  readonly id?: string | undefined;
}

/** One vendor's API: reads and rewrites its requests and replies. */
export interface Wire {
  /** The API's description. */
  readonly api: Api;
  /** The core's name of the format of tools and conversations. Events contain it as the name of the API. */
  readonly format: RequestEvent["wire"];
  /** Returns the data in a path; undefined for a path that the proxy passes on unchanged. */
  route(path: string, query: URLSearchParams): Route | undefined;
  /** Returns the tools of a list; undefined for a text that is no list of tools. */
  toolsIn(text: string): ListedTool[] | undefined;
  /** Reads a request. Returns the reason if it is passed on unchanged; undefined if it is invalid. @throws SyntaxError */
  read(body: JsonText, route: Route): WireRequest | string | undefined;
  /** Returns the definitions of an assembly, one by one. */
  definitions(assembled: readonly object[]): object[];
  /** Returns a tool of the client with the core's stub in the place of its definition. */
  stub(own: object, shown: object): string;
  /** Writes the body of one round. */
  write(request: WireRequest, round: RoundRequest): string;
  /** Returns the one reply for the client. `replies` are the bodies of all rounds. */
  joined(request: WireRequest, replies: readonly JsonText[], settled: Decided): string;
  /** Returns the mark of a reply for the client, for `WireRequest.beginning.reply`. */
  markOf(reply: JsonText): string;
  /** Rebuilds a request and its state from the vendor's stored reply; undefined if no call of the proxy is unanswered. */
  recovered?(request: WireRequest, kept: JsonText, isListed: (name: string) => boolean): Recovered | undefined;
  /** Joins the streams of all rounds. */
  joiner(request: WireRequest): Joiner;
  /** Returns an error in the vendor's form. */
  error(status: number, code: string, message: string): string;
  /** Returns an error as an event of a stream, in the vendor's form. `body` is from `error` or from the upstream. */
  streamError(body: string): string;
}
