/** Tests several processes that use one conversation through one storage. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { createStorage } from "unstorage";
import { isFull } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { asSeenAnew, comparing, LETTERS, observed, pause, processOn, refused, tools } from "./lib/shared.mjs";

/**
 * What processes do one after the other, by their number: `+ab` and `-ab` reveal and conceal, `open`, `save`, `delete` and `turn` (a
 * request), `=ab` is what is revealed then, and `~ab` in any order. `1&2: save` is at once; `new` is a process that has seen nothing. In the end all
 * agree. Python plays them too.
 */
const STORIES = JSON.parse(readFileSync(at("tests", "cases", "records.json"), "utf8"));

async function tell(story, options) {
  const storage = comparing();
  const processes = new Map();
  const sessionOf = ({ sift }) => sift.session("chat");
  const OPS = {
    open: ({ store }) => store.open("chat"),
    save: (one) => one.store.save(sessionOf(one)),
    delete: ({ store }) => store.delete("chat"),
    turn: (one) => sessionOf(one).assemble(),
    close: (one) => sessionOf(one).close(),
  };
  const SIGNS = {
    "+": (session, names) => session.reveal(names),
    "-": (session, names) => session.conceal(names),
    "=": (session, names, at) => assert.deepEqual(session.revealed, names, at),
    "~": (session, names, at) => assert.deepEqual([...session.revealed].sort(), names, at),
  };
  for (const part of story.split("; ")) {
    const [who, ops] = part.split(": ");
    const all = who.split("&").map((name) => {
      if (name === "new" || !processes.has(name)) processes.set(name, processOn(storage, options));
      return processes.get(name);
    });
    for (const op of ops.split(" ")) {
      const run = OPS[op] ?? ((one) => SIGNS[op[0]](sessionOf(one), [...op.slice(1)], `${part}, at ${op}`));
      await Promise.all(all.map(run));
    }
  }
  for (const one of processes.values()) await OPS.open(one).then(() => OPS.save(one));
  const end = await asSeenAnew(storage, "chat");
  for (const { store } of processes.values()) assert.deepEqual((await store.open("chat")).revealed, end, "all agree");
}
for (const [title, story] of Object.entries(STORIES)) test(title, () => tell(story));

/** A process that has revealed some letters and saved them. */
async function saved(storage, letters, options) {
  const one = processOn(storage, options);
  const session = await one.store.open("chat");
  session.reveal([...letters]);
  await one.store.save(session);
  return { ...one, session };
}

test("a chain of processes: the tools of a request only grow", async () => {
  const storage = createStorage();
  let sent = "[";
  for (const letter of LETTERS.slice(0, 12).reverse()) {
    const { session } = await saved(storage, letter);
    const text = JSON.stringify(session.assemble({ format: "openai" }).tools);
    assert.ok(text.startsWith(sent), `${letter} does not only append`);
    sent = text.slice(0, -1);
  }
});

test("a session that the core has forgotten has concealed nothing", async () => {
  const storage = createStorage();
  const { store, sift, session } = await saved(storage, "ab", { sift: { limits: { sessions: 1 } } });
  for (const other of ["x", "y", "z"]) sift.session(other).reveal(["z"]);
  assert.throws(() => session.assemble(), { code: "session_closed" });
  await refused(store.save(session), "session_closed", "chat");
  const anew = sift.session("chat");
  for (let turn = 0; turn < 3; turn++) anew.assemble();
  anew.reveal(["c"]);
  await store.save(anew);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "c"]);
  assert.deepEqual((await store.open("chat")).revealed, ["a", "b", "c"]);
});

test("where a storage shows a write late, a process knows what it wrote, until others have replaced it", async () => {
  const { storage, bent, bend } = observed();
  const { store, session } = await saved(bent, "a");
  const [key] = await storage.getKeys();
  const early = await storage.getItem(key);
  await pause(2);
  session.conceal(["a"]);
  session.reveal(["b"]);
  await store.save(session);
  bend.getItem = async () => early;
  assert.deepEqual((await store.open("chat")).revealed, ["b"], "its own record is hidden");
  await pause(2);
  await processOn(storage).store.use("chat", (theirs) => (theirs.conceal(["b"]), theirs.reveal(["c"])));
  delete bend.getItem;
  assert.deepEqual((await store.open("chat")).revealed, ["c"]);
});

test("a session of another ToolSift is refused, and changes nothing in this one's store", async () => {
  const storage = createStorage();
  const { store, session } = await saved(storage, "ab");
  const theirs = processOn(storage).sift.session("chat");
  theirs.reveal(["c"]);
  await assert.rejects(store.save(theirs), { code: "option_invalid", message: /of the same ToolSift/ });
  await store.save(session);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b"]);
});

