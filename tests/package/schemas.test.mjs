/** Tests that schemas of schema libraries are registered as their JSON Schema. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { toJsonSchema as valibotJsonSchema, toStandardJsonSchema } from "@valibot/to-json-schema";
import { asSchema, jsonSchema, zodSchema } from "ai";
import { asSchema as asSchemaOf7, jsonSchema as jsonSchemaOf7 } from "ai-7";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as zod3 } from "zod/v3";
import { zodToJsonSchema } from "zod-to-json-schema";
import { refused, ToolSift, used } from "./refused.mjs";

/** The schema of a definition as a session sends it. */
function sent(definition, register = (sift) => sift.register(definition)) {
  const sift = new ToolSift({ activation: "off" });
  const { rejected = [] } = register(sift);
  assert.deepEqual(rejected, []);
  return sift.session("s").assemble({ format: "mcp" }).tools[0].inputSchema;
}

const tool = (inputSchema) => ({ name: "weather", description: "Get the weather", inputSchema });

const PLAIN = {
  type: "object",
  properties: { city: { type: "string", description: "Where" }, days: { type: "number" } },
  required: ["city"],
};

const valibot = v.object({ city: v.pipe(v.string(), v.description("Where")), days: v.optional(v.number()) });
const zod = z.object({ city: z.string().describe("Where"), days: z.number().optional() });
const zodMini = mini.object({ city: mini.string().check(mini.describe("Where")), days: mini.optional(mini.number()) });
const arktype = type({ city: type("string").describe("Where"), "days?": "number" });

/** What a library of one's own would offer. */
const standard = {
  "~standard": {
    version: 1,
    vendor: "mine",
    validate: (value) => ({ value }),
    jsonSchema: { input: () => PLAIN, output: () => ({}) },
  },
};

const CONVERTED = {
  "JSON Schema": PLAIN,
  Zod: zod,
  ArkType: arktype,
  "Valibot, with JSON Schema": toStandardJsonSchema(valibot),
  "any Standard Schema with JSON Schema": standard,
  "AI SDK's jsonSchema()": jsonSchema(PLAIN),
  "the one of AI SDK 7": jsonSchemaOf7(PLAIN),
  "Valibot, as its error advises": valibotJsonSchema(valibot, { typeMode: "input" }),
  "Zod Mini, as its error advises": z.toJSONSchema(zodMini, { io: "input" }),
};

for (const [label, schema] of Object.entries(CONVERTED)) {
  test(`${label} is registered as JSON Schema`, () => {
    const { $schema, additionalProperties, ...rest } = sent(tool(schema));
    // ArkType has words of its own.
    if (label === "ArkType") rest.properties.city = PLAIN.properties.city;
    assert.deepEqual(rest, PLAIN);
  });
}

test("Zod by AI SDK's wrappers", () => {
  const zod3Schema = zod3.object({ city: zod3.string() });
  for (const wrapped of [zodSchema(zod), asSchema(zod), asSchemaOf7(zod), zodSchema(zod3Schema)]) {
    assert.deepEqual(sent(tool(wrapped)).properties.city.type, "string");
  }
  assert.deepEqual(sent(tool(zodToJsonSchema(zod3Schema))).required, ["city"]);
});

test("a conversion says nothing of its draft, and of a schema's two sides the input", () => {
  assert.equal("$schema" in sent(tool(zod)), false);
  const two = z.object({ count: z.string().transform(Number), unit: z.string().default("C") });
  assert.deepEqual(sent(tool(two)), {
    type: "object",
    properties: { count: { type: "string" }, unit: { type: "string", default: "C" } },
    required: ["count"],
  });
});

/** A type of ArkType as the versions had it that knew no Standard JSON Schema. */
function withoutStandard(schema) {
  const { jsonSchema: _, ...older } = schema["~standard"];
  return new Proxy(schema, { get: (target, key) => (key === "~standard" ? older : target[key]) });
}

test("wherever a definition holds its schema, and however it comes in", () => {
  const named = { name: "weather" };
  const shapes = [
    { ...named, parameters: zod },
    { ...named, input_schema: zod },
    { ...named, parametersJsonSchema: zod },
    { type: "function", ...named, parameters: zod },
    { type: "function", function: { ...named, parameters: zod } },
    [{ functionDeclarations: [{ ...named, parametersJsonSchema: zod }] }],
  ];
  for (const shape of shapes) assert.deepEqual(sent(shape), PLAIN, JSON.stringify(Object.keys(shape)));
  const synced = sent(undefined, (sift) => sift.sync("s", [tool(zod)]));
  assert.deepEqual(synced, PLAIN);
});

test("what cannot be converted is refused, by library, with what to do", () => {
  const garbled = (input) => ({ "~standard": { version: 1, vendor: "mine", jsonSchema: { input } } });
  const cases = [
    [valibot, "the tool.inputSchema", "valibot", "toJsonSchema(schema", "@valibot/to-json-schema"],
    [zodMini, "zod", "z.toJSONSchema(schema"],
    [zod3.object({ a: zod3.string() }), "zod", "Zod 4", "zod-to-json-schema"],
    [z.object({ on: z.date() }), "zod cannot convert", "Date"],
    [toStandardJsonSchema(v.object({ on: v.date() })), "valibot cannot convert", "date"],
    [withoutStandard(type({ "on?": "symbol" })), "arktype cannot convert", "symbol"],
    [{ "~standard": { version: 1, vendor: "mine" } }, "mine", "pass JSON Schema"],
    [jsonSchema(async () => PLAIN), "AI SDK", "promise", "await"],
    [Promise.resolve(zod), "promise", "await"],
    [() => zod, "function", "pass the schema"],
    [{ city: z.string() }, '"city"', "z.object("],
    [z.string(), "string"],
    [garbled(async () => PLAIN), "mine", "promise", "await"],
    [garbled(() => true), "mine", "boolean true"],
    [garbled(() => assert.fail("x".repeat(5000))), "mine cannot convert", "xxx"],
  ];
  for (const [schema, ...parts] of cases) {
    for (const part of parts) refused((sift) => sift.register(tool(schema)), "schema_invalid", part);
  }
  const nested = { type: "function", function: { name: "a", parameters: valibot } };
  refused((sift) => sift.register(nested), "schema_invalid", "the tool.function.parameters");
  const declared = [
    {
      functionDeclarations: [
        { name: "a", parameters: { type: "object" } },
        { name: "b", parameters: valibot },
      ],
    },
  ];
  assert.match(used().register(declared).rejected[0].message, /the tool\.functionDeclarations\.1\.parameters/);
});

test("versions without Standard JSON Schema convert by methods of their own", () => {
  const parsed = type({ count: "string.numeric.parse", city: "string" });
  assert.equal(sent(tool(withoutStandard(parsed))).properties.count.type, "string");
  const asked = [];
  const olderZod = {
    "~standard": { version: 1, vendor: "zod" },
    toJSONSchema: (options) => (asked.push(options), { $schema: "https://json-schema.org/draft/2020-12/schema", ...PLAIN }),
  };
  assert.deepEqual(sent(tool(olderZod)), PLAIN);
  assert.deepEqual(asked, [{ target: "draft-2020-12", io: "input" }]);
});
