/**
 * How long is a session kept, and who waits for whom?
 *
 * 1. A session expires by its records' own time, also where the storage ends nothing; expired records are cleared away. 2.
 * A session in use does not expire, nor does what was not saved. 3. Where nothing changed, nothing is written. 4. Records
 * that others may not see superseded yet stay until they have settled. 5. Uses of one session wait for each other, those
 * of different sessions do not. 6. What throws within a use is thrown, after what was revealed is saved. 7. What was
 * deleted is gone.
 */

import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { createStorage } from "unstorage";
import { asSeenAnew, observed, pause, processOn, refused } from "./lib/shared.mjs";

const DAY = 86_400_000;
afterEach(() => mock.timers.reset());
const clock = () => mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 0, 1) });

test("a session expires, and its records are cleared away", async () => {
  clock();
  const storage = createStorage();
  const options = { store: { ttl: 7 * 86_400 } };
  const first = processOn(storage, options);
  await first.store.use("chat", (session) => session.reveal(["a"]));
  mock.timers.tick(7 * DAY - 1);
  assert.deepEqual(await asSeenAnew(storage, "chat", options), ["a"]);
  mock.timers.tick(1);
  const second = processOn(storage, options);
  assert.deepEqual((await second.store.open("chat")).revealed, []);
  assert.deepEqual((await first.store.open("chat")).revealed, [], "in the memory of who saved it, too");
  await second.store.use("chat", (session) => session.reveal(["b"]));
  assert.equal((await storage.getKeys()).length, 1);
  assert.deepEqual(await asSeenAnew(storage, "chat", options), ["b"]);
});

test("what was not saved does not expire with what was", async () => {
  clock();
  const storage = createStorage();
  const { store } = processOn(storage, { store: { ttl: 60 } });
  const session = await store.open("chat");
  session.reveal(["a"]);
  await store.save(session);
  session.reveal(["b"]);
  mock.timers.tick(61_000);
  assert.deepEqual((await store.open("chat")).revealed, ["b"]);
  await store.save(session);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["b"]);
});

test("a use that takes longer than the session is kept loses nothing", async () => {
  clock();
  const storage = createStorage();
  const { store } = processOn(storage, { store: { ttl: 60 } });
  await store.use("chat", (session) => session.reveal(["a"]));
  await store.use("chat", (session) => {
    mock.timers.tick(200_000);
    session.reveal(["b"]);
  });
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b"]);
  assert.equal((await storage.getKeys()).length, 1);
});

test("a session in use does not expire, though nothing changes", async () => {
  clock();
  const { storage, bent, calls } = observed();
  const { store } = processOn(bent, { store: { ttl: 10 * 86_400 } });
  await store.use("chat", (session) => session.reveal(["a"]));
  for (let day = 0; day < 40; day++) {
    mock.timers.tick(DAY);
    await store.use("chat", () => {});
  }
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
  // Written anew each time more than half of the ten days had passed: on days 6, 12, ... 36.
  assert.equal(calls.filter((name) => name === "setItem").length, 1 + 6);
});

test("with ttl 0 nothing expires", async () => {
  clock();
  const storage = createStorage();
  await processOn(storage, { store: { ttl: 0 } }).store.use("chat", (session) => session.reveal(["a"]));
  mock.timers.tick(10_000 * DAY);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
});

test("where nothing changed, nothing is written, and saving asks the store for nothing", async () => {
  const { storage, bent, calls } = observed();
  const { store } = processOn(bent);
  const session = await store.open("chat");
  await store.save(session);
  assert.deepEqual(calls, ["getKeys"]);
  session.reveal(["a"]);
  session.assemble();
  await store.save(session);
  calls.length = 0;
  await store.save(session);
  assert.deepEqual(calls, []);
  session.reveal(["b"]);
  await store.save(session);
  assert.deepEqual(calls, ["setItem", "removeItem"]);
  calls.length = 0;
  const anew = processOn(bent).store;
  await anew.use("chat", (one) => one.revealed);
  assert.deepEqual(calls, ["getKeys", "getItem"]);
  assert.equal((await storage.getKeys()).length, 1);
});

