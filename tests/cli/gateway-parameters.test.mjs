/** What a model is told of a tool's parameters. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { client, opened, said, server } from "./gateways.mjs";

/** The parameters of a tool with this schema, as its description tells them. */
async function told(t, inputSchema) {
  const jsonSchema = { input: () => inputSchema, output: () => inputSchema };
  const input = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }), jsonSchema } };
  const made = server("one", { run: { input } });
  const who = await client(t, await opened(t, { one: made }));
  const answer = said(await who.callTool({ name: "describe_tools", arguments: { names: ["run"] } }));
  return JSON.parse(/^Parameters: (.*)$/m.exec(answer)[1]);
}

const ref = (to) => ({ $ref: `#/$defs/${to}` });
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const schema = (properties, $defs) => ({ $schema: DIALECT, type: "object", properties, $defs });

test("definitions that nothing refers to are left out", async (t) => {
  const circle = { a: { items: ref("b") }, b: { anyOf: [ref("a"), { type: "null" }] } };
  const $defs = { ...circle, "c/d~": { type: "string" }, e: ref("a"), f: {} };
  const kept = async (properties) => Object.keys((await told(t, schema(properties, $defs))).$defs ?? {});
  assert.deepEqual(await kept({ p: ref("a") }), ["a", "b"]);
  assert.deepEqual(await kept({ p: ref("c~1d~0") }), ["c/d~"]);
  assert.deepEqual(await kept({ p: ref("e") }), ["a", "b", "e"]);
  assert.deepEqual(await kept({ p: { type: "string" } }), []);
  const { $schema, $defs: none, ...rest } = await told(t, schema({ p: { type: "string" } }, $defs));
  assert.deepEqual([$schema, none], [undefined, undefined]);
  assert.deepEqual(rest, { type: "object", properties: { p: { type: "string" } } });
});

test("where references cannot be followed, every definition stays", async (t) => {
  const $defs = { a: { $dynamicAnchor: "a", type: "string" }, b: { type: "number" } };
  for (const property of [{ $ref: "#/properties/q" }, { $dynamicRef: "#a" }]) {
    assert.deepEqual((await told(t, schema({ p: property, q: {} }, $defs))).$defs, $defs, JSON.stringify(property));
  }
  for (const gone of ["missing", "constructor"]) {
    assert.deepEqual((await told(t, schema({ p: ref(gone) }, $defs))).properties, { p: {} }, gone);
  }
});
