/** The file that `toolsift enrich` writes: its default path, its entries, and how to write it atomically. */

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Enrichment } from "toolsift";
import { writeEnrichment } from "toolsift/author";
import { Failure, misuse, reasonOf } from "../base/failure.js";
import { removeDrafts, writeWhole } from "../base/home.js";
import { quoted } from "../output/escape.js";
import { entriesIn } from "../sources/enrichment.js";
import { textOf } from "../sources/files.js";
import { existing } from "../sources/output.js";

const NAME = "enrichment.jsonl";

/** Returns the default path: next to the input file or in the input folder if there is only one input, else in the current folder. */
export async function standardFile(files: readonly string[]): Promise<string> {
  const [file] = files;
  if (files.length !== 1 || file === "-") return NAME;
  const isFolder = (await stat(file!).catch(() => undefined))?.isDirectory() === true;
  return join(isFolder ? file! : dirname(file!), NAME);
}

/**
 * Returns the entries that an earlier run wrote.
 *
 * @throws Failure if the file cannot be read, is one of the sources, or is not an enrichment file
 */
export async function entriesBefore(file: string, paths: readonly string[]): Promise<Enrichment[]> {
  const target = await existing(file, paths, "the words");
  if (target === undefined || target.size === 0) return [];
  const { text } = await textOf(file);
  const entries = await entriesIn(text, quoted(file));
  const isOurs = entries.every(({ hash, queries, keywords }) => hash ?? queries ?? keywords);
  if (!isOurs) throw misuse(`${quoted(file)} exists and is no enrichment file; name another one with --out`);
  return entries;
}

/** Checks that the folder of the file is writable, before a model is paid. @throws Failure */
export async function checkWritable(file: string): Promise<void> {
  try {
    await access(dirname(file), constants.W_OK);
  } catch (error) {
    throw new Failure(`${quoted(file)} cannot be written: ${reasonOf(error)}`);
  }
}

/** Writes the file atomically. @throws Failure */
export async function writeEntries(file: string, entries: readonly Enrichment[]): Promise<void> {
  try {
    await writeWhole(file, writeEnrichment(entries));
    await removeDrafts(dirname(file), basename(file));
  } catch (error) {
    throw new Failure(`${quoted(file)} cannot be written: ${reasonOf(error)}`);
  }
}
