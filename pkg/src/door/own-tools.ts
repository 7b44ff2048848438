/** The host's own tools for SDKs that have no form of their own for a tool that runs: registered, checked and run. */

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

/** What a tool is given, by its schema: what the library makes of the arguments, or the JSON that the model wrote. */
export type InputOf<S> = S extends Standard<infer Output> ? Output : JsonObject;

/** A tool of the host's own. */
export interface OwnTool<S = object> {
  description: string;
  title?: string | undefined;
  /** JSON Schema of the parameters, or a schema of Zod, Valibot, ArkType or any Standard Schema that offers JSON Schema. */
  inputSchema: S;
  /**
   * Runs the tool. It may answer with a text, with what MCP's `tools/call` answers, or with any JSON value; what it throws is
   * handed to the model as an error. Arguments that do not fit a library's schema are refused before.
   */
  execute: (input: InputOf<S>, dispatch: Dispatch) => unknown;
  /** Whether it may be deferred. Default `"automatic"`. */
  deferral?: Deferral | undefined;
  category?: string | undefined;
}

/** Own tools by the names that the model sees, each with the input of its schema. */
export type ToolsBySchema<S> = { [Name in keyof S]: OwnTool<S[Name]> };

/** A skill of the host's own. */
export type OwnSkill = Omit<SkillDefinition, "kind"> & { readonly kind?: "skill" };

interface Checked {
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] | undefined;
  readonly value?: unknown;
}

/** The host's own tools of one door. */
export class OwnTools {
  readonly #tools: ReadonlyMap<string, OwnTool>;

  /**
   * Registers them in a catalog.
   *
   * @throws ToolSiftError `option_invalid`, `option_unknown`, `schema_invalid`, and what is wrong with the first tool that the
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

  /** Runs one of these tools. @throws what it throws, and an Error for arguments that do not fit its schema */
  async execute(dispatch: Dispatch): Promise<unknown> {
    const tool = this.#tools.get(dispatch.name)!;
    const schema = (tool.inputSchema as Partial<Standard>)["~standard"];
    if (schema === undefined) return tool.execute(dispatch.arguments as never, dispatch);
    const { issues, value } = (await schema.validate(dispatch.arguments)) as Checked;
    if (issues === undefined) return tool.execute(value as never, dispatch);
    throw new Error(`the arguments do not fit the schema: ${issues.slice(0, 5).map(wordsOf).join("; ")}`);
  }
}

/** Registers the skills of an option, and those of its folders. @throws ToolSiftError `option_invalid`, and what is wrong with the first one */
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

/** Registers all of a list, or nothing. */
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
