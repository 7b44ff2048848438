/** Tests that everything that grows in a store is limited, and works at the limit. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { createStorage } from "unstorage";
import { asSeenAnew, observed, processOn, refused, SessionStore, ToolSift } from "./lib/shared.mjs";

const MOST = 2 ** 53;

test("what comes after the greatest counts can be read", async () => {
  for (const change of [(record) => (record.turn = MOST), (record) => (record.revealed[0].used = MOST)]) {
    const storage = createStorage();
    await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
    const [key] = await storage.getKeys();
    const record = structuredClone(await storage.getItem(key));
    change(record);
    await storage.setItem(key, record);
    await processOn(storage).store.use("chat", (session) => {
      session.assemble();
      session.reveal(["b"]);
      session.conceal(["a"]);
      session.reveal(["c"]);
    });
    assert.deepEqual((await asSeenAnew(storage, "chat")).sort(), ["b", "c"], `${change}`);
  }
  const storage = createStorage();
  const { sift, store } = processOn(storage);
  const revealed = [{ server: "s", name: "a", used: 2 ** 50 }];
  await store.save(sift.restore({ toolsift: 2, id: "chat", profile: "sift", turn: 2 ** 50, revealed }).session);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
});

test("what was concealed at once stays concealed, however much it was, and however many sessions are open", async () => {
  const names = Array.from({ length: 1_500 }, (_, at) => `tool_${at}`);
  const storage = createStorage();
  const options = { names, sift: { limits: { revealed: 2_000, sessions: 5_000 } } };
  const { store } = processOn(storage, options);
  await store.use("chat", (session) => session.reveal(names));
  const session = await store.open("chat");
  session.conceal(names);
  for (let at = 0; at < 4_200; at++) await store.open(`other-${at}`);
  await store.save(session);
  assert.deepEqual((await store.open("chat")).revealed, []);
  assert.deepEqual((await processOn(storage, options).store.open("chat")).revealed, []);
});

test("however many processes reveal the same tools, a record stays small", async () => {
  const storage = createStorage();
  for (let times = 0; times < 40; times++) {
    const { store, sift } = processOn(storage);
    // Unknown to this store, the session is in memory with the same tools, and one of the others' comes last.
    sift.session("chat").reveal(["c", "b", "a"]);
    await store.save(sift.session("chat"));
    await store.use("chat", (session) => (session.conceal(["b"]), session.reveal(["b"]), session.assemble()));
  }
  const [key] = await storage.getKeys();
  const { revealed, writes } = await storage.getItem(key);
  assert.deepEqual([revealed.length, writes.length], [3, 32]);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["c", "a", "b"]);
});

test("more than a record may hold is refused before it is written", async () => {
  const { storage, bent, calls } = observed();
  const names = Array.from({ length: 9_000 }, (_, at) => `tool_${at}`);
  const server = "x".repeat(500);
  const filled = () => {
    const sift = new ToolSift({ limits: { revealed: 20_000 } });
    const definitions = names.map((name) => ({ name, inputSchema: { type: "object" } }));
    sift.register(definitions, { server });
    return sift;
  };
  const snapshot = (count) => {
    const revealed = names.slice(0, count).map((name) => ({ server, name, used: 0 }));
    return { toolsift: 2, id: "chat", profile: "sift", turn: 0, revealed };
  };
  const sift = filled();
  const store = new SessionStore(sift, bent);
  const { session } = sift.restore(snapshot(9_000));
  await refused(store.save(session), "revealed_full", "9000 reveals");
  assert.equal(session.revealed.length, 9_000);
  assert.ok(!calls.includes("setItem"));
  sift.restore(snapshot(5_000), { replace: true });
  await store.save(session);
  assert.deepEqual((await new SessionStore(filled(), storage).open("chat")).revealed, session.revealed);
});