test("superseded records stay until they have settled", async () => {
  clock();
  const storage = createStorage();
  const options = { store: { settleMs: 60_000 } };
  const { store } = processOn(storage, options);
  const counts = [];
  for (const letter of "abcdefgh") {
    await store.use("chat", (session) => session.reveal([letter]));
    counts.push((await storage.getKeys()).length);
    mock.timers.tick(20_000);
  }
  // One of now, and those of up to a minute ago.
  assert.deepEqual(counts, [1, 2, 3, 3, 3, 3, 3, 3]);
  assert.deepEqual(await asSeenAnew(storage, "chat", options), [..."abcdefgh"]);
  // A process that sees only the oldest of them adds to what is there, and takes nothing away.
  const oldest = (await storage.getKeys()).sort()[0];
  const behind = observed();
  behind.bend.getKeys = async () => [oldest];
  behind.bend.getItem = (key) => storage.getItem(key);
  behind.bend.setItem = (...args) => storage.setItem(...args);
  behind.bend.removeItem = (key) => storage.removeItem(key);
  await processOn(behind.bent, options).store.use("chat", (session) => session.reveal(["z"]));
  assert.deepEqual([...(await asSeenAnew(storage, "chat", options))].sort().join(""), "abcdefghz");
});

test("uses of one session wait for each other, those of different sessions do not", async () => {
  const { store } = processOn(createStorage());
  const told = [];
  const use = (id, name, milliseconds) =>
    store.use(id, async () => {
      told.push(`${name} begins`);
      await pause(milliseconds);
      told.push(`${name} ends`);
      return name;
    });
  const answers = await Promise.all([use("one", "first", 60), use("one", "second", 5), use("two", "other", 5)]);
  assert.deepEqual(answers, ["first", "second", "other"]);
  const ofOne = told.filter((text) => !text.startsWith("other"));
  assert.deepEqual(ofOne, ["first begins", "first ends", "second begins", "second ends"]);
  assert.ok(told.indexOf("other ends") < told.indexOf("first ends"));
});

test("calls of the store for one session are made one after the other, and saving within a use is fine", async () => {
  const { storage, bent, bend } = observed();
  let running = 0;
  for (const method of ["getKeys", "getItem", "setItem", "removeItem"]) {
    bend[method] = async (...args) => {
      assert.equal(++running, 1, method);
      await pause(2);
      running--;
      return storage[method](...args);
    };
  }
  const { store } = processOn(bent);
  const session = await store.open("chat");
  const saves = [..."abcdef"].map((letter) => {
    session.reveal([letter]);
    return store.save(session);
  });
  await Promise.all([...saves, store.open("chat"), store.save(session)]);
  await store.use("chat", async (one) => {
    one.reveal(["g"]);
    await store.save(one);
    assert.deepEqual((await store.open("chat")).revealed, [..."abcdefg"]);
  });
  assert.deepEqual(await asSeenAnew(storage, "chat"), [..."abcdefg"]);
});

test("what throws within a use is thrown, and what it revealed is saved", async () => {
  const { storage, bent, bend } = observed();
  const { store } = processOn(bent);
  const mine = new TypeError("the model is down");
  const failing = (session) => {
    session.reveal(["a"]);
    throw mine;
  };
  await assert.rejects(store.use("chat", failing), (error) => error === mine);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
  bend.setItem = () => assert.fail("out of order");
  await assert.rejects(
    store.use("chat", (session) => (session.reveal(["b"]), failing(session))),
    (error) => error === mine,
  );
  await refused(
    store.use("chat", (session) => session.revealed),
    "store_failed",
  );
  delete bend.setItem;
  assert.deepEqual(await store.use("chat", (session) => session.revealed), ["a", "b"], "the queue goes on");
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b"]);
});

test("what was deleted is gone, here and in the store", async () => {
  const storage = createStorage();
  const { store, sift } = processOn(storage);
  const session = await store.open("chat", { scope: { tools: ["a"] } });
  session.reveal(["a"]);
  await store.save(session);
  await store.use("other", (one) => one.reveal(["b"]));
  await store.delete("chat");
  assert.throws(() => session.revealed, { code: "session_closed" });
  assert.equal((await storage.getKeys()).length, 1);
  assert.deepEqual(sift.session("other").revealed, ["b"]);
  assert.deepEqual(
    (await store.open("chat", { scope: { tools: ["b"] } })).revealed,
    [],
    "another session, of another scope",
  );
  await store.delete("never-was");
  assert.deepEqual(await asSeenAnew(storage, "chat"), []);
});
