/**
 * Tool search for language-model agents: carry thousands of tools, pay for the few that are used.
 *
 * ```ts
 * import { ToolSift } from "toolsift";
 *
 * const sift = new ToolSift();
 * sift.register((await mcpClient.listTools()).tools, { server: "github" });
 *
 * const session = sift.session("chat-42");
 * const { tools, systemPrompt } = session.assemble({ format: "openai" }); // send these to the model
 * const outcome = session.call("search_tools", { query: "open a ticket" }); // the model called a tool
 * ```
 */

export type { RunResult, RunSettings } from "./doorway/loop-door.js";
export type { LoopOptions } from "./doorway/loop-options.js";
export type { OwnTool } from "./doorway/own-tools.js";
export type * from "./doorway/types.js";
export type { User, UserOptions } from "./doorway/user.js";
export { ToolSiftError } from "./errors.js";
export type { AnswerOptions } from "./loop/bound.js";
export type { Attribute, DispatchEvent, RefuseEvent, RevealEvent, SearchEvent, ToolEvent } from "./loop/events.js";
export { runTools } from "./loop/run.js";
export type * from "./loop/types.js";
export { Session } from "./session.js";
export { ToolSift } from "./sift.js";
export type * from "./types.js";
