/** Sessions: their scope, the states of tools, limits, snapshots, the requests of a model, and conversations that are read. */

import type { ProfileName } from "./settings.js";
import type { WireFormat, WireDefinitions, WireTools } from "./wire.js";
import type { Size } from "./cost.js";

/**
 * The tools that a session may ever see. Tools outside the scope are never searched, listed, loaded, described or called. A
 * tool is inside if one of the two lists names it. An empty scope contains no tools.
 */
export interface Scope {
  /** Servers whose tools are inside. */
  servers?: string[];
  /**
   * Tools inside, as `"server:tool"`, `"server:*"`, or the bare name that the model sees. A bare name means a tool of your
   * program, or the only tool with this name. A name that tools of several servers have is refused (`name_ambiguous`). If a
   * tool's own name has a colon, write it with the server: `"server:a:b"`.
   */
  tools?: string[];
}

/** Options of `sift.session`. */
export interface SessionOptions {
  /**
   * The scope of a new session. `"all"`, or an absent key, means everything. `session.rescope` changes the scope. A scope
   * that is null or undefined is refused, so that a mistake does not open everything.
   */
  scope?: Scope | "all";
}

/**
 * The state of a tool in a session.
 * `eager`: sent in full, not searched. `pinned`: sent in full from the start, and searched. `revealed`: deferred, then found
 * and loaded. `deferred`: not sent until it is loaded. `hidden`: outside the session's scope.
 */
export type ToolState = "eager" | "pinned" | "revealed" | "deferred" | "hidden";

/** Options of `sift.restore`. */
export interface RestoreOptions extends SessionOptions {
  /** True: the loaded tools become exactly those of the snapshot. False (default): those of the snapshot are added. */
  replace?: boolean | undefined;
}

/** The maximum that remains after an eviction. At least one of the two keys is required. */
export interface EvictOptions {
  /** The maximum number of loaded tools. */
  tools?: number | undefined;
  /** The maximum number of tokens of their definitions, as characters / 4. */
  tokens?: number | undefined;
}

/** The maximum that `session.prefetch` loads. */
export interface PrefetchOptions {
  /** The maximum number of tools. Default 3. */
  tools?: number | undefined;
  /** The maximum number of tokens of their definitions, as characters / 4. Default 1,000. */
  tokens?: number | undefined;
}

/** The identity of a tool: its server (null: your program) and its name there. The model can see another name. */
export interface ToolIdentity {
  server: string | null;
  name: string;
}

/** The state of a session, as a small JSON value. */
export interface Snapshot {
  /** The version of this format. Version 1, which had neither `turn` nor `used`, can be read too. */
  toolsift: 2;
  id: string;
  profile: ProfileName;
  /** Present if the session had a scope. The scope is not in the snapshot: pass it to `restore` again. */
  scoped?: true;
  /** The number of requests that were assembled. */
  turn: number;
  /** In the order of loading; `used` is the turn of the last load or call; `ahead`: the prompt has the skill's beginning. */
  revealed: (ToolIdentity & { used: number; skill?: true; ahead?: true })[];
}

/**
 * The format of a conversation's messages.
 *
 * - `"openai"`: the `messages` of Chat Completions.
 * - `"openai-responses"`: the items of the Responses API, input and output one after the other.
 * - `"anthropic"`: the `messages` of the Messages API.
 * - `"google"`: the `contents` of the Gemini API.
 * - `"bedrock"`: the `messages` of Amazon Bedrock's Converse.
 * - `"mcp"`: for agents whose messages have another format. A list of the model's calls, the oldest first, each `{ name,
 *   arguments, result }`; `result` is a result of MCP's `tools/call`, or a string.
 * - `"ai-sdk"`: `ModelMessage`s or `UIMessage`s of AI SDK.
 * - `"langchain"`: LangChain's messages, as objects or as JSON.
 * - `"pydantic-ai"`: pydantic-ai's messages, as Python programs store them.
 */
export type MessageFormat = WireFormat | "ai-sdk" | "langchain" | "pydantic-ai";

/** Options of `session.fromMessages`. */
export interface FromMessagesOptions {
  format: MessageFormat;
}

/** The report of `session.fromMessages`. All lists have names as the model sees them. */
export interface HistoryReport {
  /** Tools that were loaded by this call. */
  revealed: string[];
  /** Tools that were loaded before and are deferred again, because no message mentions them. */
  concealed: string[];
  /**
   * Tools that the messages show as loaded but that could not be loaded: the catalog does not have the tool, the tool is
   * outside the session's scope, or the session has no room for it.
   */
  missing: string[];
}

/**
 * The role of a definition in a request.
 *
 * - `"discovery"`: a discovery tool, by which the model finds other tools.
 * - `"eager"`: a tool that is not deferred, in full.
 * - `"revealed"`: a deferred tool that is loaded, in full.
 * - `"stub"`: a deferred tool that is in the list as a stub, or in full if that is not larger.
 */
export type ToolRole = "discovery" | "eager" | "revealed" | "stub";

/** Options of `session.assemble`. */
export interface AssembleOptions<F extends WireFormat = WireFormat> {
  /** The wire format of the tools. Default `"mcp"`. */
  format?: F | undefined;
}

/** Tools and prompt text for one model request, by the format of its tools. */
export interface Assembly<F extends WireFormat = WireFormat> {
  /** True if tools are deferred. Otherwise `tools` has every tool and `systemPrompt` is empty. */
  active: boolean;
  /** The definitions in the chosen wire format, ready to be sent. */
  tools: WireTools[F][];
  /** The role of each definition, in the order of `tools`; in Google's format in the order of its `functionDeclarations`. */
  roles: ToolRole[];
  /** Text to append to your program's system prompt; can be empty. */
  systemPrompt: string;
  size: Size;
  /** The tools that can be deferred, measured as the activation measures them. */
  deferrable: {
    tools: number;
    /** Tokens of their definitions, in the format of Chat Completions. */
    tokens: number;
    /** Tokens from which tools are deferred, if tokens decide; 0 without a known window or without deferrable tools. */
    thresholdTokens: number;
  };
}

/** A tool that is deferred unless it is loaded. */
export interface HeldBack<F extends WireFormat = WireFormat> {
  /** The name that the model sees. */
  name: string;
  /** The tool's definition in the chosen wire format. */
  definition: WireDefinitions[F];
}
