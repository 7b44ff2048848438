/** One request: the host's config, with the session's functions and prompt section after its own. */

import type {
  Content,
  FunctionDeclaration,
  GenerateContentConfig,
  GenerateContentParameters,
  Tool,
  ToolConfig,
} from "@google/genai";
import { kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { ModelRequest } from "../../index.js";
import { freed, nameOf, withoutCalling, withPrompt } from "../../wire/google.js";
import { fitted, LIMITS } from "../../wire/limits.js";
import { beside } from "../lib/own-tools.js";
import { conversationIn, wrong } from "../lib/params.js";

/** The parameters of the requests. `contents` is the conversation: replies and answers are appended to it. */
export type GoogleParams = Omit<GenerateContentParameters, "contents"> & { contents: Content[] };

/** The data of one request. */
export type GoogleRequest = Pick<ModelRequest<"google">, "tools" | "systemPrompt" | "session" | "step" | "signal">;

/**
 * The parameters of one request: the host's, with the session's functions behind those of the host, in one tool with
 * them (models refuse functions that stand in several), and the prompt section behind the host's system instruction.
 * Mode `ANY`, which demands a call, holds for the first request of a run: with it in all of them no run would end.
 *
 * The API takes 512 function declarations at most: where there are more, the session evicts the least recently used tools.
 *
 * @throws ToolSiftError `limit_out_of_range` where the functions that are always there are more; `option_conflict` for a
 * `cachedContent`, for calls whose arguments are streamed, for `allowedFunctionNames` of which none is declared, and for
 * a function of the host's that is called as a discovery tool is; `option_invalid` for a tool that the SDK would call by
 * itself, and for invalid contents
 */
export function googleRequest(params: GoogleParams, request: GoogleRequest): GoogleParams {
  checkContents(params);
  const { systemInstruction, toolConfig, abortSignal, ...others } = params.config ?? {};
  const own = ownFunctions(params, request);
  const ofSession = fitted(sessionFunctions(request), own.length, request.session, LIMITS.google, nameOf);
  const tools = withFunctions(ownTools(params), [...own, ...ofSession]);
  const functions = functionsOf(tools);
  const names = checkConfig(others, toolConfig, functions, request);
  const { systemPrompt } = request;
  const instruction = systemPrompt === "" ? systemInstruction : withPrompt(systemInstruction, systemPrompt);
  const signal = either(abortSignal, request.signal);
  const config: GenerateContentConfig = { ...others };
  if (tools.length > 0) config.tools = tools;
  if (instruction !== undefined) config.systemInstruction = instruction;
  if (toolConfig) {
    const sent = functions.length === 0 ? withoutCalling(toolConfig) : withNames(toolConfig, names, request.step);
    if (sent !== undefined) config.toolConfig = sent;
  }
  if (signal !== undefined) config.abortSignal = signal;
  return { ...params, contents: [...params.contents], config };
}

/**
 * The functions in the host's tools that the catalog does not have.
 *
 * @throws ToolSiftError `option_conflict` for one that is called as a discovery tool is
 */
export function ownFunctions(params: GoogleParams, request: GoogleRequest): FunctionDeclaration[] {
  const { session } = request;
  return beside(functionsOf(ownTools(params)), { session, tools: sessionFunctions(request) }, nameOf);
}

/** Refuses a conversation that could not grow. */
export function checkContents(params: GoogleParams | null | undefined): asserts params is GoogleParams {
  conversationIn(params, "contents", '[{ role: "user", parts: [{ text: "…" }] }]');
  const at = (params as GoogleParams).contents.findIndex(({ parts }) => !Array.isArray(parts));
  if (at !== -1) throw wrong(`params.contents[${at}] must be a content, { role, parts: […] }; it has no list of parts`);
}

/** The host's tools. One that the SDK would call by itself cannot stand beside function declarations. */
function ownTools({ config }: GoogleParams): Tool[] {
  const tools = config?.tools ?? [];
  const at = tools.findIndex((tool) => "callTool" in tool);
  if (at === -1) return tools as Tool[];
  const why = "is a callable tool, which the SDK would run by itself";
  const way = "register its tools in the catalog (toolsift/mcp does so for MCP clients), and run them in execute";
  throw wrong(`params.config.tools[${at}] ${why}; ${way}`);
}

function sessionFunctions({ tools }: GoogleRequest): FunctionDeclaration[] {
  return functionsOf(tools);
}

function functionsOf(tools: readonly Tool[]): FunctionDeclaration[] {
  return tools.flatMap((tool) => tool.functionDeclarations ?? []);
}

/** The host's tools, and all functions in one behind them: models refuse functions that stand in several. */
function withFunctions(tools: readonly Tool[], functions: readonly FunctionDeclaration[]): Tool[] {
  const others = tools.map(({ functionDeclarations: _, ...rest }) => rest).filter((rest) => Object.keys(rest).length > 0);
  return functions.length === 0 ? others : [...others, { functionDeclarations: [...functions] }];
}

/** The names that the model is limited to and that are declared, if it is limited at all. */
function checkConfig(
  { cachedContent }: GenerateContentConfig,
  toolConfig: ToolConfig | null | undefined,
  functions: readonly FunctionDeclaration[],
  { session }: GoogleRequest,
): string[] | undefined {
  const { allowedFunctionNames: allowed, streamFunctionCallArguments } = toolConfig?.functionCallingConfig ?? {};
  if (cachedContent) {
    const why = "the API takes no tools and no system instruction beside one";
    throw new ToolSiftError("option_conflict", `params.config.cachedContent is ${kind(cachedContent)}; ${why}`);
  }
  if (streamFunctionCallArguments === true) {
    const why = "calls are read whole; leave it out";
    throw new ToolSiftError("option_conflict", `functionCallingConfig.streamFunctionCallArguments is true; ${why}`);
  }
  if (allowed === undefined || allowed.length === 0) return undefined;
  const declared = new Set(functions.map(({ name }) => name));
  // Hosts may write the name that other formats have.
  const known = session.named(allowed.filter((name) => !declared.has(name)));
  const asDeclared = allowed.map((name) => (declared.has(name) ? name : (known.get(name)?.googleName ?? name)));
  const names = asDeclared.filter((name) => declared.has(name));
  if (names.length > 0) return names;
  const listed = allowed.slice(0, 5).join(", ");
  const message = `of allowedFunctionNames (${listed}) none is declared in this request; name the discovery tools too`;
  throw new ToolSiftError("option_conflict", message);
}

/** A name that is not declared yet is left out until it is. */
function withNames(toolConfig: ToolConfig, names: string[] | undefined, step: number): ToolConfig {
  const { functionCallingConfig: calling } = toolConfig;
  if (calling === undefined) return toolConfig;
  const named = names === undefined ? calling : { ...calling, allowedFunctionNames: names };
  return { ...toolConfig, functionCallingConfig: step > 1 ? freed(named) : named };
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
}
