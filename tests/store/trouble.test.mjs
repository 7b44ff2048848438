/**
 * What goes wrong with a store, and what it must not cost.
 *
 * 1. A store that is down, throws or does not answer is `store_failed` with its cause; the session in memory is as it
 * was, and is saved when the store is back. 2. Garbage is `store_garbled` and names the key; nothing is removed or
 * overwritten. 3. A record that is just being written is waited for; one that has just been superseded is not missed.
 * 4. Options are checked by name, type and range. 5. Everything that grows has a bound.
 */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import redisDriver from "unstorage/drivers/redis";
import { openRedis } from "./lib/redis.mjs";
import {
  asSeenAnew,
  LETTERS,
  observed,
  pause,
  processOn,
  redisStore,
  refused,
  SessionStore,
  scratch,
  ToolSift,
} from "./lib/shared.mjs";

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
    const error = await refused(store.save(session), "store_failed", "setItem");
    assert.ok(error.cause instanceof Error);
    await refused(store.open("chat"), "store_failed", "getKeys");
    await refused(store.delete("chat"), "store_failed", "getKeys");
    await refused(processOn(storage, { store: { timeoutMs: 500 } }).store.open("chat"), "store_failed");
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

test("each call of a store may fail, in each way, and nothing is lost", async () => {
  const ways = {
    throws: () => assert.fail("out of order"),
    rejects: async () => Promise.reject(new Error("out of order")),
    "throws no error": () => {
      throw "out of order";
    },
    "answers with an error": () => new Error("out of order"),
    "does not answer": () => new Promise(() => {}),
  };
  for (const [way, fail] of Object.entries(ways)) {
    for (const method of ["getKeys", "getItem", "setItem", "removeItem"]) {
      const { storage, bent, bend } = observed();
      const { store } = processOn(bent, { store: { timeoutMs: 50 } });
      const session = await store.open("chat");
      session.reveal(["a", "b"]);
      await store.save(session);
      session.conceal(["a"]);
      session.reveal(["c"]);
      bend[method] = fail;
      const what = `${method} ${way}`;
      if (method === "setItem") await refused(store.save(session), "store_failed", method);
      else await store.save(session);
      const anew = processOn(bent, { store: { timeoutMs: 50 } }).store;
      if (method === "getKeys" || method === "getItem") {
        const { cause } = await refused(anew.open("chat"), "store_failed", method);
        assert.ok(way === "throws no error" || cause instanceof Error, what);
      }
      if (method === "getKeys" || method === "removeItem") await refused(store.delete("chat"), "store_failed", method);
      assert.deepEqual(session.revealed, ["b", "c"], what);
      delete bend[method];
      assert.deepEqual((await store.open("chat")).revealed, ["b", "c"], what);
      await store.save(session);
      assert.deepEqual(await asSeenAnew(storage, "chat"), ["b", "c"], what);
      session.assemble();
      await store.save(session);
      assert.equal((await storage.getKeys()).length, 1, `${what}: superseded records are gone in the end`);
    }
  }
});

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

test("a write that was given up and arrives late takes nothing back", async () => {
  const { storage, bent, bend } = observed();
  const { store } = processOn(bent, { store: { timeoutMs: 30 } });
  const session = await store.open("chat");
  session.reveal(["a", "b"]);
  const late = [];
  bend.setItem = (...args) => new Promise((done) => late.push(() => storage.setItem(...args).then(done)));
  await refused(store.save(session), "store_failed", "30 ms");
  delete bend.setItem;
  session.conceal(["a"]);
  await store.save(session);
  for (const arrive of late) arrive();
  await pause(10);
  assert.equal((await storage.getKeys()).length, 2);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["b"]);
});

/** A session with one record, whose place is then taken by something else. */
async function spoiled(value) {
  const storage = createStorage();
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const [key] = await storage.getKeys();
  const record = await storage.getItem(key);
  await storage.setItem(key, typeof value === "function" ? value(structuredClone(record)) : value);
  return { storage, key };
}

