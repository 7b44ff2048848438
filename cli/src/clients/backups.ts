/** Finds the backup of a client's file from which servers can be taken by hand. */

import { backupsOf, readText } from "./files.js";
import { sectionOf, type Where } from "./section.js";

/** The newest backup that holds servers other than toolsift; undefined where there is none. */
export async function backupWithServers(where: Where): Promise<string | undefined> {
  for (const file of await backupsOf(where.file)) {
    // A backup that cannot be read is of no help.
    const text = await readText(file).catch(() => undefined);
    if (sectionOf(text, where).found.length > 0) return file;
  }
  return undefined;
}
