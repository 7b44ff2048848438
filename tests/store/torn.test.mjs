/** Records that were torn: their process was killed while it wrote them. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock as mocks } from "node:test";
import { afterEach, test } from "vitest";
import { fileURLToPath } from "node:url";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { isFull } from "../../scripts/lib/full.mjs";
import { asSeenAnew, fileStore, home, LETTERS, processOn, scratch } from "./lib/shared.mjs";

afterEach(() => mocks.reset());

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

const filesIn = (base) =>
  readdirSync(join(base, "toolsift", "id-chat")).map((name) => join(base, "toolsift", "id-chat", name));
const isTorn = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) === undefined;
  } catch {
    return true;
  }
};

for (const after of [0, 60]) {
  test(`a record of which ${after} characters were written costs nothing of what was saved before`, async () => {
    const base = scratch();
    assert.deepEqual(await killed({ kind: "fs", base, letters: ["c", "a", "b"], after }), ["c", "a"]);
    const [torn] = filesIn(base).filter(isTorn);
    assert.equal(readFileSync(torn, "utf8").length, after);
    assert.equal(filesIn(base).length, 2, "an intact record lies beside it");

    const { store } = processOn(KINDS.fs(base), { store: { onTorn: () => assert.fail("it is young") } });
    assert.deepEqual((await store.open("chat")).revealed, ["c", "a"]);
    await store.use("chat", (session) => session.reveal(["d"]));
    assert.deepEqual(await asSeenAnew(KINDS.fs(base), "chat"), ["c", "a", "d"]);
    assert.ok(existsSync(torn), "another process may still be writing a young record");
    for (const file of filesIn(base)) writeFileSync(file, "");
    assert.deepEqual(await asSeenAnew(KINDS.fs(base), "chat"), [], "where all are torn, it is empty");
  });
}

test("an old torn record is told of once and removed", async () => {
  const storage = createStorage();
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const old = `toolsift:id-chat:${(Date.now() - 120_000).toString(36).padStart(9, "0")}-${"0".repeat(16)}`;
  for (const text of ["", "{", '{"toolsift":"session","version":1,"id":"ch', "\0\0\0\0"]) {
    await storage.setItem(old, text);
    const told = [];
    const onTorn = (torn) => (told.push(torn), assert.fail("ignored"));
    const { store } = processOn(storage, { store: { onTorn } });
    const { mock: reads } = mocks.method(storage, "getItem");
    await store.open("chat");
    const times = reads.calls.filter(({ arguments: [key] }) => key === old).length;
    assert.equal(times, 1, "a write that is over is not read again");
    reads.restore();
    await store.use("chat", (session) => session.assemble());
    assert.deepEqual(told, [{ session: "chat", key: old }]);
    assert.ok(!(await storage.getKeys()).includes(old));
  }
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
});

for (const kind of Object.keys(KINDS)) {
  test(`${kind}: kills at any time lose nothing that was saved`, async () => {
    let torn = 0;
    const letters = new Array(200).fill(LETTERS).flat();
    for (let i = 0; i < 8; i += isFull ? 1 : 3) {
      const base = scratch();
      const saved = await killed({ kind, base, letters }, 3 + 7 * i);
      torn += filesIn(base).filter((file) => !file.endsWith(".part") && isTorn(file)).length;
      const { store } = processOn(KINDS[kind](base));
      const { revealed } = await store.open("chat");
      // The last letter may be saved without having been printed.
      const all = [...new Set(saved)];
      assert.deepEqual(revealed.slice(0, all.length), all);
      assert.ok(revealed.length <= all.length + 1);
      await store.use("chat", (session) => session.reveal(["z"]));
    }
    console.log(`${torn} torn records`);
    if (kind === "files") assert.equal(torn, 0);
  });
}

test("fileStore: a kill in the middle of a write leaves the record before, and a part that goes later", async () => {
  const base = scratch();
  assert.deepEqual(await killed({ kind: "files", base, letters: ["c", "a", "b"], after: 12 }), ["c", "a"]);
  const [part] = filesIn(base).filter((file) => file.endsWith(".part"));
  assert.equal(readFileSync(part, "utf8").length, 12);
  const { store } = processOn(fileStore(base), { store: { onTorn: () => assert.fail("no record is torn") } });
  assert.deepEqual((await store.open("chat")).revealed, ["c", "a"]);
  assert.ok(existsSync(part));
  utimesSync(part, new Date(0), new Date(0));
  await store.open("chat");
  assert.ok(!existsSync(part));
});

test("fileStore: the files of the fs driver, both ways", async () => {
  const base = scratch();
  await processOn(KINDS.fs(base)).store.use("chat", (session) => session.reveal(["b"]));
  await processOn(KINDS.files(base)).store.use("chat", (session) => session.reveal(["a"]));
  assert.deepEqual(await asSeenAnew(KINDS.fs(base), "chat"), ["b", "a"]);
  assert.equal(filesIn(base).length, 1);
  await processOn(KINDS.files(base)).store.delete("chat");
  assert.deepEqual(filesIn(base), []);
});

test("fileStore: what it refuses, and what it answers for nothing", async () => {
  assert.throws(() => fileStore(""), { code: "option_invalid", message: /folder must be a path/ });
  const base = scratch();
  const files = fileStore(join(base, "in"));
  for (const key of ["", "..", "a:..:b", "a/b", "a\\b", "../a", "a:", "/etc"])
    await assert.rejects(async () => files.getItem(key), { code: "option_invalid", message: /no key/ });
  assert.equal(await files.getItem("a:b"), null);
  assert.deepEqual(await files.getKeys("a:b:"), []);
  await files.removeItem("a:b");
  writeFileSync(join(base, "in"), "a file where the folder should be");
  await assert.rejects(async () => files.setItem("a:b", "text"), { code: "ENOTDIR" });
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