test("garbage is named, and left where it is", async () => {
  const with_ = (more) => (record) => ({ ...record, ...more });
  const reveal = (more) => (record) => ({ ...record, revealed: [{ ...record.revealed[0], ...more }] });
  const garbage = [
    "no record",
    "[]",
    "7",
    "true",
    "{}",
    '{"toolsift":2,"id":"chat","revealed":[]}',
    with_({ toolsift: 1 }),
    with_({ version: 2 }),
    with_({ version: "1" }),
    with_({ id: "other" }),
    with_({ id: undefined }),
    with_({ expires: "tomorrow" }),
    with_({ expires: -1 }),
    with_({ turn: -1 }),
    with_({ turn: 1e300 }),
    with_({ turn: null }),
    with_({ revealed: {} }),
    with_({ revealed: [null] }),
    with_({ revealed: [[]] }),
    with_({ revealed: undefined }),
    with_({ concealed: "all" }),
    with_({ concealed: [{}] }),
    with_({ concealed: [{ dot: "x", at: 1 }] }),
    reveal({ dot: "__proto__" }),
    reveal({ dot: "" }),
    reveal({ dot: 7 }),
    reveal({ at: 1.5 }),
    reveal({ at: 2 ** 53 }),
    reveal({ name: 7 }),
    reveal({ name: undefined }),
    reveal({ server: {} }),
    reveal({ used: "now" }),
    (record) => ({ ...record, revealed: Array.from({ length: 20_001 }, () => record.revealed[0]) }),
    (record) => ({ ...record, more: "x".repeat(4_200_000) }),
  ];
  for (const [i, value] of garbage.entries()) {
    const { storage, key } = await spoiled(value);
    const before = await storage.getItem(key);
    const { store, sift } = processOn(storage);
    const session = sift.session("chat");
    session.reveal(["b"]);
    for (const attempt of [() => store.open("chat"), () => store.save(session)]) {
      await refused(attempt(), "store_garbled", key).catch((error) => assert.fail(`garbage ${i}: ${error.message}`));
    }
    assert.deepEqual(session.revealed, ["b"]);
    assert.deepEqual(await storage.getKeys(), [key], `garbage ${i} is there`);
    assert.deepEqual(await storage.getItem(key), before);
    if (i === 0) {
      await store.delete("chat");
      assert.deepEqual(await storage.getKeys(), []);
    }
  }
});

test("a newer version is said to be one", async () => {
  const { storage } = await spoiled((record) => ({ ...record, version: 2 }));
  await refused(processOn(storage).store.open("chat"), "store_garbled", "version 2; this toolsift reads 1");
});

test("a store that answers nonsense instead of keys or records", async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const getter = Object.defineProperty({}, "toolsift", { enumerable: true, get: () => assert.fail("boom") });
  for (const keys of [null, undefined, "chat", 7, {}, cyclic]) {
    await refused(processOn(observed({ getKeys: () => keys }).bent).store.open("chat"), "store_garbled", "getKeys");
  }
  for (const value of [7, true, () => {}, Symbol("x"), 1n, cyclic, getter, [], new Map()]) {
    const { bent, bend } = observed();
    await processOn(bent).store.use("chat", (session) => session.reveal(["a"]));
    bend.getItem = () => value;
    await refused(processOn(bent).store.open("chat"), "store_garbled", "toolsift:id-chat:");
  }
});

test("what else stands among the keys is nobody's record", async () => {
  const storage = createStorage();
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const [key] = await storage.getKeys();
  const others = [
    "toolsift:id-chat:.DS_Store",
    "toolsift:id-chat:notes",
    `${key}:more`,
    `${key}0`,
    `x${key}`,
    "toolsift:id-chat",
  ];
  for (const other of others) await storage.setItem(other, "not ours");
  const { store } = processOn(
    observed({ getKeys: async () => [7, null, ...(await storage.getKeys())], getItem: (at) => storage.getItem(at) }).bent,
  );
  assert.deepEqual((await store.open("chat")).revealed, ["a"]);
  await processOn(storage).store.delete("chat");
  assert.deepEqual((await storage.getKeys()).sort(), others.sort());
});

