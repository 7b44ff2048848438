/** Helpers for the tests of stores: the installed package, a small catalog, and a process for each `ToolSift`. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createStorage } from "unstorage";
import { install } from "../../package/installed.mjs";

const { home } = await install();
const load = (name) => import(pathToFileURL(join(home, "dist", name)).href);
export const { ToolSift, ToolSiftError } = await load("index.js");
export const { fileStore, redisStore, SessionStore } = await load("store.js");
export { home };

export const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Tools named by letters. */
export const tools = (names = LETTERS) =>
  names.map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } }));

/** What one process of an application holds: a sift of its own, and a store over a storage that others have too. */
export function processOn(storage, { store: options, sift: settings, names } = {}) {
  const sift = new ToolSift(settings);
  sift.register(tools(names), { server: "s" });
  return { sift, store: new SessionStore(sift, storage, options) };
}

/** Opens a session in a process that has never seen it, and answers what is revealed there. */
export async function asSeenAnew(storage, id, options) {
  return (await processOn(storage, options).store.open(id)).revealed;
}

/** A storage in memory that compares before it writes. */
export function comparing() {
  const texts = new Map();
  return {
    ...{ getItem: async (key) => texts.get(key), removeItem: async (key) => void texts.delete(key) },
    setItem: async (key, text) => void texts.set(key, text),
    swapItem: async (key, text, before) => (texts.get(key) ?? "") === before && !!texts.set(key, text),
    getKeys: async () => [...texts.keys()],
  };
}

/** A storage in memory that counts what is asked of it, and whose answers a test can bend. */
export function observed(bend = {}) {
  const storage = createStorage();
  const calls = [];
  const method = (name) => [
    name,
    (...args) => {
      calls.push(name);
      return bend[name] ? bend[name](...args) : storage[name](...args);
    },
  ];
  const bent = Object.fromEntries(["getItem", "setItem", "removeItem"].map(method));
  return { storage, bent, bend, calls };
}

/** Expects an error of toolsift with a code, whose message names something. */
export async function refused(work, code, part = "") {
  const error = await work.then(
    () => assert.fail(`went well instead of ${code}`),
    (cause) => cause,
  );
  assert.ok(ToolSiftError.is(error) && error instanceof ToolSiftError, String(error));
  assert.equal(error.code, code, error.message);
  assert.ok(error.message.includes(part), `${error.message} should name ${part}`);
  assert.ok(error.message.length < 900, "a message is no dump");
  return error;
}

const folders = [];
process.on("exit", () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder that goes away with this process. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-store-"));
  folders.push(folder);
  return folder;
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
