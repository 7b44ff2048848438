/** Registers, checks and runs your own tools, for SDKs that have no format for a tool with a function to run it. */

import { callable } from "../base/checks.js";
import { ToolSiftError } from "../base/errors.js";
import { toJsonSchema } from "../core/json-schema.js";
import type { Dispatch } from "../loop/types.js";
import { ownFields } from "../base/plain-data.js";
import type { Session } from "../core/session.js";
import { anything, type Shape, shaped } from "../base/shape.js";
import type { ToolSift } from "../core/sift.js";
import type { Deferral, JsonObject, SkillDefinition, ToolDefinition } from "../types/index.js";
import { isList, kind } from "../base/values.js";

/** A schema of Zod, Valibot, ArkType or any other library of Standard Schema. */
export interface Standard<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown, options?: any) => unknown;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** The input of a tool by its schema: the output of the library's validation, or the JSON object that the model wrote. */
export type InputOf<S> = S extends Standard<infer Output> ? Output : JsonObject;

/** A tool of your program. */
export interface OwnTool<S = object> {
  description: string;
  title?: string | undefined;
  /** JSON Schema of the parameters, or a schema of Zod, Valibot, ArkType or another library that converts to JSON Schema. */
  inputSchema: S;
  /**
   * Runs the tool. It may return a text, a result of MCP's `tools/call`, or any JSON value. If it throws, the model gets the
   * error. Arguments that do not fit a library's schema are refused before.
   */
  execute: (input: InputOf<S>, dispatch: Dispatch) => unknown;
  /** The rule for deferring the tool. Default `"automatic"`. */
  deferral?: Deferral | undefined;
  category?: string | undefined;
}

/** Your own tools by the names that the model sees, each with the input type of its schema. */
export type ToolsBySchema<S> = { [Name in keyof S]: OwnTool<S[Name]> };

/** A skill of your program. */
export type OwnSkill = Omit<SkillDefinition, "kind"> & { readonly kind?: "skill" };

interface Checked {
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] | undefined;
  readonly value?: unknown;
}

/** Your own tools of one `toolsift()` call. */
export class OwnTools {
  readonly #tools: ReadonlyMap<string, OwnTool>;

  /**
   * Registers the tools in a catalog.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `schema_invalid`, and the error of the first tool that the
   * catalog refuses; nothing is registered then
   */
  constructor(sift: ToolSift | Session, tools: unknown = {}) {
    const given = Object.entries(ownFields("options.tools", tools));
    const definitions = given.map(([name, tool]) => definitionOf(name, tool));
    this.#tools = new Map(given as [string, OwnTool][]);
    registerAll(sift, definitions, "tools");
  }

  has({ server, name }: Pick<Dispatch, "server" | "name">): boolean {
    return server === null && this.#tools.has(name);
  }

  /** Runs one of these tools. @throws the tool's error, and an Error for arguments that do not fit its schema */
  async execute(dispatch: Dispatch): Promise<unknown> {
    const tool = this.#tools.get(dispatch.name)!;
    const schema = (tool.inputSchema as Partial<Standard>)["~standard"];
    if (schema === undefined) return tool.execute(dispatch.arguments as never, dispatch);
    const { issues, value } = (await schema.validate(dispatch.arguments)) as Checked;
    if (issues === undefined) return tool.execute(value as never, dispatch);
    throw new Error(`the arguments do not fit the schema: ${issues.slice(0, 5).map(wordsOf).join("; ")}`);
  }
}

/**
 * Registers all skills of a list and of its folders, or none of them.
 * @throws ToolSiftError `option_invalid`, and the first skill's error
 */
export async function registerSkills(sift: ToolSift | Session, skills: readonly (string | OwnSkill)[] = []): Promise<void> {
  if (!isList(skills)) throw new ToolSiftError("option_invalid", `options.skills must be a list, got ${kind(skills)}`);
  const lists = skills.map(async (skill) => {
    if (typeof skill !== "string") return [{ ...skill, kind: "skill" as const }];
    const { skillsIn } = await import("../skills/folders.js");
    const found = await skillsIn(skill);
    if (found.length > 0) return found;
    throw new ToolSiftError("option_invalid", `${skill} has no SKILL.md, and no folder in it has one`);
  });
  registerAll(sift, (await Promise.all(lists)).flat(), "skills");
}

/** Registers all tools of a list, or none. */
function registerAll(sift: ToolSift | Session, definitions: readonly ToolDefinition[], key: "tools" | "skills"): void {
  const { registered, rejected } = sift.register(definitions);
  const [broken] = rejected;
  if (broken === undefined) return;
  if (registered.length > 0) sift.unregister({ names: registered });
  throw new ToolSiftError(broken.code, `options.${key}.${broken.name.slice(0, 80)}: ${broken.message}`);
}

const TOOL: Shape<OwnTool> = {
  description: anything,
  title: anything,
  inputSchema: anything,
  execute: anything,
  deferral: anything,
  category: anything,
};

function definitionOf(name: string, tool: unknown) {
  const what = `tools.${name.slice(0, 80)}`;
  const { description, inputSchema, execute, ...others } = shaped(tool, TOOL, `options.${what}`);
  if (typeof description !== "string") {
    throw new ToolSiftError("option_invalid", `options.${what}.description is ${kind(description)}; it must be a text`);
  }
  callable(`${what}.execute`, execute);
  return { name, description, inputSchema: toJsonSchema(inputSchema, `options.${what}.inputSchema`), ...others };
}

function wordsOf({ message, path = [] }: NonNullable<Checked["issues"]>[number]): string {
  const keys = path.map((key) => String((Object(key) as { key?: unknown }).key ?? key));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}

/**
 * Refuses a tool of the settings that has the name of another tool of the catalog.
 *
 * @param given the tools of the settings, by name
 * @param known the tools that your program has already registered; the same tool again is no clash
 * @throws ToolSiftError `option_conflict`
 */
export function refuseClash(
  sift: Pick<ToolSift, "tools">,
  given: readonly (readonly [name: string, tool: unknown])[],
  known: readonly unknown[],
): void {
  const others = given.filter(([, tool]) => !known.includes(tool));
  if (others.length === 0) return;
  const servers = new Map(sift.tools().map(({ name, server }) => [name, server]));
  const [name] = others.find(([name]) => servers.has(name)) ?? [];
  if (name === undefined) return;
  const server = servers.get(name);
  const owner = server === null ? "one without a server" : `one of the server ${server}`;
  const way = "pass it to toolsift({ tools }) instead, which keeps its name, or rename it";
  const named = `settings.tools.${name.slice(0, 80)} has the name of another tool, ${owner}`;
  throw new ToolSiftError("option_conflict", `${named}; ${way}`);
}
