/** Registers your program's tools once for all conversations, and gives each conversation its own live set of tools. */

import type { ToolSet } from "ai";
import { kind } from "../../base/values.js";
import { requireMethods } from "../../base/checks.js";
import { ownFields } from "../../base/plain-data.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Session, ToolSift } from "../../index.js";
import { ANSWERS } from "../../loop/driver.js";
import { aFunction, anything, type Shape, shaped } from "../../base/shape.js";
import { MAX_TOOLS } from "../../wire/limits.js";
import { toolsByName } from "../lib/register.js";
import { conversation } from "./conversation.js";
import { SharedState } from "./shared-state.js";
import { definitionsOf, registerOwn } from "./register.js";
import type { Conversation, ConversationOptions, SiftToolsOptions } from "./types.js";

export const OPTIONS: Shape<SiftToolsOptions<ToolSet>> = {
  ...ANSWERS,
  ...MAX_TOOLS,
  tools: anything,
  execute: aFunction,
  needsApproval: aFunction,
};

/** Your program's tools, ready for any number of conversations. */
export class SiftedTools<TOOLS extends ToolSet> {
  readonly #shared: SharedState;

  /** @internal */
  constructor(shared: SharedState) {
    this.#shared = shared;
  }

  /**
   * Returns the settings of one conversation, to be spread into the options of `generateText`, `streamText` or an agent:
   * `tools`, `prepareStep`, `stopWhen` and the hook for calls that AI SDK cannot parse. Make new settings for each call; the
   * session stores which tools are loaded.
   *
   * @throws ToolSiftError `option_invalid` (also for a session of another `ToolSift`), `option_unknown`,
   *   `limit_out_of_range`
   */
  for(session: Session, options: ConversationOptions<TOOLS> = {}): Conversation<TOOLS> {
    this.#shared.sift.checkSession(session);
    return conversation(this.#shared, session, options);
  }

  /**
   * Searches the catalog for `toolSearch` of ai 7: `toolSearch({ search: sifted.search })`. Returns the names of the offered
   * tools that match the query, best match first.
   *
   * @throws ToolSiftError as `sift.search`; the model receives the error
   */
  readonly search = (about: { query: string; tools: readonly { name: string }[] }): string[] => {
    const { query, tools } = about;
    const offered = new Set(tools.map(({ name }) => name));
    const { sift } = this.#shared;
    // The offered tools may rank after any number of tools that are not offered.
    const { hits } = sift.search(query, { limit: toolsByName(sift).size || 1 });
    return hits.map(({ name }) => name).filter((name) => offered.has(name));
  };
}

/**
 * Makes your program's AI SDK tools searchable, and makes the catalog's other tools callable through AI SDK.
 *
 * ```ts
 * const sifted = await siftTools(sift, { tools: { weather, calendar }, execute: servers.execute });
 * const { text } = await generateText({ model, prompt, ...sifted.for(sift.session("chat-42")) });
 * ```
 *
 * @throws ToolSiftError `option_invalid` (also if `execute` is missing for a tool of the catalog), `option_unknown`; the
 *   error of `sift.register` for a tool that cannot be registered, and then no tool is registered
 */
export async function siftTools<TOOLS extends ToolSet = {}>(
  sift: ToolSift,
  options: SiftToolsOptions<TOOLS> = {},
): Promise<SiftedTools<TOOLS>> {
  return new SiftedTools<TOOLS>(await sharedState(sift, options));
}

/** Checks the options of `siftTools`, and registers your program's tools. */
export async function sharedState(sift: ToolSift, options: SiftToolsOptions<ToolSet>): Promise<SharedState> {
  requireMethods("sift", sift, ["register", "session", "tools"], "a ToolSift");
  const valid = shaped(options, OPTIONS);
  const definitions = await definitionsOf(toolsOf(options.tools));
  const shared = new SharedState(sift, valid, definitions);
  if (valid.execute === undefined) refuseOrphans(shared);
  registerOwn(sift, shared.tools, definitions);
  return shared;
}

function toolsOf(tools: unknown = {}): ToolSet {
  for (const [name, tool] of Object.entries(ownFields("options.tools", tools))) {
    if (typeof tool === "object" && tool !== null) continue;
    const message = `options.tools.${name.slice(0, 80)} must be a tool of AI SDK, got ${kind(tool)}`;
    throw new ToolSiftError("option_invalid", message);
  }
  return tools as ToolSet;
}

function refuseOrphans({ sift, tools }: SharedState): void {
  const orphan = sift.tools().find(({ name }) => !Object.hasOwn(tools, name));
  if (orphan === undefined) return;
  throw new ToolSiftError("option_invalid", `options.execute is missing, and ${orphan.name} is not in options.tools`);
}
