/** Tests how long a session is kept, and which calls wait for each other. */

import assert from "node:assert/strict";
import { mock } from "node:test";
import { afterEach, test } from "vitest";
import { createStorage } from "unstorage";
import { asSeenAnew, observed, pause, processOn, refused } from "./lib/shared.mjs";

const DAY = 86_400_000;
afterEach(() => mock.timers.reset());
const clock = () => mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 0, 1) });
const reveals =
  (...names) =>
  (session) =>
    session.reveal(names);

test("a session expires, and its records are cleared away", async () => {
  clock();
  const storage = createStorage();
  const options = { store: { ttl: 7 * 86_400 } };
  const [first, second, forever] = [processOn(storage, options), processOn(storage, options), createStorage()];
  await processOn(forever, { store: { ttl: 0 } }).store.use("chat", reveals("a"));
  await first.store.use("chat", reveals("a"));
  mock.timers.tick(7 * DAY - 1);
  assert.deepEqual(await asSeenAnew(storage, "chat", options), ["a"]);
  mock.timers.tick(1);
  assert.deepEqual((await second.store.open("chat")).revealed, []);
  assert.deepEqual((await first.store.open("chat")).revealed, ["a"], "what is in memory stands");
  await second.store.use("chat", reveals("b"));
  assert.equal((await storage.getKeys()).length, 1);
  assert.deepEqual(await asSeenAnew(storage, "chat", options), ["b"]);
  mock.timers.tick(10_000 * DAY);
  assert.deepEqual(await asSeenAnew(forever, "chat"), ["a"], "with ttl 0 nothing expires");
});

test("what is in memory does not expire, and a long use loses nothing", async () => {
  clock();
  const storage = createStorage();
  const { store } = processOn(storage, { store: { ttl: 60 } });
  await store.use("chat", reveals("a"));
  const session = await store.open("chat");
  session.reveal(["b"]);
  mock.timers.tick(61_000);
  assert.deepEqual((await store.open("chat")).revealed, ["a", "b"]);
  await store.save(session);
  await store.use("chat", (one) => (mock.timers.tick(200_000), one.reveal(["c"])));
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "c"]);
});

test("a session in use does not expire, though nothing changes", async () => {
  clock();
  const { storage, bent, calls } = observed();
  const { store } = processOn(bent, { store: { ttl: 10 * 86_400 } });
  await store.use("chat", reveals("a"));
  for (let day = 0; day < 40; day++) {
    mock.timers.tick(DAY);
    await store.use("chat", () => {});
  }
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
  // Written anew each time more than half of the ten days had passed: on days 6, 12, ... 36.
  assert.equal(calls.filter((name) => name === "setItem").length, 1 + 6);
});

test("where nothing changed, nothing is written", async () => {
  const { storage, bent, calls } = observed();
  const { store } = processOn(bent);
  const session = await store.open("chat");
  const asked = async (work) => {
    calls.length = 0;
    await work();
    return calls.join(" ");
  };
  assert.equal(await asked(() => store.save(session)), "getItem");
  session.reveal(["a"]);
  session.assemble();
  assert.equal(await asked(() => store.save(session)), "getItem setItem");
  assert.equal(await asked(() => store.save(session)), "getItem");
  assert.equal(await asked(() => processOn(bent).store.use("chat", (one) => one.revealed)), "getItem getItem");
  assert.equal((await storage.getKeys()).length, 1);
});

test("uses of one session wait for each other, those of different sessions do not", async () => {
  const { store } = processOn(createStorage());
  const told = [];
  let end;
  const waits = new Promise((resolve) => (end = resolve));
  const use = (id, name, work) =>
    store.use(id, async () => {
      told.push(`${name} begins`);
      await work();
      told.push(`${name} ends`);
      return name;
    });
  const all = [use("one", "first", () => waits), use("one", "second", () => {}), use("two", "other", () => end())];
  assert.deepEqual(await Promise.all(all), ["first", "second", "other"]);
  const ofOne = told.filter((text) => !text.startsWith("other"));
  assert.deepEqual(ofOne, ["first begins", "first ends", "second begins", "second ends"]);
});

test("calls of the store for one session are made one after the other, and saving within a use is fine", async () => {
  const { storage, bent, bend } = observed();
  let running = 0;
  for (const method of ["getItem", "setItem", "removeItem"]) {
    bend[method] = async (...args) => {
      assert.equal(++running, 1, method);
      await pause(2);
      running--;
      return storage[method](...args);
    };
  }
  const { store } = processOn(bent);
  const session = await store.open("chat");
  const saves = [..."abcdef"].map((letter) => (session.reveal([letter]), store.save(session)));
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
  const failing = (...names) =>
    store.use("chat", (session) => {
      session.reveal(names);
      throw mine;
    });
  await assert.rejects(failing("a"), (error) => error === mine);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a"]);
  bend.setItem = () => assert.fail("out of order");
  await assert.rejects(failing("b"), (error) => error === mine);
  await refused(
    store.use("chat", () => {}),
    "store_failed",
  );
  delete bend.setItem;
  assert.deepEqual(await store.use("chat", (session) => session.revealed), ["a", "b"], "the queue goes on");
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b"]);
});

test("what was deleted is gone, here and in the store", async () => {
  const storage = createStorage();
  const { store, sift } = processOn(storage);
  await store.use("chat", reveals("a"), { scope: { tools: ["a"] } });
  await store.use("other", reveals("b"));
  const session = await store.open("chat", { scope: { tools: ["a"] } });
  await store.delete("chat");
  assert.throws(() => session.revealed, { code: "session_closed" });
  assert.equal((await storage.getKeys()).length, 1);
  assert.deepEqual(sift.session("other").revealed, ["b"]);
  assert.deepEqual((await store.open("chat", { scope: { tools: ["b"] } })).revealed, [], "of another scope");
  await store.delete("never-was");
  assert.deepEqual(await asSeenAnew(storage, "chat"), []);
});
