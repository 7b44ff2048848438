/** What the proxy needs to know of a vendor's API: how to read a request, write one round of it, and join the replies. */

import type { Api, Choice, Reply } from "../wire/api.js";
import type { Decided } from "../loop/rounds.js";
import type { Answer } from "../loop/types.js";
import type { JsonText } from "./json-text.js";
import type { SseEvent } from "./sse.js";
import type { RequestEvent } from "./types.js";

/** What the path of a request says. */
export interface Route {
  /** Whether the path asks for a stream; undefined where the body says so. */
  stream?: boolean;
  /** The model, where the path names it. */
  model?: string;
  /** Why requests of this path pass through as they came. */
  passes?: string;
  /** Whether the request only asks how many tokens it has. */
  counts?: true;
  /** The key of the body below which the request may stand. */
  within?: string;
}

/** One tool of the client's list. */
export interface ListedTool {
  /** Its text as it came. */
  text: string;
  /** The name by which the model calls it, if it has one. */
  name?: string | undefined;
  /** Its parsed definition, where it can be deferred. Tools of the vendor are always sent. */
  definition?: object | undefined;
  /** Where its vendor's prompt cache breaks, as text: the last tool that is sent gets it in its place. */
  breakpoint?: string | undefined;
}

/** A client's request, as far as tool search reads it. */
export interface WireRequest extends Choice {
  body: JsonText;
  stream: boolean;
  model: string | undefined;
  /** The conversation, in the format of the wire. */
  messages: readonly unknown[];
  /** Whether the reply's text has to be JSON, so that no other text may stand before it. */
  isStructured: boolean;
  /** The vendor's own id of the conversation, if the request has one. */
  conversation: string | undefined;
  /** The id of the reply that it goes on from, where the vendor keeps replies. */
  follows?: string | undefined;
  /** Whether the vendor keeps the reply, so that a later request may go on from it. */
  isStored?: boolean | undefined;
  /** Under which texts the conversation is known again: prompt and first message, and the first reply to it, if there is one. */
  beginning: { first: string; reply: string | undefined };
}

/** One round that has come back with calls that the proxy has answered. */
export interface Turn {
  reply: Reply;
  answers: readonly Answer[];
}

/** What goes on from a reply that the vendor keeps, and that the client knows less of than the vendor. */
export interface Chain {
  /** The vendor's id of the reply, where the client has that of an earlier round. */
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
  /** Names in the order of their reveal. */
  revealed: readonly string[];
  chain?: Chain | undefined;
}

/** The data of one request to the upstream. */
export interface RoundRequest {
  /** The texts of the tools that are always sent, as the client wrote them: the vendor's own, and what the core refuses. */
  always: readonly string[];
  /** The texts of the tools behind them: the core's discovery tools, and those of the client's that the model sees. */
  tools: readonly string[];
  /** For the last of them. */
  breakpoint: string | undefined;
  /** To be appended to the client's system prompt; may be empty. */
  systemPrompt: string;
  /** The rounds before this one. */
  turns: readonly Turn[];
  /** For a request that goes on from a reply of the vendor's. */
  chain: Chain | undefined;
  /** Whether the model calls the client's tools through others: the surface is constant. */
  isWrapped: boolean;
}

/** Joins the streams of all rounds into one. */
export interface Joiner {
  /** Begins a round: `isReal` says which names are the client's own. */
  begin(isReal: (name: string) => boolean): void;
  /** Takes one event, and returns what of it the client gets at once. */
  push(event: SseEvent): string;
  /** The round's reply once its stream has ended; undefined where the stream broke off, or told of an error. */
  ended(): Reply | undefined;
  /** Goes on after a round whose calls were all answered by the proxy. */
  next(): void;
  /** The end of the stream for the client. */
  close(settled: Decided): string;
  /** What had not been passed on, where the stream broke off. */
  rest(): string;
  /**
   * Whether a stream that broke off without an error left something out that the client cannot miss: a call, which it may
   * not have seen, or all of a later round. What it got would look like a whole reply.
   */
  readonly isCut: boolean;
  /** The beginning of what the client was told, for `WireRequest.beginning.reply`. */
  readonly mark: string;
  /** The id that the client got, where the vendor keeps replies. */
  readonly id?: string | undefined;
}

/** One vendor's API, as requests and streams to it are rewritten. */
export interface Wire {
  /** What is known of the API. */
  readonly api: Api;
  /** How the core writes its tools and reads conversations. Events tell the API by this name. */
  readonly format: RequestEvent["wire"];
  /** Whether a path is one that the proxy takes part in. */
  route(path: string, query: URLSearchParams): Route | undefined;
  /** The key of the body under which the tools stand. */
  readonly toolsKey: string;
  /** The tools of a list; undefined for what is no list of tools. */
  toolsIn(text: string): ListedTool[] | undefined;
  /** Reads a request; why it passes through as it came, or undefined where the upstream will refuse it. @throws SyntaxError */
  read(body: JsonText, route: Route): WireRequest | string | undefined;
  /** The definitions of an assembly, one by one. */
  definitions(assembled: readonly object[]): object[];
  /** A tool of the client's as the core's stub shows it. */
  stub(own: object, shown: object): string;
  /** Writes the body of one round. */
  write(request: WireRequest, round: RoundRequest): string;
  /** The one reply for the client. `replies` are the bodies of all rounds. */
  joined(request: WireRequest, replies: readonly JsonText[], settled: Decided): string;
  /** For `WireRequest.beginning.reply`: the beginning of a reply for the client. */
  markOf(reply: JsonText): string;
  /** The request, and what it goes on from, once the vendor has said what it keeps; undefined where nothing of ours is missing. */
  recovered?(request: WireRequest, kept: JsonText, isListed: (name: string) => boolean): Recovered | undefined;
  /** Joins the streams of all rounds. */
  joiner(request: WireRequest): Joiner;
  /** An error in the vendor's form. */
  error(status: number, code: string, message: string): string;
  /** An error in the vendor's form, as an event of a stream; `body` is what `error` writes, or what the upstream said. */
  streamError(body: string): string;
}
