/**
 * Several processes in one conversation, over one storage.
 *
 * 1. What one saves, the next one has, in the same order; a chain of processes never reorders. 2. What two reveal at once
 * is all there afterwards, in an order that both agree on. 3. A conceal takes back what its process had seen; a reveal
 * made meanwhile stands. 4. A session open in memory is brought up to date, and loses nothing that it has not saved. 5. A
 * session that the core has forgotten, and a tool that the catalog or the scope lacks, conceal nothing. 6. Turns and uses
 * are the latest of all. 7. Whatever the order of what happens, all agree in the end.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createStorage } from "unstorage";
import { isFull } from "../../scripts/lib/full.mjs";
import { asSeenAnew, LETTERS, processOn, refused, tools } from "./lib/shared.mjs";

/** A session in which one process revealed `a` and `b`, opened by another. */
async function inTwoProcesses() {
  const storage = createStorage();
  const [one, two] = [processOn(storage), processOn(storage)];
  const mine = await one.store.open("chat");
  mine.reveal(["a", "b"]);
  await one.store.save(mine);
  return { storage, one, two, mine, theirs: await two.store.open("chat") };
}

test("a chain of processes: each has what those before it revealed, and the tools of its request only grow", async () => {
  const storage = createStorage();
  let sent = "[";
  for (const letter of LETTERS.slice(0, 12).reverse()) {
    const { store } = processOn(storage);
    const session = await store.open("chat");
    session.reveal([letter]);
    const text = JSON.stringify(session.assemble({ format: "openai" }).tools);
    assert.ok(text.startsWith(sent), `${letter} does not only append`);
    sent = text.slice(0, -1);
    await store.save(session);
  }
  assert.deepEqual(await asSeenAnew(storage, "chat"), LETTERS.slice(0, 12).reverse());
});

test("what two reveal at once is there for both, in one order", async () => {
  const storage = createStorage();
  const [one, two] = [processOn(storage), processOn(storage)];
  const sessions = [await one.store.open("chat"), await two.store.open("chat")];
  sessions[0].reveal(["a", "b", "c"]);
  sessions[1].reveal(["d", "b", "e"]);
  await Promise.all([one.store.save(sessions[0]), two.store.save(sessions[1])]);
  const first = (await one.store.open("chat")).revealed;
  assert.deepEqual([...first].sort(), ["a", "b", "c", "d", "e"]);
  assert.deepEqual((await two.store.open("chat")).revealed, first);
  assert.deepEqual(await asSeenAnew(storage, "chat"), first);
});

test("a conceal is seen by the others, and a reveal that it did not know of stands", async () => {
  const { storage, one, two, mine, theirs } = await inTwoProcesses();
  theirs.conceal(["a", "b"]);
  await two.store.save(theirs);
  assert.deepEqual((await one.store.open("chat")).revealed, []);
  assert.deepEqual(await asSeenAnew(storage, "chat"), []);

  mine.reveal(["a"]);
  await one.store.save(mine);
  await two.store.open("chat");
  theirs.conceal(["a"]);
  mine.conceal(["a"]);
  mine.reveal(["b", "a"]);
  await two.store.save(theirs);
  await one.store.save(mine);
  assert.deepEqual((await two.store.open("chat")).revealed, ["b", "a"]);
  assert.deepEqual((await one.store.open("chat")).revealed, ["b", "a"]);
});

test("opening again brings what others did, and keeps what was not saved", async () => {
  const { one, two, mine, theirs } = await inTwoProcesses();
  theirs.conceal(["a"]);
  theirs.reveal(["c"]);
  await two.store.save(theirs);
  mine.reveal(["d"]);
  assert.deepEqual((await one.store.open("chat")).revealed, ["b", "c", "d"]);
  assert.deepEqual(mine.revealed, ["b", "c", "d"], "both handles are the same session");
  mine.conceal(["c"]);
  assert.deepEqual((await one.store.open("chat")).revealed, ["b", "d"]);
  await one.store.save(mine);
  assert.deepEqual((await two.store.open("chat")).revealed, ["b", "d"]);
});