test("a tool that one process does not have, may not see or has no room for is kept for those that do", async () => {
  const storage = createStorage();
  await saved(storage, "abc");
  const poor = processOn(storage, { names: ["a", "c", "d"] });
  const theirs = await poor.store.open("chat");
  assert.deepEqual(theirs.revealed, ["a", "c"]);
  theirs.reveal(["d"]);
  theirs.conceal(["c"]);
  await poor.store.save(theirs);
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "d"]);
  poor.sift.register(tools(["b"]), { server: "s" });
  assert.deepEqual(theirs.revealed, ["a", "b", "d"]);

  const small = processOn(storage, { sift: { limits: { revealed: 2 } } });
  await small.store.use("chat", (session) => (assert.equal(session.revealed.length, 2), session.assemble()));
  assert.deepEqual(await asSeenAnew(storage, "chat"), ["a", "b", "d"]);

  const narrow = processOn(storage);
  const scoped = await narrow.store.open("chat", { scope: { tools: ["a"] } });
  assert.deepEqual(scoped.revealed, ["a"]);
  scoped.assemble();
  await narrow.store.save(scoped);
  assert.equal(scoped.call("b").kind, "refused");
  assert.deepEqual((await processOn(storage).store.open("chat", { scope: "all" })).revealed, ["a", "b", "d"]);
});

test("an eviction is a conceal", async () => {
  const storage = createStorage();
  const { store, session } = await saved(storage, "abc");
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
  const turns = (count, name) => {
    for (let turn = 0; turn < count; turn++) mine.assemble();
    mine.call(name, {});
    return one.store.save(mine);
  };
  const told = (session) => [session.snapshot().turn, session.snapshot().revealed.map(({ used }) => used)];
  mine.reveal(["a", "b"]);
  await turns(4, "a");
  const theirs = await two.store.open("chat");
  assert.deepEqual(told(theirs), [4, [4, 0]]);
  theirs.assemble();
  theirs.call("b", {});
  await turns(5, "a");
  await two.store.save(theirs);
  assert.deepEqual(told(await processOn(storage).store.open("chat")), [9, [9, 5]]);
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
    const storage = comparing();
    const all = Array.from({ length: 4 }, () => processOn(storage));
    const [revealed, concealed] = [new Set(), new Set()];
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
    for (let round = 0; round < 2; round++) for (const { store } of all) await store.use("chat", () => {});
    const told = await Promise.all(all.map(async ({ store }) => (await store.open("chat")).revealed));
    for (const one of told) assert.deepEqual(one, told[0], `seed ${seed}`);
    assert.deepEqual(await asSeenAnew(storage, "chat"), told[0], `seed ${seed}`);
    for (const name of revealed) assert.ok(told[0].includes(name) || concealed.has(name), `seed ${seed}: ${name} is lost`);
    for (const name of told[0]) assert.ok(revealed.has(name), `seed ${seed}: nobody revealed ${name}`);
    await processOn(storage).store.use("chat", (session) => session.assemble());
    assert.equal((await storage.getKeys()).length, 1, `seed ${seed}: what was merged is gone`);
  }
});

test("what was read of a skill, and what was found ahead, is kept beside a tool of the same name", async () => {
  const storage = createStorage();
  const about = { kind: "skill", description: "How to sort requests.", text: `Sort.\n${"more ".repeat(400)}`, tools: ["a"] };
  const process = () => {
    const one = processOn(storage, { sift: { activation: "on" } });
    one.sift.register(
      [
        { ...about, name: "a" },
        { ...about, name: "ahead", description: "Writes the notes of a release." },
      ],
      {
        server: "s",
      },
    );
    return one;
  };
  const { store } = process();
  const session = await store.open("chat");
  session.call("add_tool", { tool_names: ["s__a"] });
  session.prefetch("Write the notes of a release.");
  await store.save(session);
  const { revealed } = session.snapshot();
  assert.deepEqual(
    revealed.map(({ name, skill, ahead }) => [name, skill, ahead]),
    [
      ["a", true, undefined],
      ["a", undefined, undefined],
      ["ahead", true, true],
    ],
  );
  const elsewhere = await process().store.open("chat");
  const kept = elsewhere.snapshot().revealed.map(({ name, skill, ahead }) => [name, skill, ahead].join(" "));
  assert.deepEqual(kept.sort(), ["a  ", "a true ", "ahead true true"]);
  assert.match(elsewhere.assemble().systemPrompt, /A skill that fits: ahead/);
});
