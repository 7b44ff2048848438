/** Runs one model call of your program as several rounds: builds their requests, and answers calls of discovery tools. */

import { ToolSiftError } from "../../base/errors.js";
import type { Session, Answer, ToolSift, ToolSiftOptions } from "../../index.js";
import { Hop, type HopSettings, RecentCatalogs } from "../../hop/hop.js";
import { type Handed, revealSome } from "../../loop/rounds.js";
import { fitted, type ToolLimit } from "../../wire/limits.js";
import { withPrompt } from "../../wire/prompt.js";
import { parameterNames, withOwnNames } from "../../loop/own-names.js";
import { parsed } from "../../base/values.js";
import type { Call, CallOptions, Content, FunctionTool, Message, Tool } from "./types.js";
import { objectOf } from "../../wire/arguments.js";

/** The outcome of a round. */
export interface Settled {
  /** The calls that your program must run, in their order. */
  handed: Call[];
  /** True if the reply goes to your program; false if another round follows. */
  isFinal: boolean;
  /** True if the model still searched when no further round was allowed. */
  isCut: boolean;
}

interface ExchangeSettings extends HopSettings {
  limit: ToolLimit | undefined;
  release: () => void;
}

interface Sent {
  tools: Tool[];
  discovery: ReadonlySet<string>;
  names: ReadonlySet<string>;
  systemPrompt: string;
}

/** One model call of your program. Its session is closed when the call ends. */
export class Exchange {
  readonly #catalog: Catalog;
  readonly #params: CallOptions;
  readonly #limit: ToolLimit | undefined;
  readonly #release: () => void;
  readonly #hop: Hop;
  readonly #session: Session;
  readonly #added: Message[] = [];
  #sent: Sent | undefined;

  constructor(catalog: Catalog, params: CallOptions, { limit, release, ...settings }: ExchangeSettings) {
    this.#catalog = catalog;
    this.#params = params;
    this.#limit = limit;
    this.#release = release;
    const { toolChoice, prompt } = params;
    const demanded = toolChoice?.type === "tool" ? [toolChoice.toolName] : [];
    const recall = (session: Session) => revealSome(session, [...revealedIn(prompt), ...demanded]);
    try {
      this.#hop = new Hop(catalog.sift, "model", settings, { prompt }, recall);
    } catch (error) {
      release();
      throw error;
    }
    this.#session = this.#hop.session;
  }

