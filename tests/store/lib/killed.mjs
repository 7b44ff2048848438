/**
 * A process that is killed while it writes a record. It loads one tool after the other, saves, and prints a letter after
 * each save. With `after`, it kills itself after it has written this many characters of the last record.
 */

import { promises as files, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";

const { home, kind, base, id, letters, after } = JSON.parse(process.argv[2]);
const load = (name) => import(pathToFileURL(join(home, "dist", name)).href);
const [{ ToolSift }, { SessionStore, fileStore }] = await Promise.all([load("index.js"), load("store.js")]);

const sift = new ToolSift();
const tools = [..."abcdefghijklmnopqrstuvwxyz"].map((name) => ({ name, inputSchema: { type: "object" } }));
sift.register(tools, { server: "s" });
const storage = kind === "fs" ? createStorage({ driver: fsDriver({ base }) }) : fileStore(base);
const store = new SessionStore(sift, storage);

/** Both storages write through one of these two. */
function killWhileWriting() {
  const die = async (path, text) => {
    await write(path, text.slice(0, after));
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  };
  const { writeFile: write, open } = files;
  files.writeFile = die;
  files.open = async (path, flags) => {
    const file = await open(path, flags);
    if (path.endsWith(".part")) file.writeFile = (text) => die(path, text);
    return file;
  };
}

for (const [i, letter] of letters.entries()) {
  if (after !== undefined && i === letters.length - 1) killWhileWriting();
  await store.use(id, (session) => session.reveal([letter]));
  writeSync(1, letter);
}
