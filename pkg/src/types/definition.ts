/**
 * Tool definitions that `register` and `sync` read. The types of MCP's, OpenAI's, Anthropic's and Google's SDKs are
 * assignable to these types. A misspelt key, a map of tools or a promise is not.
 */

import type { Deferral } from "./catalog.js";

/**
 * The schema of a tool's parameters: JSON Schema, or a schema of a library that converts to JSON Schema (Zod 4, ArkType,
 * Valibot by `toStandardJsonSchema`, AI SDK's `jsonSchema`). A promise of a schema must be awaited first; the type excludes
 * promises by their method `finally`.
 */
export type ToolSchema =
  | { readonly [key: string]: unknown; readonly finally?: never }
  | (object & { readonly finally?: never });

/** The attributes that toolsift reads from a definition, apart from name, description and schema. */
export interface ToolAttributes {
  readonly title?: string | null | undefined;
  /** The tool's server, if `RegisterOptions` state none. */
  readonly server?: string | null | undefined;
  readonly category?: string | null | undefined;
  /** Words by which the tool should be found. */
  readonly searchHint?: string | null | undefined;
  readonly search_hint?: string | null | undefined;
  /** Words and short phrases of people who need the tool: at most 128, of 256 characters each. */
  readonly searchKeywords?: readonly string[] | null | undefined;
  /** Whole requests of people who need the tool: at most 128, of 256 characters each. */
  readonly searchQueries?: readonly string[] | null | undefined;
  /** Labels by which the tool should be found. */
  readonly tags?: readonly string[] | null | undefined;
  readonly deferral?: Deferral | null | undefined;
  /** The vendors' key for `deferral`: `true` means `"always"`. */
  readonly defer_loading?: boolean | null | undefined;
}

/**
 * Reads a file of a skill by its path in the skill's folder, such as `references/api.md`. The core refuses paths with `..`,
 * a leading `/` or `:`. Without a path, the function reads the skill's text. The model is told of an error that it throws.
 */
export type SkillReader = (path?: string) => string | Promise<string>;

/**
 * A skill: instructions for one kind of work, which the model finds with the same search as tools. When the model loads a
 * skill, it gets the text, and the tools that the skill names are loaded. Skills need the profile `sift`.
 */
export interface SkillDefinition extends Omit<ToolAttributes, "deferral" | "defer_loading"> {
  readonly kind: "skill";
  readonly name: string;
  /** The skill's purpose, and when to use it. */
  readonly description?: string | null | undefined;
  /** The instructions; at most 256 KB. Not needed if `read` is set: `read` is then called without a path. */
  readonly text?: string | null | undefined;
  /** The names of the tools that the skill uses, as its author wrote them; at most 64. */
  readonly tools?: readonly string[] | null | undefined;
  /** Reads the skill's files. The function is not stored in prebuilt indexes and snapshots. */
  readonly read?: SkillReader | undefined;
}

/** Keys of MCP and the vendors that toolsift does not use. */
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

/** A definition with `name` at the top level: MCP, OpenAI Responses, Anthropic, a function of Google's, or toolsift's. */
export interface NamedTool extends ToolAttributes, LeftToTheHost {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** MCP's key. */
  readonly inputSchema?: ToolSchema | null | undefined;
  /** Anthropic's key. */
  readonly input_schema?: ToolSchema | null | undefined;
  /** OpenAI's key, and toolsift's. */
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
  /** Keys of other formats, in which `name` is required. */
  readonly inputSchema?: never;
  readonly input_schema?: never;
}

/** Google's list of functions. The key is optional in the types of Google's SDK. */
export interface GoogleDeclarations {
  readonly functionDeclarations?: readonly GoogleDeclaration[] | undefined;
}

/** A tool that the vendor runs. The SDKs have such tools in the same lists as others; they are reported as rejected. */
export interface HostedTool {
  readonly type: string;
}

/** One definition that is registered alone, not in a list. */
export type SingleTool = NamedTool | ChatTool | SkillDefinition | Required<GoogleDeclarations>;

/**
 * A tool definition in any of the shapes that `register` reads: MCP (`inputSchema`), OpenAI Chat Completions (`{ type:
 * "function", function }`), OpenAI Responses (`{ type: "function", name, parameters }`), Anthropic (`input_schema`), Google
 * (`{ functionDeclarations: [...] }` or one declaration), or toolsift's own (`parameters`). `title`, `category`,
 * `searchHint`, `searchKeywords`, `searchQueries`, `tags` and `deferral` are read if they are present, and from `_meta` the
 * key `toolsift/search` with `{ queries, keywords }`.
 */
export type ToolDefinition = SingleTool | GoogleDeclarations | GoogleDeclaration | HostedTool;

/** A list of tool definitions, or a result of MCP's `tools/list`. */
export type ToolList = readonly ToolDefinition[] | { readonly tools: readonly ToolDefinition[] };
