/** Refuses a change of a client whose moved servers cannot be found, before the last trace of them is overwritten. */

import { basename, dirname } from "node:path";
import { backupWithServers } from "./section.js";
import { quoted, shownPath } from "../output/escape.js";
import { isLost, leadsToUs, type Target } from "./target.js";
import { ClientError } from "./types.js";

/**
 * Nothing where the servers behind toolsift can be given back.
 * @throws ClientError where the entry leads to another state folder, or where our configuration and the undo record are gone
 */
export async function refuseLost(target: Target): Promise<void> {
  const { where, paths, own, ledger } = target;
  if (!leadsToUs(target)) return refuseElsewhere(target);
  if (ledger || own.names.length > 0) return;
  const backup = await backupWithServers(where);
  if (!isLost(own) && backup === undefined) return;
  const state = isLost(own) ? "is missing" : "names no server";
  const entry = `${entryOf(target)}, which ${state}`;
  const advice =
    backup === undefined
      ? "No backup beside the client's file holds servers. Delete the entry by hand."
      : `The newest backup with servers is ${shownPath(backup)}. Copy it to ${shownPath(where.file)}.`;
  throw new ClientError(`${entry}, and the undo record ${shownPath(paths.ledger)} is gone. Nothing was written. ${advice}`);
}

/** @throws ClientError where our configuration is missing and the servers have to come back before others move */
export function refuseMissing(target: Target): void {
  const { client, located, section, paths, own } = target;
  if (!isLost(own) || section.own.length === 0) return;
  const { scope } = located.source;
  const command = `toolsift mcp remove ${client.id}${scope === "user" ? "" : ` --scope ${scope}`}`;
  const advice = `Run \`${command}\`: it restores the servers from ${shownPath(paths.ledger)}. Then run \`mcp add\` again.`;
  throw new ClientError(`${entryOf(target)}, which is missing. Nothing was written. ${advice}`);
}

function entryOf({ where, section, paths }: Target): string {
  const [first] = section.own;
  return `${quoted(first?.name)} in ${shownPath(where.file)} leads to ${shownPath(paths.config)}`;
}

/** An entry that `add` wrote with another TOOLSIFT_HOME: the servers stand there. */
function refuseElsewhere({ where, section, paths }: Target): void {
  const config = section.own.map((one) => one.config ?? "").find((one) => basename(one) === basename(paths.config));
  if (config === undefined || basename(dirname(config)) !== "clients") return;
  const entry = `toolsift's entry in ${shownPath(where.file)} leads to ${shownPath(config)}, in another state folder`;
  const advice = `Set TOOLSIFT_HOME to ${shownPath(dirname(dirname(config)))}, then run the command again.`;
  throw new ClientError(`${entry}. Nothing was written. ${advice}`);
}
