/** What of our configuration cannot be given back to a client: it stays in our file, and the user is told. */

import { backupWithServers } from "./section.js";
import { ownWhere } from "./config.js";
import { SYNTAX, restOf } from "./document.js";
import type { Restored } from "./restore.js";
import { quoted, shownPath } from "../output/escape.js";
import { isLost, type Target } from "./target.js";
import { shownKeys, unappliedOf } from "./unapplied.js";

/** Our configuration after the servers went back. */
export interface Leftover {
  /** The text; undefined where nothing is left. */
  text: string | undefined;
  /** What is left and why, and which servers do not come back. */
  notes: string[];
}

/** Our configuration without what went back to the client. */
export async function leftoverOf(target: Target, { conflicts, deleted }: Restored): Promise<Leftover> {
  const { client, where: theirs, own, ledger, paths } = target;
  const where = ownWhere(paths.config);
  const notes: string[] = [];
  const file = shownPath(isLost(own) ? paths.ledger : paths.config);
  const stays = (what: string, why: string) => notes.push(`${what} stays in ${file}: ${why}.`);
  for (const name of conflicts) stays(quoted(name), "the client has another server of this name");
  const partly = unappliedOf(own.found, where.form).filter(({ server }) => !conflicts.includes(server));
  for (const { server, keys } of partly) {
    stays(`${shownKeys(keys)} of ${quoted(server)}`, `${client.title} has no such setting`);
  }
  const kept = [...conflicts, ...partly.map(({ server }) => server)];
  const back = new Set(own.found.map(({ name }) => name).filter((name) => !kept.includes(name)));
  // A name that stands there twice is cut out twice.
  const gone = own.names.filter((name) => back.has(name));
  for (const { server, level, message } of own.problems) {
    if (server === undefined || level !== "error") continue;
    const moved = ledger?.servers.some(({ name }) => name === server);
    const before = moved ? `. ${client.title} gets the entry from before the move` : "";
    stays(quoted(server), `it is wrong (${message.replace(/\.$/, "")})${before}`);
  }
  for (const { name } of own.own) stays(quoted(name), "it starts toolsift itself");
  if (deleted.length > 0) {
    const backup = await backupWithServers(theirs);
    const where = backup === undefined ? "" : ` The backup ${shownPath(backup)} holds servers.`;
    const names = deleted.map(quoted).join(", ");
    notes.push(`Deleted behind toolsift, so not restored: ${names}.${where}`);
  }
  if (own.text === undefined) return { text: undefined, notes };
  const text = SYNTAX.json.without(own.text, where.at, gone);
  const { root, items } = SYNTAX.json.read(text, where.at);
  const rest = Object.keys(JSON.parse(restOf(root, where.at)) as object);
  if (rest.length > 0) stays(shownKeys(rest), `these settings belong to toolsift, not to ${client.title}`);
  return { text: items.length === 0 && rest.length === 0 ? undefined : text, notes };
}
