/**
 * Opens a door: makes the catalog, registers the host's own tools, starts the servers. Loaded when `toolsift()` is called.
 */

import { readSettings } from "../mcp/options.js";
import type { McpServers } from "../mcp/servers.js";
import { ToolSiftError } from "../base/errors.js";
import { rankOf } from "../loop/rank.js";
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
 * Opens a door of a class. Own tools come into the catalog before those of the servers, and so keep their names.
 *
 * @param shape of the options of this SDK's adapter
 * @param own makes the adapter from these options; the `execute` in them runs every tool that is not one of the host's own
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`, `peer_missing`, and
 * what the constructor of `ToolSift` and `own` throw. Everything that was started has been ended then
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
      // The host has disposed its catalog: nothing is left to remove.
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
    // Bad options are refused before anything is started.
    rankOf(options, () => sift.settings);
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