test("a tool revealed again after it was concealed stands where it stands in memory", async () => {
  const storage = createStorage();
  const { store } = processOn(storage);
  const session = await store.open("chat");
  session.reveal(["a", "b", "c"]);
  await store.save(session);
  session.conceal(["a"]);
  session.reveal(["a"]);
  await store.save(session);
  assert.deepEqual(session.revealed, ["b", "c", "a"]);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["b", "c", "a"]);
});

test("a session that was in memory before its store knew of it", async () => {
  const storage = createStorage();
  const [one, two] = [processOn(storage), processOn(storage)];
  const theirs = await two.store.open("chat");
  theirs.reveal(["a", "b"]);
  await two.store.save(theirs);
  const mine = one.sift.session("chat");
  mine.reveal(["c", "b"]);
  assert.deepEqual((await one.store.open("chat")).revealed, ["a", "b", "c"]);

  const other = processOn(storage);
  const unopened = other.sift.session("chat");
  unopened.reveal(["d"]);
  await other.store.save(unopened);
  assert.deepEqual(unopened.revealed, ["d"], "saving changes nothing in memory");
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "d"]);
  await one.store.save(mine);
  const end = await asSeenAnew(storage, "chat");
  assert.deepEqual(end.slice(0, 2), ["a", "b"]);
  assert.deepEqual(end.slice(2).sort(), ["c", "d"], "which were revealed at once");
});

test("a session that the core has forgotten has concealed nothing", async () => {
  const storage = createStorage();
  const { store, sift } = processOn(storage, { sift: { limits: { sessions: 1 } } });
  const session = await store.open("chat");
  session.reveal(["a", "b"]);
  session.assemble();
  await store.save(session);
  for (const other of ["x", "y", "z"]) sift.session(other).reveal(["z"]);
  assert.throws(() => session.assemble(), { code: "session_closed" });
  await refused(store.save(session), "session_closed", "chat");
  const anew = sift.session("chat");
  for (let turn = 0; turn < 3; turn++) anew.assemble();
  anew.reveal(["c"]);
  await store.save(anew);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "c"]);
  assert.deepEqual((await store.open("chat")).revealed, ["a", "b", "c"]);
  anew.close();
  const last = await store.open("chat");
  assert.deepEqual(last.revealed, ["a", "b", "c"], "closing gives memory back, no more");
  last.conceal(["b"]);
  await store.save(last);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "c"]);
});

test("a session of another ToolSift is refused, and changes nothing in this one's store", async () => {
  const storage = createStorage();
  const [one, two] = [processOn(storage), processOn(storage)];
  const mine = await one.store.open("chat");
  mine.reveal(["a", "b"]);
  await one.store.save(mine);
  const theirs = two.sift.session("chat");
  theirs.reveal(["c"]);
  await assert.rejects(one.store.save(theirs), { code: "option_invalid", message: /of the same ToolSift/ });
  await one.store.save(mine);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b"]);
});

test("a tool that one process does not have is kept for those that do", async () => {
  const storage = createStorage();
  const full = processOn(storage);
  const session = await full.store.open("chat");
  session.reveal(["a", "b", "c"]);
  await full.store.save(session);

  const poor = processOn(storage, { names: ["a", "c", "d"] });
  const theirs = await poor.store.open("chat");
  assert.deepEqual(theirs.revealed, ["a", "c"]);
  theirs.reveal(["d"]);
  theirs.conceal(["c"]);
  await poor.store.save(theirs);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "d"]);
  poor.sift.register(tools(["b"]), { server: "s" });
  assert.deepEqual(theirs.revealed, ["a", "b", "d"]);

  const narrow = processOn(storage);
  const scoped = await narrow.store.open("chat", { scope: { tools: ["a"] } });
  assert.deepEqual(scoped.revealed, ["a"]);
  scoped.assemble();
  await narrow.store.save(scoped);
  assert.equal(scoped.call("b").kind, "refused");
  assert.deepEqual((await processOn(storage).store.open("chat", { scope: "all" })).revealed, ["a", "b", "d"]);
});

