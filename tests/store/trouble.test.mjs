/** Tests errors of a store, and that they cause no further harm. */

import assert from "node:assert/strict";
import Redis from "ioredis";
import { test } from "vitest";
import { createStorage } from "unstorage";
import redisDriver from "unstorage/drivers/redis";
import { openRedis } from "./lib/redis.mjs";
import { asSeenAnew, observed, pause, processOn, redisStore, refused, SessionStore, ToolSift } from "./lib/shared.mjs";

test("a server that goes down in between costs nothing but the time until it is back", async () => {
  const redis = await openRedis();
  const driver = redisDriver({ ...redis.client, retryStrategy: () => 50, maxRetriesPerRequest: 2 });
  // Without a listener, the client says on the console that the server is gone.
  driver.getInstance().on("error", () => {});
  const storage = createStorage({ driver });
  try {
    const { store } = processOn(storage, { store: { timeoutMs: 2_000 } });
    const session = await store.open("chat");
    session.reveal(["a"]);
    await store.save(session);
    session.reveal(["b"]);
    await redis.stop();
    const error = await refused(store.save(session), "store_failed", "getItem");
    assert.ok(error.cause instanceof Error);
    await refused(store.open("chat"), "store_failed", "getItem");
    await refused(store.delete("chat"), "store_failed", "removeItem");
    assert.deepEqual(session.revealed, ["a", "b"]);
    session.conceal(["a"]);
    session.reveal(["c"]);
    await redis.start();
    await store.save(session);
    assert.deepEqual(session.revealed, ["b", "c"]);
    assert.deepEqual(await asSeenAnew(storage, "chat"), ["b", "c"]);
  } finally {
    await storage.dispose();
    await redis.stop();
  }
});

/** How a call of a store may fail. */
const WAYS = {
  throws: () => assert.fail("out of order"),
  rejects: async () => Promise.reject(new Error("out of order")),
  "answers with an error": () => new Error("out of order"),
  "does not answer": () => new Promise(() => {}),
};
for (const [way, fail] of Object.entries(WAYS)) {
  for (const method of ["getItem", "setItem", "removeItem"]) {
    test(`${method} ${way}, and nothing is lost`, async () => {
      const { storage, bent, bend } = observed();
      const { store } = processOn(bent, { store: { timeoutMs: 50 } });
      const session = await store.open("chat");
      session.reveal(["a", "b"]);
      await store.save(session);
      session.conceal(["a"]);
      session.reveal(["c"]);
      bend[method] = fail;
      if (method === "removeItem") await store.save(session);
      else await refused(store.save(session), "store_failed", method);
      if (method === "getItem") {
        const anew = processOn(bent, { store: { timeoutMs: 50 } }).store;
        assert.ok((await refused(anew.open("chat"), "store_failed", method)).cause instanceof Error);
      }
      if (method === "removeItem") await refused(store.delete("chat"), "store_failed", method);
      assert.deepEqual(session.revealed, ["b", "c"]);
      delete bend[method];
      assert.deepEqual((await store.open("chat")).revealed, ["b", "c"]);
      await store.save(session);
      assert.deepEqual(await asSeenAnew(storage, "chat"), ["b", "c"]);
      session.assemble();
      await store.save(session);
    });
  }
}

test("an answer that was paid for is given though it cannot be saved, and the failure is told before the next one", async () => {
  const { storage, bent, bend } = observed();
  const told = [];
  const onUnsaved = ({ session, error }) => told.push([session, error.code]);
  const { store } = processOn(bent, { store: { timeoutMs: 50, onUnsaved } });
  let paid = 0;
  const turn = (name) => store.use("chat", (session) => (session.reveal([name]), ++paid));
  bend.setItem = () => assert.fail("no space left");
  assert.equal(await turn("a"), 1);
  assert.deepEqual(told, [["chat", "store_failed"]]);
  await refused(turn("b"), "store_failed", "no space left");
  await refused(store.open("chat"), "store_failed", "no space left");
  assert.equal(paid, 1, "no model is asked while nothing can be kept");
  delete bend.setItem;
  assert.equal(await turn("b"), 2);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b"]);
  assert.equal(told.length, 1);
});

