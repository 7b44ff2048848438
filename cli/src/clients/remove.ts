/** Takes toolsift out of a client's configuration and puts the servers back that it moved. */

import { ownWhere } from "./config.js";
import { difference, secretsOf } from "./diff.js";
import { SYNTAX, restOf } from "./document.js";
import { replace } from "./files.js";
import { writeBoth } from "./ledger.js";
import { refuseLost } from "./lost.js";
import { restored } from "./restore.js";
import { quoted } from "./shown.js";
import { leadsToUs, targetOf, type Change, type ChangeOptions, type Target } from "./target.js";

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
  const { text, back, notes } = restored(target);
  const changed = text !== section.text && !(text === "" && section.text === undefined);
  let backup: string | undefined;
  if (!options.dryRun) {
    if (changed) backup = await replace(where.file, section.text, text);
    // Our files go last: until the client's file is written, they are the only copy of the servers.
    if (section.own.length === 0 || leadsToUs(target)) await writeBoth(paths, settingsOf(target), undefined);
  }
  if (section.own.length === 0) notes.push(`${quoted(where.file)} has no entry of toolsift.`);
  else if (!leadsToUs(target)) notes.push("The entry was written by hand. No servers were moved for it, so none come back.");
  const diff = difference(section.text ?? "", text ?? "", secretsOf([...section.found, ...own.found]));
  const about = { client: id, title: client.title, file: where.file, config: paths.config };
  return { ...about, changed, moved: back, kept: [], notes, diff, ...(backup !== undefined && { backup }) };
}

/** Our configuration without the servers that went back; it is deleted where nothing else is in it. */
function settingsOf({ own, paths }: Target): string | undefined {
  if (own.text === undefined) return undefined;
  const where = ownWhere(paths.config);
  const text = SYNTAX.json.without(
    own.text,
    where.at,
    own.found.map(({ name }) => name),
  );
  const { root, items } = SYNTAX.json.read(text, where.at);
  return items.length === 0 && restOf(root, where.at) === "{}" ? undefined : text;
}
