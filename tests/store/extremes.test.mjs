/**
 * What is at the border of what a store holds?
 *
 * 1. Whatever counts others wrote, what comes after them can be read. 2. As many conceals as there were reveals, and sessions
 * as there may be open, are remembered. 3. Keys that are answered several times count once. 4. Half a record that a failed write
 * left does not stand in the way. 5. A storage that removes nothing, or late, is not overrun.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createStorage } from "unstorage";
import { asSeenAnew, observed, processOn, refused } from "./lib/shared.mjs";

const MOST = 2 ** 48;

/** A storage with one session, whose record a test has changed. */
async function changed(change) {
  const storage = createStorage();
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const [key] = await storage.getKeys();
  const record = structuredClone(await storage.getItem(key));
  change(record);
  await storage.setItem(key, record);
  return storage;
}

test("what comes after the greatest counts can be read", async () => {
  for (const change of [
    (record) => (record.turn = MOST),
    (record) => (record.revealed[0].at = MOST),
    (record) => (record.revealed[0].used = MOST),
    (record) => record.concealed.push({ dot: "000000000000.0", at: MOST }),
  ]) {
    const storage = await changed(change);
    const { store } = processOn(storage);
    await store.use(
      "chat",
      (session) => (session.assemble(), session.reveal(["b"]), session.conceal(["a"]), session.reveal(["c"])),
    );
    assert.deepEqual((await asSeenAnew(storage, "chat")).sort(), ["b", "c"], `${change}`);
  }
  const storage = createStorage();
  const { sift, store } = processOn(storage);
  const revealed = [{ server: "s", name: "a", used: 2 ** 50 }];
  await store.save(sift.restore({ toolsift: 2, id: "chat", profile: "sift", turn: 2 ** 50, revealed }).session);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
});

test("what was concealed at once stays concealed, however much it was", async () => {
  const names = Array.from({ length: 1_500 }, (_, i) => `tool_${i}`);
  const storage = createStorage();
  const options = { names, store: { settleMs: 60_000 }, sift: { limits: { revealed: 2_000 } } };
  const { store } = processOn(storage, options);
  await store.use("chat", (session) => session.reveal(names));
  await store.use("chat", (session) => session.conceal(names));
  assert.equal((await storage.getKeys()).length, 2, "the record before is there");
  assert.deepEqual((await store.open("chat")).revealed, []);
  assert.deepEqual((await processOn(storage, options).store.open("chat")).revealed, []);
});

test("what was concealed in a session that is open stays concealed, however many are open", async () => {
  const storage = createStorage();
  const { store } = processOn(storage, { sift: { limits: { sessions: 5_000 } } });
  const session = await store.open("chat");
  session.reveal(["a", "b"]);
  await store.save(session);
  session.conceal(["a"]);
  for (let i = 0; i < 4_200; i++) await store.open(`other-${i}`);
  await store.save(session);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["b"]);
});

test("a key that is answered several times counts once", async () => {
  const { storage, bent, bend, calls } = observed();
  await processOn(bent).store.use("chat", (session) => session.reveal(["a"]));
  bend.getKeys = async (base) => new Array(2_000).fill(await storage.getKeys(base)).flat();
  calls.length = 0;
  assert.deepEqual(await asSeenAnew(bent, "chat"), ["a"]);
  assert.deepEqual(calls, ["getKeys", "getItem"]);
});

test("half a record that a failed write left does not stand in the way", async () => {
  const { storage, bent, bend } = observed();
  const { store } = processOn(bent);
  const session = await store.open("chat");
  session.reveal(["a"]);
  bend.setItem = async (key, value) => {
    await storage.setItem(key, value.slice(0, 40));
    throw new Error("no space left");
  };
  await refused(store.save(session), "store_failed", "no space left");
  delete bend.setItem;
  await store.save(session);
  assert.equal((await storage.getKeys()).length, 1);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
});

test("a storage that removes nothing is not overrun by attempts", async () => {
  const { bent, bend, storage } = observed();
  let [now, most, all] = [0, 0, 0];
  bend.removeItem = async () => {
    most = Math.max(most, ++now);
    all++;
    await undefined;
    now--;
    throw new Error("out of order");
  };
  const { store } = processOn(bent);
  const session = await store.open("chat");
  for (let i = 0; i < 200; i++) {
    session.assemble();
    await store.save(session);
  }
  assert.ok(most <= 32 && all <= 200 * 32, `${most} at once, ${all} in all`);
  delete bend.removeItem;
  session.assemble();
  await store.save(session);
  assert.equal((await storage.getKeys()).length, 1);
});

test("what is left to settle does not pile up until a session cannot be read", async () => {
  const storage = createStorage();
  const { store } = processOn(storage, { store: { settleMs: 86_400_000 } });
  const session = await store.open("chat");
  session.reveal(["a"]);
  for (let i = 0; i < 1_100; i++) {
    session.assemble();
    await store.save(session);
  }
  assert.equal((await storage.getKeys()).length, 513);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
});
