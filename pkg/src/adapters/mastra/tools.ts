/**
 * Converts tools from Mastra to the catalog by their schemas, and from the catalog to Mastra with the function that runs
 * them.
 */

import { type StandardSchemaWithJSON, standardSchemaToJSONSchema } from "@mastra/core/schema";
import { createTool } from "@mastra/core/tools";
import { reasonOf } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { NamedTool, ToolSift } from "../../index.js";
import type { Driver } from "../../loop/driver.js";
import { isMcpResult, saysError, textOf } from "../../wire/answer-text.js";
import { registerMissing } from "../lib/register.js";
import { type ParameterNames, withOwnNames } from "../../loop/own-names.js";
import type { MastraTool, MastraTools } from "./options.js";

/** The form of one tool in a step. */
export interface Definition {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

/** Runs a call: what Mastra gives the tool comes along, in the shape that it has for the tool. */
export type Work = (id: string, input: unknown, given: unknown) => Promise<unknown>;

/** Begins the ids of the tools that the processor itself makes. */
const OURS = "toolsift/";

/** Whether the processor has made it, whatever Mastra has wrapped around it since. */
export function isOurs(tool: unknown): boolean {
  const { id } = Object(tool) as { id?: unknown };
  return typeof id === "string" && id.startsWith(OURS);
}

/**
 * Registers Mastra's tools under their keys, except those whose name the catalog has. Registers all of them, or none.
 *
 * @throws ToolSiftError what `sift.register` reports for a definition; `tool_shape_unknown` for what is no tool of Mastra's,
 * `schema_invalid` for a schema that cannot be written as JSON. Nothing is registered then.
 */
export function registerAll(sift: ToolSift, tools: MastraTools): void {
  const definitions = Object.entries(tools).map(([name, tool]) => definitionOf(name, tool));
  registerMissing(sift, definitions, (name) => `options.tools.${name}`);
}

function definitionOf(name: string, tool: MastraTool): NamedTool {
  const { description, title, execute, inputSchema, type } = Object(tool) as MastraTool & { type?: unknown };
  const isEmpty = typeof execute !== "function" && inputSchema === undefined;
  if (typeof description !== "string" || isEmpty || type !== undefined) {
    throw new ToolSiftError("tool_shape_unknown", `options.tools.${name} is no tool of Mastra's; createTool makes one`);
  }
  const definition = { name, description, inputSchema: schemaOf(`options.tools.${name}`, inputSchema) };
  return title === undefined ? definition : { ...definition, title };
}

/** The parameters of a tool as JSON Schema; `place` is where the host passed it. */
export function schemaOf(place: string, schema: MastraTool["inputSchema"]): Record<string, unknown> {
  if (schema === undefined) return { type: "object", properties: {} };
  try {
    const { $schema: _, ...json } = standardSchemaToJSONSchema(schema, { io: "input" });
    return json;
  } catch (cause) {
    const message = `the schema of ${place} is no JSON Schema: ${reasonOf(cause)}`;
    throw new ToolSiftError("schema_invalid", message, { cause });
  }
}

/** A tool of the processor's own: a discovery tool, or one that the host's `execute` runs. */
export function makeTool(
  { name, description, inputSchema }: Definition,
  work: Work,
  read: Reader,
  requireApproval = false,
): MastraTool {
  return createTool({
    id: `${OURS}${name}`,
    description,
    inputSchema: sentAs(inputSchema),
    requireApproval,
    toModelOutput: read,
    execute: (input, context) => work(callIdOf(context), input, context),
  });
}

/** A tool that is run and never sent. Mastra takes it as it is, and need not build what may be thousands of tools. */
export function bare(name: string, work: Work, read: Reader): MastraTool {
  const execute = (input: unknown, given: unknown) => work(callIdOf(given), input, given);
  return { id: `${OURS}${name}`, description: "", inputSchema: sentAs({}), toModelOutput: read, execute } as MastraTool;
}

/** The text of a result for the model; undefined if Mastra's own conversion gives the same. */
export type Reader = (result: unknown) => unknown;

/**
 * The model reads the text of what an MCP server answers, no base64, and of each result at most so many characters; the
 * result itself stays what it is.
 */
export function readerOf(driver: Driver): Reader {
  return (result) => {
    const text = textOf(result);
    const value = driver.bounded(text);
    if (isMcpResult(result)) return { type: saysError(result) ? "error-text" : "text", value };
    const isWhole = value === text && (text === "" || text === result || text === jsonOf(result));
    return isWhole ? undefined : { type: "text", value };
  };
}

function jsonOf(result: unknown): string | undefined {
  try {
    return JSON.stringify(result);
  } catch {
    return undefined;
  }
}

/**
 * A tool of the host's, as it is in everything but these: its calls pass through `work`, and it is sent as the session says,
 * which may be as a stub. A tool that does not say what the model reads of its results gets our way. Whether Mastra has
 * built the tool already makes no difference.
 */
export function passing(tool: MastraTool, work: Work, read: Reader, sent?: Definition, names?: ParameterNames): MastraTool {
  const { execute, inputSchema } = tool;
  const changes: Record<string, unknown> = sent === undefined ? {} : { description: sent.description };
  if (tool.toModelOutput === undefined) changes["toModelOutput"] = read;
  if (sent !== undefined && inputSchema !== undefined) changes["inputSchema"] = sentAs(sent.inputSchema, inputSchema, names);
  if (execute !== undefined) changes["execute"] = (input: unknown, given: unknown) => work(callIdOf(given), input, given);
  const descriptors = Object.getOwnPropertyDescriptors(tool);
  for (const [key, value] of Object.entries(changes)) {
    Object.assign(descriptors, { [key]: { value, writable: true, enumerable: true, configurable: true } });
  }
  return Object.create(Object.getPrototypeOf(tool) as object, descriptors) as MastraTool;
}

/** Whether a tool may wait for somebody's approval before it runs. */
export function requiresApproval({ requireApproval, needsApprovalFn }: MastraTool): boolean {
  return Boolean(requireApproval) || needsApprovalFn !== undefined;
}

/** Whether its calls may be held back: for approval, or because it suspends itself. */
export function mayHold(tool: MastraTool): boolean {
  return requiresApproval(tool) || tool.suspendSchema !== undefined || tool.resumeSchema !== undefined;
}

/** Tools get the call's id in their context, those that Mastra has built already among their options. */
function callIdOf(given: unknown): string {
  const { agent, toolCallId } = Object(given) as { agent?: { toolCallId?: unknown }; toolCallId?: unknown };
  return String(agent?.toolCallId ?? toolCallId ?? "");
}

/** A schema that is sent as it stands. It takes whatever the model writes, unless another one is there to check it. */
function sentAs(schema: Record<string, unknown>, checked?: unknown, names?: ParameterNames): StandardSchemaWithJSON {
  const checks = (checked as Partial<StandardSchemaWithJSON> | undefined)?.["~standard"];
  return {
    "~standard": {
      version: 1,
      vendor: "toolsift",
      validate: (given) => {
        const value = withOwnNames(given, names);
        return checks === undefined ? { value } : checks.validate(value);
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
