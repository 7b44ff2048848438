/** A package in use, and a check that a refused call changes nothing. */

import assert from "node:assert/strict";

export const { ToolSift, ToolSiftError } = await import("toolsift");

export const tool = (more) => ({ name: "good", description: "Works.", inputSchema: { type: "object" }, ...more });

/** A sift with one tool, revealed in one session. */
export function used(options) {
  const sift = new ToolSift(options);
  sift.register([tool()]);
  sift.session("s").reveal(["good"]);
  return sift;
}

export const stateOf = (sift) => JSON.stringify([sift.tools(), sift.revision, sift.session("s").revealed]);

/** Runs `attempt` on a used sift and checks the error, and that nothing else changed. */
export function refused(attempt, code, part, options) {
  const sift = used(options);
  const before = stateOf(sift);
  assert.throws(
    () => attempt(sift),
    (error) => {
      assert.ok(ToolSiftError.is(error) && error instanceof Error, String(error));
      assert.equal(error.code, code, error.message);
      assert.ok(error.message.includes(part), `${error.message} should name ${part}`);
      assert.ok(error.message.length < 700, "a message is no dump");
      return true;
    },
  );
  assert.equal(stateOf(sift), before);
}
