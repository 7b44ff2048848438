/** What is one request made of? The host's config with the session's functions and prompt section behind its own. */

import type {
  Content,
  ContentUnion,
  FunctionDeclaration,
  GenerateContentConfig,
  GenerateContentParameters,
  Part,
  Tool,
  ToolConfig,
} from "@google/genai";
import { kind } from "../../boundary.js";
import { ToolSiftError } from "../../errors.js";
import { declaredName, ownName } from "../../history/google-names.js";
import type { ModelRequest } from "../../index.js";
import { beside } from "../lib/own.js";
import { joined } from "../lib/prompt.js";

/** What the model is asked with. `contents` is the conversation: it grows by what the model and the tools say. */
export type GoogleParams = Omit<GenerateContentParameters, "contents"> & { contents: Content[] };

/** The API takes no more function declarations. */
const MOST_FUNCTIONS = 512;

/**
 * The parameters of one request: the host's, with the session's functions behind those of the host, in one tool with
 * them (models refuse functions that stand in several), and the prompt section behind the host's system instruction.
 *
 * @throws ToolSiftError `limit_out_of_range` for more than 512 function declarations; `option_conflict` for a
 * `cachedContent`, for calls whose arguments are streamed, for `allowedFunctionNames` of which none is declared, and
 * for a function of your own that is called as a discovery tool is; `option_invalid` for a tool that the SDK would call
 * by itself
 */
export function googleRequest(
  params: GoogleParams,
  request: Pick<ModelRequest, "tools" | "systemPrompt" | "session" | "signal">,
): GoogleParams {
  const { systemInstruction, toolConfig, abortSignal, ...others } = params.config ?? {};
  const functions = functionsOf(request.tools as Tool[]).map((one) => ({ ...one, name: declaredName(one.name ?? "") }));
  const tools = withFunctions(ownTools(others, ownFunctions(params, request)), functions);
  const names = checkConfig(others, toolConfig, functionsOf(tools));
  const said = withPrompt(systemInstruction, request.systemPrompt);
  const signal = either(abortSignal, request.signal);
  const config: GenerateContentConfig = { ...others };
  if (tools.length > 0) config.tools = tools;
  if (said !== undefined) config.systemInstruction = said;
  if (toolConfig !== undefined) config.toolConfig = withNames(toolConfig, names);
  if (signal !== undefined) config.abortSignal = signal;
  return { ...params, contents: [...params.contents], config };
}

/** Refuses a conversation that could not grow. */
export function checkContents(params: GoogleParams | null | undefined): void {
  const contents = params?.contents;
  if (!Array.isArray(contents)) {
    const list = '[{ role: "user", parts: [{ text: "…" }] }]';
    const message = `params.contents must be a list that can grow, as in ${list}; got ${kind(contents)}`;
    throw new ToolSiftError("option_invalid", message);
  }
  const at = contents.findIndex((content: Content | null | undefined) => !Array.isArray(content?.parts));
  if (at === -1) return;
  const message = `params.contents.${at} must be a content, { role, parts: […] }; got ${kind(contents[at])}`;
  throw new ToolSiftError("option_invalid", message);
}

/** The functions of the host's own that are declared beside the session's. */
export function ownFunctions(
  { config }: GoogleParams,
  { tools, session }: Pick<ModelRequest, "tools" | "session">,
): FunctionDeclaration[] {
  const request = { tools: functionsOf(tools as Tool[]) as ModelRequest["tools"], session };
  return beside(functionsOf((config?.tools ?? []) as Tool[]), request, calledName);
}

/** The name under which a call of a function arrives. */
export function calledName({ name }: FunctionDeclaration): string | undefined {
  return name === undefined ? undefined : ownName(name);
}

/**
 * The host's tools, with those functions that are its own alone. One that the SDK would call by itself cannot stand
 * beside function declarations.
 */