test("a write that was given up and arrives late, or in half, takes nothing back", async () => {
  const { storage, bent, bend } = observed();
  const { store } = processOn(bent, { store: { timeoutMs: 30 } });
  const session = await store.open("chat");
  session.reveal(["a", "b"]);
  const late = [];
  bend.setItem = (...args) => new Promise((done) => late.push(() => storage.setItem(...args).then(done)));
  await refused(store.save(session), "store_failed", "30 ms");
  bend.setItem = async (key, value) => {
    await storage.setItem(key, value.slice(0, 40));
    throw new Error("no space left");
  };
  await refused(store.save(session), "store_failed", "no space left");
  delete bend.setItem;
  session.conceal(["a"]);
  await store.save(session);
  for (const arrive of late) arrive();
  await pause(10);
  // A storage that cannot compare has the old record again, until the process uses the session.
  await store.use("chat", () => {});
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["b"]);
});

/** A session with one record, whose place is then taken by something else. */
async function spoiled(value) {
  const storage = createStorage();
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const [key] = await storage.getKeys();
  const record = await storage.getItem(key);
  await storage.setItem(key, typeof value === "function" ? value(structuredClone(record)) : value);
  return { storage, key, record };
}

/** What may stand in a record's place: no record, a record with another field, and one with another reveal. */
const GARBAGE = {
  texts: ["no record", "[]", "7", "true", "{}", '{"toolsift":2,"id":"chat","revealed":[]}'],
  fields: {
    ...{ toolsift: [1], version: [1, "2"], id: ["other", undefined], expires: ["tomorrow", -1], turn: [-1, 1e300, null] },
    ...{
      revealed: [{}, [null], [[]], undefined],
      writes: ["all", [{}], new Array(33).fill("x"), ["x".repeat(17)], undefined],
      number: [-1, undefined],
      more: ["x".repeat(4_200_000)],
    },
  },
  reveals: {
    ...{ name: [7, undefined], server: [{}], used: ["now", 1.5, 2 ** 54] },
  },
};
const changed = (fields, change) =>
  Object.entries(fields).flatMap(([key, values]) => values.map((value) => (record) => change(record, { [key]: value })));

test("garbage is named, and left where it is", async () => {
  const garbage = [
    ...GARBAGE.texts,
    ...changed(GARBAGE.fields, (record, more) => ({ ...record, ...more })),
    ...changed(GARBAGE.reveals, (record, more) => ({ ...record, revealed: [{ ...record.revealed[0], ...more }] })),
    (record) => ({ ...record, revealed: Array.from({ length: 20_001 }, () => record.revealed[0]) }),
  ];
  for (const [at, value] of garbage.entries()) {
    const { storage, key } = await spoiled(value);
    const before = await storage.getItem(key);
    const { store, sift } = processOn(storage);
    const session = sift.session("chat");
    session.reveal(["b"]);
    for (const attempt of [() => store.open("chat"), () => store.save(session)])
      await refused(attempt(), "store_garbled", "chat").catch((error) => assert.fail(`garbage ${at}: ${error.message}`));
    assert.deepEqual(session.revealed, ["b"]);
    assert.deepEqual([await storage.getKeys(), await storage.getItem(key)], [[key], before]);
    await store.delete("chat");
    assert.deepEqual(await storage.getKeys(), []);
  }
  const { storage } = await spoiled((record) => ({ ...record, version: 3 }));
  await refused(processOn(storage).store.open("chat"), "store_garbled", "version 3; this toolsift reads 2");
});

test("a store that answers nonsense instead of a record", async () => {
  for (const value of [7, true, []]) {
    const { bent, bend } = observed();
    await processOn(bent).store.use("chat", (session) => session.reveal(["a"]));
    bend.getItem = () => value;
    await refused(processOn(bent).store.open("chat"), "store_garbled", "chat");
  }
});

