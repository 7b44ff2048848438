/** Tests incomplete records, whose process was killed during the write. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, promises as files, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { fileURLToPath } from "node:url";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { isFull } from "../../scripts/lib/full.mjs";
import { asSeenAnew, fileStore, home, LETTERS, processOn, refused, scratch } from "./lib/shared.mjs";

const PROGRAM = fileURLToPath(new URL("lib/killed.mjs", import.meta.url));
const KINDS = { fs: (base) => createStorage({ driver: fsDriver({ base }) }), files: (base) => fileStore(base) };

/** Runs the process until it is killed, by itself or after a time, and answers the letters that it had saved. */
function killed(settings, afterMs) {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ home, id: "chat", ...settings })]);
  let saved = "";
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  child.stdout.on("data", (text) => {
    if (saved === "" && afterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), afterMs);
    saved += text;
  });
  return new Promise((done, fail) => {
    child.on("close", (code, signal) =>
      signal === "SIGKILL" ? done([...saved]) : fail(new Error(`ended ${code}: ${errors}`)),
    );
  });
}

const record = (base) => join(base, "toolsift", "id-chat");

for (const after of [0, 60]) {
  test(`a record of which ${after} characters were written counts as none, and is written anew`, async () => {
    const base = scratch();
    const before = processOn(KINDS.fs(base));
    await before.store.use("chat", (session) => session.reveal(["c"]));
    assert.deepEqual(await killed({ kind: "fs", base, letters: ["a", "b"], after }), ["a"]);
    assert.equal(readFileSync(record(base), "utf8").length, after);
    assert.deepEqual(await asSeenAnew(KINDS.fs(base), "chat"), []);
    await processOn(KINDS.fs(base)).store.use("chat", (session) => session.reveal(["d"]));
    // What a process has in memory is there again once it uses the session.
    await before.store.use("chat", () => {});
    assert.deepEqual((await asSeenAnew(KINDS.fs(base), "chat")).sort(), ["c", "d"]);
  });
}

test("a torn record of a session with a scope asks for the scope", async () => {
  const storage = createStorage();
  const scope = { tools: ["a"] };
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]), { scope });
  const [key] = await storage.getKeys();
  await storage.setItem(key, JSON.stringify(await storage.getItem(key)).slice(0, 55));
  await refused(processOn(storage).store.open("chat"), "scope_required", "chat");
  assert.deepEqual((await processOn(storage).store.open("chat", { scope })).revealed, []);
});

test("fileStore: kills at any time lose nothing that was saved", async () => {
  const letters = new Array(200).fill(LETTERS).flat();
  for (let i = 0; i < 8; i += isFull ? 1 : 3) {
    const base = scratch();
    const saved = await killed({ kind: "files", base, letters }, 3 + 7 * i);
    const { store } = processOn(fileStore(base));
    const { revealed } = await store.open("chat");
    // The last letter may be saved without having been printed.
    const all = [...new Set(saved)];
    assert.deepEqual(revealed.slice(0, all.length), all);
    assert.ok(revealed.length <= all.length + 1);
    await store.use("chat", (session) => session.reveal(["z"]));
  }
});

test("fileStore: a kill in the middle of a write leaves the record before, and a lock that is not waited for", async () => {
  const base = scratch();
  assert.deepEqual(await killed({ kind: "files", base, letters: ["c", "a", "b"], after: 12 }), ["c", "a"]);
  const { store } = processOn(fileStore(base), { store: { timeoutMs: 1_000 } });
  assert.deepEqual((await store.open("chat")).revealed, ["c", "a"]);
  await store.use("chat", (session) => session.reveal(["d"]));
  await store.open("chat");
  assert.deepEqual(await asSeenAnew(fileStore(base), "chat"), ["c", "a", "d"]);
  assert.deepEqual(readdirSync(join(base, "toolsift")), ["id-chat"]);
});

/** What a lock may hold that nobody gives back: nothing, or a process of another machine. */
for (const owner of ["", "1 11111111-2222-4333-8444-555555555555 elsewhere"]) {
  test(`fileStore: many take over the lock ${JSON.stringify(owner)} of a future time, and none loses a write`, async () => {
    const base = scratch();
    mkdirSync(join(base, "toolsift"));
    writeFileSync(`${record(base)}.lock`, owner);
    utimesSync(`${record(base)}.lock`, new Date(2e12), new Date(2e12));
    const all = LETTERS.slice(0, 8);
    await Promise.all(
      all.map((letter) => processOn(fileStore(base)).store.use("chat", (session) => session.reveal([letter]))),
    );
    assert.deepEqual((await asSeenAnew(fileStore(base), "chat")).sort(), all);
    assert.deepEqual(readdirSync(join(base, "toolsift")), ["id-chat"]);
  });
}

test("fileStore: a write whose lock was taken over is not made, and takes nothing back", async () => {
  const base = scratch();
  const { open } = files;
  let taken = 0;
  files.open = async (path, ...rest) => {
    const file = await open(path, ...rest);
    if (!path.endsWith(".part") || taken++ > 0) return file;
    const sync = file.sync.bind(file);
    file.sync = async () => {
      files.open = open;
      // By our clock, the lock is old once another process has waited for it.
      await processOn(fileStore(base)).store.use("chat", (session) => session.reveal(["b"]));
      await sync();
    };
    return file;
  };
  await processOn(fileStore(base)).store.use("chat", (session) => session.reveal(["a"]));
  assert.deepEqual(await asSeenAnew(fileStore(base), "chat"), ["b", "a"]);
  assert.deepEqual(readdirSync(join(base, "toolsift")), ["id-chat"]);
});

test("fileStore: the files of the fs driver, both ways", async () => {
  const base = scratch();
  await processOn(KINDS.fs(base)).store.use("chat", (session) => session.reveal(["b"]));
  await processOn(KINDS.files(base)).store.use("chat", (session) => session.reveal(["a"]));
  assert.deepEqual(await asSeenAnew(KINDS.fs(base), "chat"), ["b", "a"]);
  await processOn(KINDS.files(base)).store.delete("chat");
  assert.deepEqual(readdirSync(join(base, "toolsift")), []);
});

test("fileStore: what it refuses, and what it answers for nothing", async () => {
  assert.throws(() => fileStore(""), { code: "option_invalid", message: /folder must be a path/ });
  const base = scratch();
  const store = fileStore(join(base, "in"));
  for (const key of ["", "..", "a:..:b", "a/b", "a\\b", "../a", "a:", "/etc"])
    await assert.rejects(async () => store.getItem(key), { code: "option_invalid", message: /no key/ });
  assert.equal(await store.getItem("a:b"), null);
  await store.removeItem("a:b");
  writeFileSync(join(base, "in"), "a file where the folder should be");
  await assert.rejects(async () => store.setItem("a:b", "text"), { code: "ENOTDIR" });
});

test("fileStore: what it keeps is the user's alone to read", {
  skip: process.platform === "win32" && "modes are POSIX",
}, async () => {
  const home = join(scratch(), "sessions");
  await processOn(fileStore(home)).store.use("chat", (session) => session.reveal(["a"]));
  const modes = readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => [
    ...[entry.isFile(), statSync(join(entry.parentPath ?? entry.path, entry.name)).mode & 0o777],
  ]);
  assert.ok(modes.some(([isFile]) => isFile));
  for (const [isFile, mode] of modes) assert.equal(mode, isFile ? 0o600 : 0o700);
});