test("a file that is just being written is waited for", async () => {
  const base = scratch();
  const storage = createStorage({ driver: fsDriver({ base }) });
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const [key] = await storage.getKeys();
  const file = join(base, ...key.split(":"));
  const whole = JSON.stringify(await storage.getItem(key));
  for (const part of ["", whole.slice(0, 40)]) {
    writeFileSync(file, part);
    const opening = processOn(storage).store.open("chat");
    await pause(40);
    writeFileSync(file, whole);
    assert.deepEqual((await opening).revealed, ["a"]);
  }
  // A folder in a record's place is no record either, and gone for good as far as the driver can say.
  mkdirSync(join(base, "toolsift", "id-other", key.split(":").at(-1)), { recursive: true });
  assert.deepEqual(await asSeenAnew(storage, "other"), []);
});

test("a record that goes while it is read has a successor, which is read", async () => {
  const { storage, bent, bend } = observed();
  const first = processOn(storage).store;
  await first.use("chat", (session) => session.reveal(["a"]));
  let times = 0;
  bend.getItem = async (key) => {
    // Between the list and the read, somebody else saves, time after time.
    if (times++ < 20) await first.use("chat", (session) => session.reveal(["abcdefghijklmnopqrstuvwxyz"[times]]));
    return storage.getItem(key);
  };
  const { store } = processOn(bent);
  assert.equal((await store.open("chat")).revealed.length, 21);
});

test("a list that lags behind shows what is gone, and that is no endless wait", async () => {
  const { storage, bent, bend, calls } = observed();
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const ghosts = await storage.getKeys();
  await processOn(storage).store.use("chat", (session) => session.reveal(["b"]));
  bend.getKeys = async (base) => [...ghosts, ...(await storage.getKeys(base))];
  assert.deepEqual((await processOn(bent).store.open("chat")).revealed, ["a", "b"]);
  assert.deepEqual(calls, ["getKeys", "getItem", "getItem", "getKeys"]);
});

test("more records than are read are an error, not a wait", async () => {
  const storage = createStorage();
  await processOn(storage).store.use("chat", (session) => session.reveal(["a"]));
  const [key] = await storage.getKeys();
  const record = await storage.getItem(key);
  const copy = (i) => `${key.slice(0, -16)}${i.toString(16).padStart(16, "0")}`;
  for (let i = 0; i < 1_023; i++) await storage.setItem(copy(i), record);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
  await storage.setItem(copy(1_023), record);
  await refused(processOn(storage).store.open("chat"), "store_garbled", "1025 records");
  assert.equal((await storage.getKeys()).length, 1_025);
  await processOn(storage).store.delete("chat");
  assert.deepEqual(await storage.getKeys(), []);
});

test("conceals are remembered up to a bound", async () => {
  const storage = createStorage();
  const { store } = processOn(storage);
  const session = await store.open("chat");
  for (let i = 0; i < 60; i++) {
    session.reveal(LETTERS.slice(0, 10));
    await store.save(session);
    session.conceal(LETTERS);
    await store.save(session);
  }
  const [key] = await storage.getKeys();
  const record = await storage.getItem(key);
  assert.equal(record.concealed.length, 520, "512, and those that were made together with the oldest of them");
  assert.equal(record.revealed.length, 0);
  const places = record.concealed.map(({ at }) => at);
  assert.deepEqual([Math.min(...places), Math.max(...places)], [11 * 9, 11 * 60], "the newest");
});

test("however many processes reveal the same tools, a record stays small", async () => {
  const storage = createStorage();
  for (let i = 0; i < 20; i++) {
    const { store, sift } = processOn(storage);
    // Unknown to this store, the session is in memory with the same tools, and one of the others' comes last.
    sift.session("chat").reveal(["c", "b", "a"]);
    await store.save(sift.session("chat"));
    await store.use("chat", (session) => (session.conceal(["b"]), session.reveal(["b"]), session.assemble()));
  }
  const all = Array.from({ length: 12 }, () => processOn(storage));
  const sessions = await Promise.all(all.map(({ store }) => store.open("chat")));
  sessions.forEach((session) => session.reveal(["z"]));
  await Promise.all(all.map(({ store }, i) => store.save(sessions[i])));
  await processOn(storage).store.use("chat", (session) => session.assemble());
  const [key] = await storage.getKeys();
  const { revealed } = await storage.getItem(key);
  const count = (name) => revealed.filter((one) => one.name === name).length;
  assert.deepEqual(["c", "a", "b", "z"].map(count), [1, 1, 1, 4]);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["c", "a", "b", "z"]);
});

