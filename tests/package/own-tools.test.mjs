/**
 * Tools of one session's own, through the installed package.
 *
 * 1. `session.register`, `sync` and `unregister` take what those of the catalog take, and refuse what those refuse. 2. Only the
 * session has the tools, with what their server says of their effect; the host's looks are about the shared tools. 3. What is
 * refused leaves everything as it was, and a session that is closed takes nothing.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { refused as refusal, tool, ToolSift } from "./refused.mjs";

const refused = (attempt, code) => refusal(attempt, code, "");
const names = (source) => source.tools().flatMap(({ name, state }) => (state === "hidden" ? [] : [name]));

function world() {
  const sift = new ToolSift({ activation: "off" });
  sift.register([tool({ name: "shared" })], { server: "all" });
  return { sift, ada: sift.session("ada"), ben: sift.session("ben") };
}

test("tools of a session's own come, change and go with it", () => {
  const { sift, ada, ben } = world();
  const before = [sift.contentHash, sift.size().tools, Buffer.from(sift.exportIndex()).toString("hex")];
  const annotations = { readOnlyHint: true };
  const given = [tool({ name: "note", annotations }), tool({ name: "no name" })];
  const { registered, rejected } = ada.register(given, { server: "notes" });
  assert.deepEqual([registered, rejected.map(({ index, code }) => [index, code])], [["note"], [[1, "name_unsafe"]]]);
  assert.deepEqual(ben.register(tool({ name: "note" }), { server: "notes" }).registered, ["note"]);
  assert.deepEqual([names(sift), names(ada), names(ben)], [["shared"], ["shared", "note"], ["shared", "note"]]);
  const own = (session) =>
    session
      .tools()
      .filter((one) => one.own)
      .map((one) => [one.name, one.annotations]);
  assert.deepEqual([own(ada), own(ben), own(sift)], [[["note", annotations]], [["note", undefined]], []]);
  const { kind, name, server, session, annotations: said } = ada.call("note", {});
  assert.deepEqual([kind, name, server, session, said], ["dispatch", "note", "notes", "ada", annotations]);
  assert.equal("session" in ada.call("shared", {}), false);
  assert.equal(sift.search("note", { session: "ada" }).searched, sift.search("note").searched + 1);

  const report = ada.sync("notes", [tool({ name: "memo" })]);
  assert.deepEqual([report.added, report.removed], [["memo"], ["note"]]);
  assert.deepEqual(
    [names(ada), names(ben)],
    [
      ["shared", "memo"],
      ["shared", "note"],
    ],
  );
  assert.deepEqual(sift.unregister({ server: "notes" }), []);
  assert.deepEqual(ada.unregister({ names: ["memo", "shared"] }), ["memo"]);
  assert.deepEqual([sift.contentHash, sift.size().tools, Buffer.from(sift.exportIndex()).toString("hex")], before);

  const snapshot = ben.snapshot();
  assert.equal(JSON.stringify(snapshot).includes('ben"'), true);
  ben.close();
  assert.deepEqual(names(sift.session("ben")), ["shared"]);
});

test("what is wrong is refused as it is of shared tools, and a closed session takes nothing", () => {
  const { sift, ada } = world();
  refused(() => ada.register("x"), "not_json");
  refused(() => ada.register(tool({ name: "" })), "name_empty");
  refused(() => ada.register(tool({ name: "search_tools" })), "name_reserved");
  refused(() => ada.register([], { servr: "x" }), "option_unknown");
  refused(() => ada.sync(1, []), "option_invalid");
  refused(() => ada.sync("a", tool()), "not_json");
  refused(() => ada.unregister({}), "option_invalid");
  assert.deepEqual(names(ada), ["shared"]);
  ada.register(tool({ name: "note" }));
  refused(() => ada.register(tool({ name: "note" })), "duplicate_tool");
  ada.close();
  const again = sift.session("ada");
  for (const use of [() => ada.register([]), () => ada.sync("a", []), () => ada.unregister({ names: [] })]) {
    refused(use, "session_closed");
  }
  assert.deepEqual(names(again), ["shared"]);
});
