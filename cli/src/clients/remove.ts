/** Removes toolsift from a client's configuration and puts the moved servers back. */

import { ownWhere } from "./config.js";
import { isEmptyTree, restOf } from "./data.js";
import { difference, secretsOf } from "./diff.js";
import { shownKeys, unappliedOf } from "./entry.js";
import { replaceAll } from "./files.js";
import { restored, type Restored } from "./restore.js";
import { edited, sectionOf } from "./section.js";
import { quoted, shownPath } from "../output/escape.js";
import { isEmpty, leadsToUs, targetOf, type Change, type ChangeOptions, type Target } from "./target.js";

/**
 * Undoes `addTo`. If nothing else changed, the client's file is restored byte for byte. Servers that the user has since
 * added to toolsift's configuration, or changed there, go to the client too, in the client's format.
 *
 * @throws Failure if the file is broken, read-only, too large or changed in the meantime, or if the moved servers cannot
 * be found. Nothing is changed then.
 */
export async function removeFrom(id: string, options: ChangeOptions = {}): Promise<Change> {
  const target = await targetOf(id, options);
  const { client, where, section, config, own, before, backup } = target;
  const result = restored(target);
  const { text, back, notes } = result;
  const handsBack = section.own.length === 0 || leadsToUs(target);
  const left = handsBack ? leftover(target, result) : own.text;
  const changed = text !== section.text && !(text === "" && section.text === undefined);
  // toolsift's configuration is written last: until the client's file is written, it has the only copy of the servers.
  if (!options.dryRun) {
    await replaceAll([
      [where.file, section.text, changed ? text : section.text],
      [config, own.text, left],
    ]);
  }
  if (section.own.length === 0) notes.push(`${quoted(where.file)} has no entry of toolsift.`);
  else if (!handsBack) notes.push("The entry was written by hand. No servers were moved for it, so none come back.");
  const secrets = secretsOf([...section.found, ...own.found, ...before.found]);
  const diff = difference(section.text ?? "", text ?? "", secrets);
  const copy = changed && before.text !== undefined && { backup };
  return { client: id, title: client.title, file: where.file, config, changed, moved: back, kept: [], notes, diff, ...copy };
}

/** Returns the rest of toolsift's configuration, or undefined if nothing remains. Adds a note for each part that stays. */
function leftover(target: Target, { conflicts, deleted, notes }: Restored): string | undefined {
  const { client, own, before, config, backup } = target;
  const where = ownWhere(config);
  const file = shownPath(isEmpty(own) ? backup : config);
  const stays = (what: string, why: string) => notes.push(`${what} stays in ${file}: ${why}.`);
  for (const name of conflicts) stays(quoted(name), "the client has another server of this name");
  const partly = unappliedOf(own.found).filter(({ server }) => !conflicts.includes(server));
  for (const { server, keys } of partly) {
    stays(`${shownKeys(keys)} of ${quoted(server)}`, `${client.title} has no such setting`);
  }
  for (const { server, level, message } of own.problems) {
    if (server === undefined || level !== "error") continue;
    const moved = before.found.some(({ name }) => name === server);
    const more = moved ? `. ${client.title} gets the entry from before the move` : "";
    stays(quoted(server), `it is wrong (${message.replace(/\.$/, "")})${more}`);
  }
  for (const { name } of own.own) stays(quoted(name), "it starts toolsift itself");
  if (deleted.length > 0) {
    const names = deleted.map(quoted).join(", ");
    notes.push(
      `Not restored, because they were deleted from toolsift's configuration: ${names}. The backup ${shownPath(backup)} has the servers as they were.`,
    );
  }
  if (own.text === undefined) return undefined;
  const kept = [...conflicts, ...partly.map(({ server }) => server)];
  const back = new Set(own.found.map(({ name }) => name).filter((name) => !kept.includes(name)));
  // A name that occurs twice is cut out twice.
  const gone = own.names.filter((name) => back.has(name));
  const text = edited(own.text, where, gone);
  const { root, names } = sectionOf(text, where);
  const rest = restOf(root, where.at);
  const settings = isEmptyTree(rest) ? [] : Object.keys(Object(rest));
  if (settings.length > 0) stays(shownKeys(settings), `these settings belong to toolsift, not to ${client.title}`);
  return names.length === 0 && settings.length === 0 ? undefined : text;
}
