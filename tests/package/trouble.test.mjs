/** Tests failing callbacks, and names that vendors refuse, in the installed package. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { tool, ToolSift, ToolSiftError, used } from "./refused.mjs";

const { runTools } = await import("toolsift");

test("an alias is offered for a name that vendors refuse", () => {
  const sift = new ToolSift();
  try {
    sift.register({ name: "crm.contacts/import" });
    assert.fail("was taken");
  } catch (error) {
    assert.equal(error.alias, "crm_contacts_import");
    assert.equal(sift.register({ name: error.alias }).registered[0], error.alias);
  }
  assert.throws(
    () => sift.register({ name: "" }),
    (error) => !("alias" in error),
    "other errors do not speak of one",
  );
});

const boom = () => {
  throw new Error("boom");
};
const has =
  (code, part = "") =>
  (error) =>
    ToolSiftError.is(error) && error.code === code && error.message.includes(part);

/** Leads a run with a model. */
const run = (model, execute = () => "done") => runTools(used().session("s"), { ...model, execute, maxSteps: 3 });

test("a callback that throws leaves the core usable, and what a listener throws ends nothing", async () => {
  let fails = false;
  const countTokens = (text) => (fails ? boom() : text.length);
  const sift = used({ countTokens, activation: "on" });
  const session = sift.session("s");
  for (let round = 0; round < 2; round++) {
    // Counts are kept: a new tool has none.
    sift.register(tool({ name: `another_${round}` }));
    fails = true;
    for (const way of [() => session.assemble(), () => sift.size()]) assert.throws(way, has("counter_failed", "boom"));
    fails = false;
    assert.equal(session.assemble().size.full.tools, 2 + round);
  }
  assert.throws(() => used({ countTokens: async () => 1 }).size(), has("counter_failed", "a promise"));
  const meddling = new ToolSift({ countTokens: (text) => (meddling.register([tool()]), text.length) });
  meddling.register([tool()]);
  assert.throws(() => meddling.size(), has("counter_failed", "must not use the ToolSift"));
  // What a callback throws while options are read or a search is ranked reaches the host as it is.
  assert.throws(
    () =>
      sift.size({
        get format() {
          return boom();
        },
      }),
    { message: "boom" },
  );
  const send = ({ step }) => ({ calls: step === 1 ? [{ id: "1", name: "good" }] : [] });
  assert.equal((await run({ send, onEvent: boom })).finish, "done");
  await assert.rejects(run({ send: boom }), { message: "boom" });
  assert.equal(sift.search("works").searched, 3);
});

test("use after dispose", () => {
  const sift = used();
  const session = sift.session("s");
  sift.dispose();
  sift.dispose();
  for (const attempt of [() => sift.tools(), () => sift.exportIndex(), () => session.assemble(), () => session.revealed])
    assert.throws(attempt, { name: "ToolSiftError", code: "disposed" });
});