test("more than a record may hold is refused before it is written", async () => {
  const { storage, bent, calls } = observed();
  const limits = { revealed: 20_000 };
  const server = "x".repeat(500);
  const names = Array.from({ length: 9_000 }, (_, i) => `tool_${i}`);
  const filled = () => {
    const sift = new ToolSift({ limits });
    sift.register(
      names.map((name) => ({ name, inputSchema: { type: "object" } })),
      { server },
    );
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
  assert.deepEqual(await storage.getKeys(), []);
  sift.restore(snapshot(5_000), { replace: true });
  await store.save(session);
  assert.equal(session.revealed.length, 5_000);
  assert.deepEqual((await new SessionStore(filled(), storage).open("chat")).revealed, session.revealed);
});

test("options", async () => {
  const sift = new ToolSift();
  const storage = createStorage();
  const make = (options) => Promise.resolve().then(() => new SessionStore(sift, storage, options));
  await refused(make({ tll: 5 }), "option_unknown", "did you mean ttl?");
  await refused(make({ settleMS: 5 }), "option_unknown", "settleMs");
  await refused(make({ timeout: 5 }), "option_unknown", "timeoutMs");
  await refused(make({ ["x".repeat(10_000)]: 5 }), "option_unknown", "xxx");
  await refused(make({ constructor: 5 }), "option_unknown", "constructor");
  await refused(make(null), "option_invalid", "null");
  await refused(make("toolsift"), "option_invalid", "toolsift");
  await refused(make([]), "option_invalid", "a list");
  await refused(make({ ttl: "7d" }), "option_invalid", "options.ttl is string 7d");
  await refused(make({ ttl: 1.5 }), "option_invalid", "whole number");
  await refused(make({ ttl: -1 }), "limit_out_of_range", "-1; 0 to 315360000");
  await refused(make({ ttl: NaN }), "limit_out_of_range", "NaN");
  await refused(make({ ttl: Infinity }), "limit_out_of_range", "Infinity");
  await refused(make({ settleMs: -1 }), "limit_out_of_range", "settleMs");
  await refused(make({ timeoutMs: 0 }), "limit_out_of_range", "1 to 600000");
  for (const prefix of ["", ":", "a:", ":a", "a::b", "a/b", "..", "a b", "é", "*", "x".repeat(129), 7, {}]) {
    await refused(make({ prefix }), "option_invalid", "options.prefix");
  }
  for (const prefix of ["a", "my-app:Sessions_2", "x".repeat(128)]) await make({ prefix, ttl: undefined, settleMs: null });
  for (const store of [undefined, null, 7, "redis://", {}, { getKeys() {}, getItem() {}, setItem() {} }]) {
    await refused(
      Promise.resolve().then(() => new SessionStore(sift, store)),
      "option_invalid",
      "createStorage",
    );
  }
  for (const wrong of [undefined, null, {}, storage]) {
    await refused(
      Promise.resolve().then(() => new SessionStore(wrong, storage)),
      "option_invalid",
      "ToolSift",
    );
  }
});

test("arguments", async () => {
  const { bent, calls } = observed();
  const { store, sift } = processOn(bent);
  for (const id of ["", "x".repeat(257)]) await refused(store.open(id), "session_id_invalid", "256");
  await refused(store.open(undefined), "option_invalid", "the id of a conversation");
  for (const id of [null, 7, {}, []]) await refused(store.open(id), "option_invalid", "id");
  await refused(store.open("\ud800"), "text_invalid", "surrogate");
  await refused(store.open("chat", { scop: {} }), "option_unknown", "scope");
  await refused(store.use("chat"), "option_invalid", "function");
  await refused(
    store.use("", () => {}),
    "session_id_invalid",
  );
  for (const wrong of [undefined, null, 7, "chat", {}]) await refused(store.save(wrong), "option_invalid", "Session");
  assert.deepEqual(calls, [], "the store was not asked");
  await refused(store.delete(7), "option_invalid", "session id");
  await refused(store.delete(""), "session_id_invalid");
  await store.open("scoped", { scope: { tools: ["a"] } });
  await refused(store.open("scoped", { scope: { tools: ["b"] } }), "option_invalid", "another scope");
  sift.dispose();
  await refused(store.open("chat"), "disposed");
});

/** How a session is saved and opened after it, and what that comes to. */
const SCOPED = [
  { saved: [{ scope: { tools: ["s:a"] } }], opened: {}, comesTo: "scope_required" },
  { saved: [{ scope: { tools: ["s:a"] } }], opened: { scope: { tools: ["s:a"] } }, comesTo: ["a"] },
  { saved: [{ scope: { tools: ["s:a"] } }], opened: { scope: "all" }, comesTo: ["a"] },
  { saved: [{ scope: { tools: ["s:a"] } }, { scope: "all" }], opened: {}, comesTo: ["a"] },
  { saved: [{ scope: "all" }, { scope: { tools: ["s:a"] } }], opened: {}, comesTo: "scope_required" },
  { saved: [{}], opened: {}, comesTo: ["a"] },
];
for (const { saved, opened, comesTo } of SCOPED) {
  test(`a session that had a scope is not opened without one: ${JSON.stringify({ saved, opened })}`, async () => {
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
    assert.deepEqual((await store.open("chat", { scope: { tools: ["s:a"] } })).revealed, ["a"]);
  });
}

test("a session that is open without a scope stays as it is when another process gives it one", async () => {
  const { storage } = observed();
  const { store } = processOn(storage);
  const session = await store.open("chat");
  await processOn(storage).store.use("chat", (other) => other.reveal(["a"]), { scope: { tools: ["s:a"] } });
  session.reveal(["b"]);
  await refused(store.open("chat"), "scope_required", "chat");
  assert.deepEqual(session.revealed, ["b"]);
  assert.deepEqual((await store.open("chat", { scope: "all" })).revealed.sort(), ["a", "b"]);
});

test("a client of Redis has its commands in lower or in upper case, and an error among its answers is one", async () => {
  const kept = new Map();
  const commands = {
    hkeys: async (key) => Object.keys(kept.get(key) ?? {}),
    hget: async (key, field) => kept.get(key)?.[field] ?? null,
    hdel: async (key, field) => delete kept.get(key)?.[field],
    get: async (key) => kept.get(key) ?? null,
    set: async (key, value) => void kept.set(key, value),
    setex: async (key, seconds, value) => void kept.set(key, `${value} for ${seconds} s`),
    del: async (key) => kept.delete(key),
    multi() {
      const all = [];
      const queued = (work) => (all.push(work), many);
      const many = {
        hset: (key, fields) => queued(() => kept.set(key, { ...kept.get(key), ...fields })),
        expire: () => queued(() => 1),
        exec: async () => all.map((work) => work()),
      };
      return upper === undefined ? many : inUpperCase(many);
    },
  };
  let upper;
  const inUpperCase = (object) => Object.fromEntries(Object.entries(object).map(([name, of]) => [name.toUpperCase(), of]));
  await processOn(redisStore(commands)).store.use("chat", (session) => session.reveal(["a"]));
  upper = inUpperCase(commands);
  const { store } = processOn(redisStore(upper));
  await store.use("chat", (session) => session.reveal(["b"]));
  assert.deepEqual(await asSeenAnew(redisStore(commands), "chat"), ["a", "b"]);
  const storage = redisStore(commands);
  await storage.setItem("toolsift:words", "one");
  await storage.setItem("toolsift:state", "two", { ttl: 60 });
  assert.deepEqual([kept.get("toolsift:words"), await storage.getItem("toolsift:state")], ["one", "two for 60 s"]);
  await storage.removeItem("toolsift:words");
  assert.deepEqual([...kept.keys()], ["toolsift:id-chat", "toolsift:state"]);
  upper.MULTI = () => ({
    HSET: () => upper.MULTI(),
    EXPIRE: () => upper.MULTI(),
    EXEC: async () => [[new Error("OOM"), null]],
  });
  const session = await store.open("chat");
  session.reveal(["c"]);
  await refused(store.save(session), "store_failed", "OOM");
  for (const wrong of [undefined, {}, { get() {} }]) {
    assert.throws(() => redisStore(wrong), { code: "option_invalid", message: /ioredis/ });
  }
});