test("options and arguments", async () => {
  const sift = new ToolSift();
  const { bent, calls } = observed();
  for (const [options, code, part] of [
    [{ tll: 5 }, "option_unknown", "did you mean ttl?"],
    [null, "option_invalid", "null"],
    [{ ttl: "7d" }, "option_invalid", "options.ttl is string 7d"],
    [{ ttl: 1.5 }, "option_invalid", "whole number"],
    [{ ttl: -1 }, "limit_out_of_range", "-1; 0 to 315360000"],
    [{ timeoutMs: 0 }, "limit_out_of_range", "1 to 600000"],
    ...["", ":", "a::b", "a/b", "..", "a b", "é", "*", "x".repeat(129)].map((prefix) => [
      ...[{ prefix }, "option_invalid", "options.prefix"],
    ]),
  ])
    assert.throws(
      () => new SessionStore(sift, bent, options),
      ({ code: of, message }) => of === code && message.includes(part),
    );
  for (const prefix of ["a", "my-app:Sessions_2"]) new SessionStore(sift, bent, { prefix, ttl: undefined, timeoutMs: null });
  assert.throws(() => new SessionStore(sift, {}), { code: "option_invalid", message: /createStorage/ });
  assert.throws(() => new SessionStore(bent, bent), { code: "option_invalid", message: /ToolSift/ });
  assert.throws(() => redisStore({}), { code: "option_invalid", message: /ioredis/ });

  const { store } = processOn(bent);
  for (const id of ["", "x".repeat(257)]) await refused(store.open(id), "session_id_invalid", "256");
  await refused(store.open(undefined), "option_invalid", "the id of a conversation");
  await refused(store.open("\ud800"), "text_invalid", "surrogate");
  await refused(store.use("chat"), "option_invalid", "function");
  await refused(store.save({}), "option_invalid", "Session");
  assert.deepEqual(calls, [], "the store was not asked");
  await refused(store.delete(""), "session_id_invalid");
});

/** How a session is saved and opened after it, and what that comes to. */
const narrow = { scope: { tools: ["s:a"] } };
const all = { scope: "all" };
for (const [saved, opened, comesTo] of [
  [[narrow], {}, "scope_required"],
  [[narrow], narrow, ["a"]],
  [[narrow], all, ["a"]],
  [[narrow, all], {}, ["a"]],
  [[all, narrow], {}, "scope_required"],
  [[{}], {}, ["a"]],
]) {
  test(`a session that had a scope is not opened without one: ${JSON.stringify([saved, opened])}`, async () => {
    const { storage } = observed();
    for (const options of saved) await processOn(storage).store.use("chat", (session) => session.reveal(["a"]), options);
    const { sift, store } = processOn(storage);
    // The second time, too: what the first one opened is closed.
    for (let times = 0; times < 2; times++) {
      if (comesTo === "scope_required") await refused(store.open("chat", opened), comesTo, "chat");
      else assert.deepEqual((await store.open("chat", opened)).revealed, comesTo);
    }
    if (comesTo !== "scope_required") return;
    assert.equal(sift.closeSession("chat"), false);
    assert.deepEqual((await store.open("chat", narrow)).revealed, ["a"]);
    await refused(store.open("chat", { scope: { tools: ["b"] } }), "option_invalid", "another scope");
  });
}

test("a session that is open without a scope stays as it is when another process gives it one", async () => {
  const { storage } = observed();
  const { store } = processOn(storage);
  const session = await store.open("chat");
  await processOn(storage).store.use("chat", (other) => other.reveal(["a"]), narrow);
  session.reveal(["b"]);
  await refused(store.open("chat"), "scope_required", "chat");
  assert.deepEqual(session.revealed, ["b"]);
  assert.deepEqual((await store.open("chat", all)).revealed.sort(), ["a", "b"]);
});

test("our own Redis keeps what a storage is asked to keep, and an error of it is one", async () => {
  const redis = await openRedis();
  const client = new Redis(redis.client);
  try {
    const storage = redisStore(client);
    await storage.setItem("toolsift:words", "one");
    await storage.setItem("toolsift:state", "two", { ttl: 60 });
    assert.deepEqual([await storage.getItem("toolsift:words"), (await client.ttl("toolsift:state")) > 0], ["one", true]);
    await storage.removeItem("toolsift:words");
    assert.equal(await storage.getItem("toolsift:words"), null);
    const { store } = processOn(storage);
    const session = await store.open("chat");
    session.reveal(["a"]);
    await client.hset("toolsift:id-chat", { no: "text" });
    await refused(store.save(session), "store_failed", "WRONGTYPE");
  } finally {
    client.disconnect();
    await redis.stop();
  }
});