function ownTools({ tools = [] }: GenerateContentConfig, functions: readonly FunctionDeclaration[]): Tool[] {
  const at = tools.findIndex((tool) => "callTool" in tool);
  if (at === -1) return (tools as Tool[]).flatMap((tool) => onlyWith(functions, tool));
  const why = "is a callable tool, which the SDK would run by itself";
  const way = "register its tools in the catalog (toolsift/mcp does so for MCP clients), and run them in execute";
  throw new ToolSiftError("option_invalid", `params.config.tools.${at} ${why}; ${way}`);
}

/** A tool of which nothing is left is left out. */
function onlyWith(functions: readonly FunctionDeclaration[], tool: Tool): Tool[] {
  const { functionDeclarations = [], ...others } = tool;
  const left = functionDeclarations.filter((one) => functions.includes(one));
  if (left.length === functionDeclarations.length) return [tool];
  if (left.length > 0) return [{ ...tool, functionDeclarations: left }];
  return Object.keys(others).length > 0 ? [others] : [];
}

function functionsOf(tools: readonly Tool[]): FunctionDeclaration[] {
  return tools.flatMap((tool) => tool.functionDeclarations ?? []);
}

/** The session's functions behind the host's, in one tool with them. */
function withFunctions(tools: readonly Tool[], functions: readonly FunctionDeclaration[]): Tool[] {
  const own = functionsOf(tools);
  const all = own.length + functions.length;
  if (all > MOST_FUNCTIONS) {
    const parts = `${own.length} of params.config.tools and ${functions.length} of the session`;
    const way = "hold tools back (activation, limits.revealed), or narrow the session's scope";
    const message = `${all} function declarations, ${parts}; ${MOST_FUNCTIONS} at most: ${way}`;
    throw new ToolSiftError("limit_out_of_range", message);
  }
  if (functions.length === 0) return [...tools];
  const home = tools.find(({ functionDeclarations }) => functionDeclarations !== undefined);
  if (home === undefined) return [...tools, { functionDeclarations: [...functions] }];
  const filled = { ...home, functionDeclarations: [...home.functionDeclarations!, ...functions] };
  return tools.map((tool) => (tool === home ? filled : tool));
}

/** The names that the model is limited to and that are declared, if it is limited at all. */
function checkConfig(
  { cachedContent }: GenerateContentConfig,
  toolConfig: ToolConfig | undefined,
  functions: readonly FunctionDeclaration[],
): string[] | undefined {
  const { allowedFunctionNames: allowed, streamFunctionCallArguments } = toolConfig?.functionCallingConfig ?? {};
  if (cachedContent !== undefined) {
    const why = "the API takes no tools and no system instruction beside one";
    throw new ToolSiftError("option_conflict", `params.config.cachedContent is ${kind(cachedContent)}; ${why}`);
  }
  if (streamFunctionCallArguments === true) {
    const why = "calls are read whole; leave it out";
    throw new ToolSiftError("option_conflict", `functionCallingConfig.streamFunctionCallArguments is true; ${why}`);
  }
  if (allowed === undefined || allowed.length === 0) return undefined;
  const declared = new Set(functions.map(({ name }) => name));
  const asDeclared = allowed.map((name) => (declared.has(name) ? name : declaredName(name)));
  const names = asDeclared.filter((name) => declared.has(name));
  if (names.length > 0) return names;
  const listed = allowed.slice(0, 5).join(", ");
  const message = `of allowedFunctionNames (${listed}) none is declared in this request; name the discovery tools too`;
  throw new ToolSiftError("option_conflict", message);
}

/** A name that is not declared yet is left out until it is. */
function withNames(toolConfig: ToolConfig, names: string[] | undefined): ToolConfig {
  if (names === undefined) return toolConfig;
  return { ...toolConfig, functionCallingConfig: { ...toolConfig.functionCallingConfig, allowedFunctionNames: names } };
}

function withPrompt(said: ContentUnion | undefined, prompt: string): ContentUnion | undefined {
  if (prompt === "" || said === undefined) return prompt === "" ? said : prompt;
  if (typeof said === "string") return joined(said, prompt);
  if (Array.isArray(said)) return [...said, prompt];
  if ("parts" in said) return { ...said, parts: [...(said.parts ?? []), { text: prompt }] };
  return [said as Part, prompt];
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
}