  /**
   * Returns the parameters of the next round. The last round has no discovery tools.
   *
   * @throws ToolSiftError `name_reserved`, `limit_out_of_range`
   */
  request(): CallOptions {
    const isLast = this.#hop.begin();
    const sent = this.#assembled();
    this.#sent = sent;
    const tools = isLast ? sent.tools.filter(({ name }) => !sent.discovery.has(name)) : sent.tools;
    const prompt = [...withPrompt(this.#params.prompt, isLast ? "" : sent.systemPrompt), ...this.#added];
    const { tools: _, toolChoice, ...others } = this.#params;
    if (tools.length === 0) return { ...others, prompt };
    return { ...others, prompt, tools, ...(toolChoice === undefined ? {} : { toolChoice }) };
  }

  isReal(name: string): boolean {
    return this.#sent?.names.has(name) === true && !this.#sent.discovery.has(name);
  }

  async settle(content: readonly Content[]): Promise<Settled> {
    const isCall = (part: Content): part is Call => part.type === "tool-call" && part.providerExecuted !== true;
    const parts = content.filter(isCall);
    const calls = parts.map(({ toolCallId: id, toolName: name, input: args }) => ({ id, name, args }));
    const isReal = ({ name }: { name: string }) => this.isReal(name);
    const { handed, answers, isFinal } = await this.#hop.settle(calls, isReal, this.#params.abortSignal);
    if (!isFinal) this.#added.push(asMessage(content), results(answers));
    const isCut = isFinal && answers.length > 0 && handed.length === 0;
    return { handed: handed.map((one) => this.#passedOn(parts[one.at]!, one)), isFinal, isCut };
  }

  /** Converts a call for your program: to your program's names of tools and parameters. */
  #passedOn(call: Call, { unwrapped }: Handed): Call {
    if (unwrapped !== undefined && unwrapped.name !== call.toolName) {
      return { ...call, toolName: unwrapped.name, input: JSON.stringify(unwrapped.args) };
    }
    const names = parameterNames(this.#session, call.toolName);
    if (names === undefined) return call;
    return { ...call, input: JSON.stringify(withOwnNames(parsed(call.input), names)) };
  }

  marked<P extends { providerMetadata?: unknown }>(part: P): P {
    const { revealed } = this.#session;
    if (revealed.length === 0) return part;
    return { ...part, providerMetadata: { ...(part.providerMetadata as object | undefined), [KEY]: { revealed } } };
  }

  close(): void {
    this.#session.close();
    this.#release();
  }

  #assembled(): Sent {
    const { refused } = this.#catalog;
    const given = this.#params.tools ?? [];
    const functions = new Map(given.flatMap((tool) => (tool.type === "function" ? [[tool.name, tool] as const] : [])));
    const { tools: definitions, systemPrompt } = this.#session.assemble({ format: "mcp" });
    const discovery: FunctionTool[] = [];
    const deferred: FunctionTool[] = [];
    for (const definition of definitions as unknown as FunctionTool[]) {
      const { name, description, inputSchema } = definition;
      const known = refused.has(name) ? undefined : functions.get(name);
      if (known === undefined) discovery.push({ type: "function", name, description: description ?? "", inputSchema });
      else deferred.push(asSent(known, definition));
    }
    const always = given.filter(({ type, name }) => type !== "function" || refused.has(name));
    const found = new Set(discovery.map(({ name }) => name));
    const clash = always.find(({ name }) => found.has(name));
    if (clash !== undefined) {
      throw new ToolSiftError("name_reserved", `the tool ${clash.name} has the name of a discovery tool; rename it`);
    }
    const fit = fitted(deferred, found.size + always.length, this.#session, this.#limit, ({ name }) => name);
    const all = [...discovery, ...always, ...fit];
    return { tools: all, discovery: found, names: new Set(all.map(({ name }) => name)), systemPrompt };
  }
}

/** Returns a tool as the session sends it. A stub loses `strict`, because vendors refuse its schema as a strict schema. */
function asSent(tool: FunctionTool, { description, inputSchema }: FunctionTool): FunctionTool {
  const isWhole = JSON.stringify(inputSchema) === JSON.stringify(tool.inputSchema);
  if (isWhole && (tool.description ?? "") === description) return tool;
  const { strict, inputExamples: _, ...others } = tool;
  return { ...others, description: description ?? "", inputSchema, ...(isWhole && strict !== undefined ? { strict } : {}) };
}

const KEY = "toolsift";

/** Returns the names of loaded tools in the order of loading, from the last mark and the calls after it. */
function revealedIn(prompt: readonly Message[]): string[] {
  let names = new Set<string>();
  for (const message of prompt) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type === "tool-call" && part.providerExecuted !== true) names.add(part.toolName);
      const mark = part.providerOptions?.[KEY]?.["revealed"];
      if (Array.isArray(mark)) names = new Set(mark.filter((name) => typeof name === "string"));
    }
  }
  return [...names];
}

type AssistantPart = Extract<Message, { role: "assistant" }>["content"][number];
type ToolPart = Extract<Message, { role: "tool" }>["content"][number];

function asMessage(content: readonly Content[]): Message {
  return { role: "assistant", content: content.flatMap(asPart) };
}

function results(answers: readonly Answer[]): Message {
  const content = answers.map(({ call, content: value, isError }): ToolPart => {
    const output = { type: isError ? ("error-text" as const) : ("text" as const), value };
    return { type: "tool-result", toolCallId: call.id!, toolName: call.name, output };
  });
  return { role: "tool", content };
}

function asPart(part: Content): AssistantPart[] {
  const { providerMetadata: providerOptions } = part as { providerMetadata?: any };
  const more = providerOptions === undefined ? {} : { providerOptions };
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text, ...more }];
  if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...more }];
  if (part.type === "tool-call") {
    const { toolCallId, toolName, providerExecuted } = part;
    // Vendors accept only objects as arguments. The answer says what was wrong with invalid text.
    const executed = providerExecuted === undefined ? {} : { providerExecuted };
    return [{ type: "tool-call", toolCallId, toolName, input: objectOf(part.input), ...executed, ...more }];
  }
  if (part.type === "tool-result") {
    const { toolCallId, toolName, result } = part;
    return [{ type: "tool-result", toolCallId, toolName, output: { type: "json", value: result }, ...more }];
  }
  return [];
}

/** The maximum number of tool sets whose catalogs are kept. */
const MAX_CATALOGS = 8;

/** The catalog of one set of tools. */
export interface Catalog {
  /** The tools as JSON text: the key of the set. */
  text: string;
  sift: ToolSift;
  /** The names of the tools that the catalog refuses. They are sent unchanged. */
  refused: ReadonlySet<string>;
}

/** Makes catalogs and keeps the most recently used ones. */
export class Catalogs {
  readonly #options: ToolSiftOptions;
  readonly #kept = new RecentCatalogs<Catalog>(MAX_CATALOGS);

  constructor(options: ToolSiftOptions) {
    this.#options = options;
  }

  /**
   * Returns the catalog of a set of tools. The caller releases it after use.
   *
   * @throws ToolSiftError as the constructor of `ToolSift`
   */
  async use(tools: readonly FunctionTool[]): Promise<{ catalog: Catalog; release: () => void }> {
    const { ToolSift } = await import("toolsift:self");
    const parts = ({ name, description, inputSchema }: FunctionTool) => [name, description, inputSchema];
    const text = JSON.stringify(tools.map(parts));
    const catalog = this.#kept.find((one) => one.text === text) ?? makeCatalog(text, new ToolSift(this.#options), tools);
    return { catalog, release: this.#kept.use(catalog) };
  }
}

function makeCatalog(text: string, sift: ToolSift, tools: readonly FunctionTool[]): Catalog {
  const definitions = tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }));
  const { rejected } = sift.register(definitions as Parameters<ToolSift["register"]>[0]);
  return { text, sift, refused: new Set(rejected.map(({ name }) => name)) };
}
