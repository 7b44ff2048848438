/** Makes the object that `toolsift()` returns: makes the catalog, registers your own tools, starts the servers. */

import { readSettings } from "../mcp/options.js";
import type { McpServers } from "../mcp/servers.js";
import { ToolSiftError } from "../base/errors.js";
import { checkRankable } from "../loop/rank.js";
import type { Dispatch } from "../loop/types.js";
import { withTranslations } from "../packs/with-packs.js";
import type { ToolSift } from "../core/sift.js";
import type { Parts } from "./doorway.js";
import { settingsOf } from "./options.js";
import { registerSkills } from "./own-tools.js";
import { started } from "./started.js";
import { Starter } from "./starter.js";
import type { DoorwayOptions } from "./types.js";
import { Users } from "./users.js";

/**
 * Makes the object that `toolsift()` returns. Your own tools are registered before those of the servers, and so keep their
 * names.
 *
 * @param Door the class of the object
 * @param shape the shape of the options that only this SDK's adapter has
 * @param own makes the adapter from these options; their `execute` runs every tool that is not your own
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`, `peer_missing`, and all
 * errors of `own` and of `ToolSift`'s constructor. Everything that was started has then been closed
 */
export async function door<D, T, O extends DoorwayOptions>(
  Door: new (parts: Parts, own: T, options: O) => D,
  options: O,
  shape: object,
  own: (sift: ToolSift, options: any) => T | Promise<T>,
): Promise<D> {
  const settings = settingsOf(options, shape);
  const { ToolSift } = await import("toolsift:self");
  const { packs = true } = settings.mcp;
  const sift = settings.sift ?? new ToolSift(packs ? await withTranslations(settings.catalog) : settings.catalog);
  const before = new Set(sift.tools().map(({ name }) => name));
  const starter = new Starter(settings.plans, { timeoutMs: settings.startTimeoutMs, version: ToolSift.version });
  const users = new Users(sift, { ...settings, version: ToolSift.version });
  let servers: McpServers | undefined;
  let registered: string[] = [];
  const close = async () => {
    await Promise.all([starter.close(), servers?.close(), users.close()]);
    if (settings.sift === undefined) return sift.dispose();
    try {
      sift.unregister({ names: registered });
    } catch {
      // The program has disposed the catalog, so there is nothing to remove.
    }
  };
  const execute = (dispatch: Dispatch, ...context: []) => {
    const { session } = dispatch;
    if (session !== undefined && users.has(session)) return users.execute(session, dispatch);
    if (session === undefined && servers?.has(dispatch.server)) return servers.execute(dispatch);
    if (settings.execute !== undefined) return settings.execute(dispatch, ...context);
    throw new ToolSiftError("option_invalid", `nothing runs ${dispatch.modelName}: options.execute is missing`);
  };
  try {
    // Invalid options are refused before anything is started.
    checkRankable(options, () => sift.settings);
    await readSettings(settings.mcp);
    const given = Object.fromEntries(Object.entries(options).filter(([key]) => key in shape));
    const made = await own(sift, { ...given, execute });
    await registerSkills(sift, settings.skills);
    registered = sift.tools().flatMap(({ name }) => (before.has(name) ? [] : [name]));
    servers = await started(sift, starter, settings);
    return new Door({ sift, servers, users, execute, close }, made, options);
  } catch (error) {
    registered = sift.tools().flatMap(({ name }) => (before.has(name) ? [] : [name]));
    await close();
    throw error;
  }
}
