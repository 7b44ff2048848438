/**
 * Does a learner hear from the gateway what it needs? A search and the calls that follow it have one session where a client
 * stays connected; clients of the newer protocol over HTTP have another one for each request, and teach nothing.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { learner } from "toolsift/author";
import { valuesOf } from "./command-line.mjs";
import { call, client, opened, search, server } from "./gateways.mjs";

const read = { annotations: { readOnlyHint: true } };
const weather = server("weather", { forecast: { description: "Tells tomorrow's weather in a city", ...read } });
const notes = server("notes", { find_note: { description: "Finds a note by its words", ...read } });

for (const [era, http, teaches] of [
  ["legacy", true, true],
  ["legacy", false, true],
  ["modern", false, true],
  ["modern", true, false],
]) {
  test(`${era} clients over ${http ? "HTTP" : "streams"} teach ${teaches ? "words" : "nothing"}`, async (t) => {
    const learned = learner();
    const open = await opened(t, { weather, notes });
    for (let at = 0; at < 3; at++) {
      const who = await client(t, open, { era, http });
      await search(who, "umbrella");
      await search(who, "umbrella for the weather in a city");
      await call(who, "forecast", {}, "call_read_only_tool");
    }
    open.events.forEach(learned.onEvent);
    const told = open.events.filter(({ type }) => type === "search" || type === "call");
    assert.equal(told.length, 9);
    assert.equal(new Set(told.map(({ session }) => session)).size, teaches ? 3 : 9);
    assert.ok(
      told.filter(({ type }) => type === "call").every(({ name, tool }) => name === "forecast" && tool === "forecast"),
    );
    const tools = [{ name: "forecast", description: "Tells tomorrow's weather in a city", server: "weather" }];
    const entries = learned.export({ tools });
    assert.deepEqual(valuesOf(entries, "keywords"), teaches ? [["umbrella"]] : []);
  });
}
