/** Registers the LangChain tools of the options that are not in the catalog, and finds LangChain tools by name. */

import type { ClientTool, ServerTool, StructuredToolParams } from "@langchain/core/tools";
import { convertToOpenAIFunction, isLangChainTool } from "@langchain/core/utils/function_calling";
import { kind } from "../../base/values.js";
import { listOf } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { McpTool, Session, ToolSift } from "../../index.js";
import { toolsByName, registerMissing } from "../lib/register.js";
import { isSame, twoTools } from "../lib/same.js";

/** The tools that a model is bound to for the next request. */
export type BoundTool = ClientTool | StructuredToolParams;

/** A tool's definition in MCP's format. LangChain's tools may have no description. */
type Definition = Pick<McpTool, "name"> & { description?: string; inputSchema: Record<string, unknown> };

/** The LangChain tools of a `ToolSift`'s catalog. */
export class Catalog {
  readonly #sift: ToolSift;
  readonly #tools = new Map<string, ClientTool>();
  /** The registered definition of each tool as JSON text. A tool that is sent unchanged is converted by LangChain itself. */
  readonly #written = new Map<string, string>();

  /** @throws ToolSiftError `option_invalid`, and the errors of a broken tool; then no tool is registered */
  constructor(sift: ToolSift, tools: readonly BoundTool[]) {
    this.#sift = sift;
    const given = definitions(tools);
    registerMissing(sift, [...given.values()], () => "options.tools");
    for (const [tool, definition] of given) {
      if (!runs(tool)) continue;
      this.#tools.set(definition.name, tool);
      this.#written.set(definition.name, written(definition));
    }
  }

  /** Checks if the session decides the calls of this name: the catalog has the tool, or had it before it was removed. */
  owns(name: unknown): boolean {
    return typeof name === "string" && (toolsByName(this.#sift).has(name) || this.#tools.has(name));
  }

  tool(name: string): ClientTool | undefined {
    return this.#tools.get(name);
  }

  get tools(): ClientTool[] {
    return [...this.#tools.values()];
  }

  /** Returns the agent's tools that are not in the catalog. They are always sent, unchanged. */
  others<T extends ClientTool | ServerTool>(tools: readonly T[]): T[] {
    return tools.filter((tool) => !this.owns((tool as { name?: unknown }).name));
  }

  /**
   * Refuses an agent's tool that has the name of a different tool of the catalog. Otherwise the model would get the
   * definition of one tool, and its calls would run the other.
   *
   * @throws ToolSiftError `option_conflict`
   */
  refuseOthers(tools: readonly (ClientTool | ServerTool)[], session: Session): void {
    const named = tools.map((tool) => [(tool as { name?: unknown }).name as string, tool] as const);
    const names = toolsByName(this.#sift);
    const doubtful = named.filter(([name]) => names.has(name) && !this.#tools.has(name));
    const infos = session.named(doubtful.map(([name]) => name));
    for (const [name, tool] of doubtful) {
      const info = infos.get(name);
      if (info === undefined) continue;
      // A tool that a provider runs itself is not in the catalog.
      const isKnown = isLangChainTool(tool) && isSame(convertToOpenAIFunction(tool), info, session.definition(info));
      if (!isKnown) throw twoTools(`the agent's tool ${name}`, info);
    }
  }

  /** Converts an assembled definition for the model: to the LangChain tool itself if it is sent in full. */
  bound(definition: McpTool): BoundTool {
    const tool = this.#tools.get(definition.name);
    const whole = this.#written.get(definition.name) === written(definition);
    if (tool !== undefined && whole && !providerDefers(tool)) return tool;
    const { name, description, inputSchema } = definition;
    return { name, description, schema: typed(inputSchema) } as StructuredToolParams;
  }
}

function definitions(tools: readonly BoundTool[]): Map<BoundTool, Definition> {
  const list = listOf("options.tools", tools);
  return new Map(list.map((tool, at) => [tool, defined(tool, at)]));
}

function defined(tool: BoundTool, at: number): Definition & { defer_loading?: boolean } {
  if (typeof tool !== "object" || tool === null || !isLangChainTool(tool)) {
    const advice = "a tool of LangChain's; what a provider runs itself belongs into the agent's own tools";
    throw new ToolSiftError("option_invalid", `options.tools.${at} must be ${advice}, got ${kind(tool)}`);
  }
  const { name, description, parameters } = convertToOpenAIFunction(tool);
  const inputSchema: Record<string, unknown> = { ...parameters };
  delete inputSchema["$schema"];
  const definition = description === undefined ? { name, inputSchema } : { name, description, inputSchema };
  return providerDefers(tool) ? { ...definition, defer_loading: true } : definition;
}

/** Checks for the mark of a provider's own tool search. If it were sent, it would defer a loaded tool again. */
function providerDefers(tool: BoundTool): boolean {
  return (tool as { extras?: Record<string, unknown> }).extras?.["defer_loading"] === true;
}

function runs(tool: BoundTool): tool is ClientTool {
  return typeof (tool as { invoke?: unknown }).invoke === "function";
}

function written({ description, inputSchema }: Definition): string {
  return JSON.stringify([description ?? "", inputSchema]);
}

/** LangChain accepts only schemas that have a type. */
function typed(schema: McpTool["inputSchema"]): McpTool["inputSchema"] {
  return typeof schema["type"] === "string" ? schema : { ...schema, type: "object" };
}
