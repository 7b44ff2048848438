/**
 * Reads and writes recordings: one file for each arm of a run, with a line about the run and a line for each conversation.
 */

import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { valuesOf } from "../../scripts/lib/json-lines.mjs";
import { Problem } from "../../scripts/lib/run.mjs";

/** The version of the file format. Other versions are refused. */
const FORM = 1;

/** Returns the path of an arm's file. Characters that paths cannot contain are replaced. */
export const fileOf = (folder, arm) => join(folder, `${arm.replace(/[^\w.+=-]+/g, "-")}.jsonl`);

/**
 * Opens the recording of an arm to continue it. Returns `{ done, add }`: the ids of recorded tasks, and a function that adds
 * a conversation. A recording of another trial is refused.
 */
export function openRecording(path, played) {
  const head = { recording: FORM, ...played };
  const done = new Set();
  if (existsSync(path)) {
    const { head: before, conversations } = readRecording(path);
    const differs = Object.keys(head).find(
      (key) => key !== "date" && JSON.stringify(head[key]) !== JSON.stringify(before[key]),
    );
    if (differs) {
      throw new Problem(`${path} was played with another ${differs} (${before[differs]}): record into another folder`);
    }
    for (const { task } of conversations) done.add(task);
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(head)}\n`);
  }
  return { done, add: (conversation) => appendFileSync(path, `${JSON.stringify(conversation)}\n`) };
}

/** Reads a recording: `{ head, conversations }`. */
export function readRecording(path) {
  const [head, ...conversations] = valuesOf(path);
  if (head?.recording !== FORM) throw new Problem(`${path} is no recording of this form (${FORM})`);
  return { head, conversations };
}

/** Reads the runs in a folder, or the folder itself as one run: `{ name, arms: [{ head, conversations }] }`. */
export function readRuns(folder) {
  if (!existsSync(folder)) throw new Problem(`${folder}: there is no such folder`);
  const runs = [];
  const walk = (path, name) => {
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"));
    const arms = files.map((entry) => readRecording(join(path, entry.name)));
    if (arms.length > 0) runs.push({ name, arms });
    for (const entry of entries) if (entry.isDirectory()) walk(join(path, entry.name), join(name, entry.name));
  };
  walk(folder, "");
  if (runs.length === 0) throw new Problem(`${folder} holds no recordings`);
  return runs;
}
