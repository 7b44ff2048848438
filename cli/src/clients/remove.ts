/** Takes toolsift out of a client's configuration and puts the servers back that it moved. */

import { difference, secretsOf } from "./diff.js";
import { replace } from "./files.js";
import { writeBoth } from "./ledger.js";
import { leftoverOf } from "./leftover.js";
import { refuseLost } from "./lost.js";
import { restored } from "./restore.js";
import { quoted } from "../output/escape.js";
import { isLost, leadsToUs, targetOf, type Change, type ChangeOptions } from "./target.js";

/**
 * Undoes `addTo`: byte by byte where nothing else changed; servers that the user added to our configuration or changed there
 * meanwhile go to the client too, in the client's spelling.
 * @throws ClientError where the file is broken, read-only, too large or changed meanwhile, or where the moved servers cannot
 * be found; then nothing is changed
 */
export async function removeFrom(id: string, options: ChangeOptions = {}): Promise<Change> {
  const target = await targetOf(id, options);
  await refuseLost(target);
  const { client, where, section, paths, own } = target;
  const result = restored(target);
  const { text, back, conflicts, notes } = result;
  const handsBack = section.own.length === 0 || leadsToUs(target);
  const leftover = handsBack ? await leftoverOf(target, result) : undefined;
  notes.push(...(leftover?.notes ?? []));
  const changed = text !== section.text && !(text === "" && section.text === undefined);
  let backup: string | undefined;
  if (!options.dryRun) {
    if (changed) backup = await replace(where.file, section.text, text);
    // Our files go last: until the client's file is written, they are the only copy of the servers.
    // Where the undo record is the only copy of an entry, it stays.
    const record = isLost(own) && conflicts.length > 0 ? target.ledger : undefined;
    if (leftover) await writeBoth(paths, leftover.text, record);
  }
  if (section.own.length === 0) notes.push(`${quoted(where.file)} has no entry of toolsift.`);
  else if (!leadsToUs(target)) notes.push("The entry was written by hand. No servers were moved for it, so none come back.");
  const secrets = secretsOf([...section.found, ...own.found, ...(target.ledger?.servers ?? [])]);
  const diff = difference(section.text ?? "", text ?? "", secrets);
  const about = { client: id, title: client.title, file: where.file, config: paths.config };
  return { ...about, changed, moved: back, kept: [], notes, diff, ...(backup !== undefined && { backup }) };
}
