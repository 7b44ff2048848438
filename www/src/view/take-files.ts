import type { Lab } from "../model/lab.ts";
import { UnreadableList, checkFileSize, readToolLists, type ServerList } from "../model/reading.ts";

/** What became of one file. */
export interface Reading {
  name: string;
  /** Null where it was read. */
  problem: string | null;
}

/** Reads files and hands the lab what can be used, all at once; one broken file costs only itself. */
export async function takeFiles(lab: Lab, files: readonly File[]): Promise<Reading[]> {
  const readings: Reading[] = [];
  const lists: ServerList[] = [];
  for (const file of files) {
    try {
      checkFileSize(file.name, file.size);
      lists.push(...readToolLists(await file.text(), file.name));
      readings.push({ name: file.name, problem: null });
    } catch (error) {
      if (!(error instanceof UnreadableList) && !(error instanceof DOMException)) throw error;
      readings.push({ name: file.name, problem: error.message });
    }
  }
  const read = readings.filter((reading) => reading.problem === null).map((reading) => reading.name);
  if (lists.length > 0) lab.addLists(lists, read.join(", "));
  return readings;
}