test("what has no room in one process is not lost to the others", async () => {
  const storage = createStorage();
  const wide = processOn(storage);
  const session = await wide.store.open("chat");
  session.reveal(["a", "b", "c", "d"]);
  await wide.store.save(session);
  const narrow = processOn(storage, { sift: { limits: { revealed: 2 } } });
  const theirs = await narrow.store.open("chat");
  assert.equal(theirs.revealed.length, 2);
  theirs.assemble();
  await narrow.store.save(theirs);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "c", "d"]);
});

test("an eviction is a conceal", async () => {
  const storage = createStorage();
  const { store } = processOn(storage);
  const session = await store.open("chat");
  session.reveal(["a", "b", "c"]);
  session.assemble();
  session.call("b", {});
  await store.save(session);
  session.evict({ tools: 1 });
  await store.save(session);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["b"]);
});

test("turns and uses are the latest of all", async () => {
  const storage = createStorage();
  const [one, two] = [processOn(storage), processOn(storage)];
  const mine = await one.store.open("chat");
  mine.reveal(["a", "b"]);
  for (let turn = 0; turn < 4; turn++) mine.assemble();
  mine.call("a", {});
  await one.store.save(mine);
  const theirs = await two.store.open("chat");
  assert.deepEqual([theirs.snapshot().turn, theirs.snapshot().revealed.map(({ used }) => used)], [4, [4, 0]]);
  theirs.assemble();
  theirs.call("b", {});
  for (let turn = 0; turn < 5; turn++) mine.assemble();
  mine.call("a", {});
  await one.store.save(mine);
  await two.store.save(theirs);
  const third = await processOn(storage).store.open("chat");
  assert.deepEqual([third.snapshot().turn, third.snapshot().revealed.map(({ used }) => used)], [9, [9, 5]]);
});

/** Chance that is the same on every run. */
function dice(seed) {
  return (sides) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % sides;
  };
}

test("whatever happens in whatever order, everybody agrees in the end, and no reveal is missing", async () => {
  for (let seed = 1; seed <= (isFull ? 40 : 12); seed++) {
    const roll = dice(seed);
    const storage = createStorage();
    const all = Array.from({ length: 4 }, () => processOn(storage));
    const revealed = new Set();
    const concealed = new Set();
    for (let step = 0; step < 60; step++) {
      const at = roll(all.length);
      const { sift, store } = all[at];
      const session = sift.session("chat");
      const letter = LETTERS[roll(LETTERS.length)];
      const deed = roll(8);
      if (deed < 3) for (const name of session.reveal([letter])) revealed.add(name);
      else if (deed === 3) for (const name of session.conceal([letter])) concealed.add(name);
      else if (deed === 4) await store.open("chat");
      else if (deed === 5) await store.save(session);
      else if (deed === 6) await Promise.all(all.map((one) => one.store.save(one.sift.session("chat"))));
      else if (roll(4) === 0) {
        await store.save(session);
        all[at] = processOn(storage);
      }
    }
    for (let round = 0; round < 2; round++) {
      for (const { store } of all) await store.use("chat", () => {});
    }
    const told = await Promise.all(all.map(async ({ store }) => (await store.open("chat")).revealed));
    for (const one of told) assert.deepEqual(one, told[0], `seed ${seed}`);
    assert.deepEqual(await asSeenAnew(storage, "chat"), told[0], `seed ${seed}`);
    for (const name of revealed) assert.ok(told[0].includes(name) || concealed.has(name), `seed ${seed}: ${name} is lost`);
    for (const name of told[0]) assert.ok(revealed.has(name), `seed ${seed}: nobody revealed ${name}`);
    await processOn(storage).store.use("chat", (session) => session.assemble());
    assert.equal((await storage.getKeys()).length, 1, `seed ${seed}: what was merged is gone`);
  }
});
