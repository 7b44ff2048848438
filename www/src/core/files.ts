/** Reads tool lists from files and texts; one broken file costs only itself. */
import { checkFileSize, readToolLists, UnreadableList, type ServerList } from "../model/reading.ts";
import type { Reading } from "./types.ts";

/** A list, and where it came from. */
export interface Given {
  list: ServerList;
  from: string;
}

/** Lists that were read, and what became of the files that were not. */
export interface Read {
  lists: Given[];
  readings: Reading[];
}

export async function readFiles(files: readonly File[]): Promise<Read> {
  const read: Read = { lists: [], readings: [] };
  for (const file of files) {
    try {
      checkFileSize(file.name, file.size);
      read.lists.push(...readToolLists(await file.text(), file.name).map((list) => ({ list, from: file.name })));
    } catch (error) {
      read.readings.push(unread(file.name, error));
    }
  }
  return read;
}

/** Reads a text that somebody pasted; `server` is its name where the text has none. */
export function readText(text: string, server: string, from: string): Read {
  try {
    return { lists: readToolLists(text, server).map((list) => ({ list, from })), readings: [] };
  } catch (error) {
    return { lists: [], readings: [unread(server, error)] };
  }
}

function unread(name: string, error: unknown): Reading {
  if (!(error instanceof UnreadableList) && !(error instanceof DOMException)) throw error;
  return { name, taken: 0, problem: error.message };
}
