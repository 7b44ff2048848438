/**
 * What if two copies of the package are in one process?
 *
 * 1. What one gives out as plain data the other takes: snapshots, outcomes, definitions. 2. A session of one is no session
 * of the other: it is refused with a word on what was expected, and neither has changed. 3. Each knows the other's errors.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { install, linkTree } from "../package/installed.mjs";

let one;
let two;

before(async () => {
  const { app, home } = await install();
  const copy = join(app, "node_modules", "toolsift-other");
  linkTree(home, copy);
  const entry = (folder) => import(pathToFileURL(join(folder, "dist", "index.js")).href);
  [one, two] = [await entry(home), await entry(copy)];
  assert.notEqual(one.ToolSift, two.ToolSift);
});

const TOOLS = [
  { name: "get_tides", description: "Tells high water." },
  { name: "send_mail", description: "Sends a letter." },
];

function opened({ ToolSift }) {
  const sift = new ToolSift({ activation: "on" });
  sift.register(TOOLS);
  const session = sift.session("chat");
  session.call("search_tools", { query: "high water" });
  return { sift, session };
}

const state = ({ sift, session }) => JSON.stringify([sift.tools(), session.tools(), session.snapshot()]);

test("plain data goes from one to the other", () => {
  const [mine, theirs] = [opened(one), opened(two)];
  theirs.session.reveal(["send_mail"]);
  const { session, missing } = mine.sift.restore(theirs.session.snapshot());
  assert.deepEqual(missing, []);
  assert.deepEqual(session.revealed, ["get_tides", "send_mail"]);
  assert.deepEqual(session.assemble({ format: "openai" }).tools, theirs.session.assemble({ format: "openai" }).tools);
});

test("a session of one is refused by the other", () => {
  const [mine, theirs] = [opened(one), opened(two)];
  const before = [state(mine), state(theirs)];
  const refused = (attempt, code, part) =>
    assert.throws(attempt, (error) => {
      assert.ok(one.ToolSiftError.is(error) && two.ToolSiftError.is(error), String(error));
      assert.equal(error.code, code);
      assert.ok(error.message.includes(part), error.message);
      return true;
    });
  refused(() => mine.sift.restore(theirs.session), "snapshot_invalid", "snapshot");
  refused(() => mine.sift.session(theirs.session), "option_invalid", "an object");
  refused(() => mine.sift.register(theirs.sift), "tool_shape_unknown", "name");
  assert.throws(() => one.Session.prototype.assemble.call(theirs.session), TypeError);
  assert.throws(() => one.ToolSift.prototype.tools.call(theirs.sift), TypeError);
  assert.deepEqual([state(mine), state(theirs)], before);
});

test("what ends in one goes on in the other", () => {
  const [mine, theirs] = [opened(one), opened(two)];
  theirs.sift.dispose();
  assert.throws(
    () => theirs.session.assemble(),
    ({ code }) => code === "disposed",
  );
  assert.deepEqual(mine.session.call("get_tides", {}).kind, "dispatch");
});
