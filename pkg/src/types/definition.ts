/**
 * Tool definitions as `register` and `sync` read them. The types of MCP's, OpenAI's, Anthropic's and Google's SDKs are
 * assignable to these, and a misspelt key, a map of tools or a promise is not.
 */

import type { Deferral } from "./catalog.js";

/**
 * The schema of a tool's parameters: JSON Schema, or a schema of a library that offers JSON Schema (Zod 4, ArkType, Valibot
 * by `toStandardJsonSchema`, AI SDK's `jsonSchema`), which is converted. A promise, which alone of these has a `finally`, must
 * be awaited first.
 */
export type ToolSchema =
  | { readonly [key: string]: unknown; readonly finally?: never }
  | (object & { readonly finally?: never });

/** What toolsift reads of a definition beside its name, description and schema. */
export interface ToolAttributes {
  readonly title?: string | null | undefined;
  /** The server it comes from, where `RegisterOptions` name none. */
  readonly server?: string | null | undefined;
  readonly category?: string | null | undefined;
  /** Words that it should be found by. */
  readonly searchHint?: string | null | undefined;
  readonly search_hint?: string | null | undefined;
  /** Words and short phrases of people who need it: at most 128, of 256 characters each. */
  readonly searchKeywords?: readonly string[] | null | undefined;
  /** Whole requests of people who need it: at most 128, of 256 characters each. */
  readonly searchQueries?: readonly string[] | null | undefined;
  /** Labels that it should be found by. */
  readonly tags?: readonly string[] | null | undefined;
  readonly deferral?: Deferral | null | undefined;
  /** The vendors' word for `deferral`: `true` is `"always"`. */
  readonly defer_loading?: boolean | null | undefined;
}

/**
 * Reads a file of a skill by its path within the skill's folder, such as `references/api.md`: without `..`, a leading `/` or `:`,
 * which no model can write past the core. Without a path it reads the text itself. What it throws is told to the model.
 */
export type SkillReader = (path?: string) => string | Promise<string>;

/**
 * A skill: instructions for one kind of work, which the model finds as it finds tools. Loading it answers with its text, and
 * reveals the tools that it names. Under profile `sift`.
 */
export interface SkillDefinition extends Omit<ToolAttributes, "deferral" | "defer_loading"> {
  readonly kind: "skill";
  readonly name: string;
  /** What it is for, and when to use it. */
  readonly description?: string | null | undefined;
  /** The instructions; at most 256 KB. Not needed beside `read`, which is called without a path then. */
  readonly text?: string | null | undefined;
  /** Names of the tools that it uses, as its author wrote them; at most 64. */
  readonly tools?: readonly string[] | null | undefined;
  /** Reads its files. Prebuilt indexes and snapshots do not hold it. */
  readonly read?: SkillReader | undefined;
}

/** Keys that MCP and the vendors have too, and that toolsift leaves to the host. */
interface LeftToTheHost {
  readonly type?: string | null | undefined;
  readonly annotations?: unknown;
  readonly outputSchema?: unknown;
  readonly output_schema?: unknown;
  readonly icons?: unknown;
  readonly execution?: unknown;
  readonly _meta?: unknown;
  readonly strict?: unknown;
  readonly cache_control?: unknown;
  readonly allowed_callers?: unknown;
  readonly input_examples?: unknown;
  readonly eager_input_streaming?: unknown;
}

/** A definition with its name on top: MCP, OpenAI Responses, Anthropic, one of Google's functions, or our own. */
export interface NamedTool extends ToolAttributes, LeftToTheHost {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** MCP's key. */
  readonly inputSchema?: ToolSchema | null | undefined;
  /** Anthropic's key. */
  readonly input_schema?: ToolSchema | null | undefined;
  /** OpenAI's key, and ours. */
  readonly parameters?: ToolSchema | null | undefined;
  /** Google's key. */
  readonly parametersJsonSchema?: unknown;
}

/** A definition of OpenAI's Chat Completions. */
export interface ChatTool extends ToolAttributes {
  readonly type?: string | undefined;
  readonly function: Pick<NamedTool, "name" | "description" | "parameters" | "strict">;
}

/** One function of Google's SDK, whose types require none of its keys. */
export interface GoogleDeclaration {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly parameters?: ToolSchema | undefined;
  readonly parametersJsonSchema?: unknown;
  readonly behavior?: unknown;
  readonly response?: unknown;
  readonly responseJsonSchema?: unknown;
  /** Of other shapes, which need a name. */
  readonly inputSchema?: never;
  readonly input_schema?: never;
}

/** Functions as Google's SDK has them; its types make the key optional. */
export interface GoogleDeclarations {
  readonly functionDeclarations?: readonly GoogleDeclaration[] | undefined;
}

/** A tool that a vendor runs itself. The SDKs have them in the same lists; they are reported as rejected. */
export interface HostedTool {
  readonly type: string;
}

/** One definition, as it is registered by itself. */
export type SingleTool = NamedTool | ChatTool | SkillDefinition | Required<GoogleDeclarations>;

/**
 * A tool definition in any of the shapes that `register` reads: MCP (`inputSchema`), OpenAI Chat Completions
 * (`{ type: "function", function }`), OpenAI Responses (`{ type: "function", name, parameters }`), Anthropic
 * (`input_schema`), Google (`{ functionDeclarations: [...] }` or one declaration), or our own (`parameters`).
 * `title`, `category`, `searchHint`, `searchKeywords`, `searchQueries`, `tags`, `deferral` are read where they are present,
 * and of `_meta` the key `toolsift/search` with `{ queries, keywords }`.
 */
export type ToolDefinition = SingleTool | GoogleDeclarations | GoogleDeclaration | HostedTool;

/** A list of tool definitions, or the result of MCP's `tools/list` that holds one. */
export type ToolList = readonly ToolDefinition[] | { readonly tools: readonly ToolDefinition[] };
