/** Does the middleware compile under `strict` as both versions of AI SDK type it, and can it be required? */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "vitest";
import { appWith } from "./lib/app.mjs";
import { MAJORS } from "./lib/mock-model.mjs";
import { compiles } from "./lib/strict.mjs";

const PROGRAM = `
import { openai } from "@ai-sdk/openai";
import { defaultSettingsMiddleware, generateText, stepCountIs, tool, wrapLanguageModel } from "ai";
import { siftModelMiddleware, type SiftModelMiddlewareOptions } from "toolsift/ai-sdk-middleware";
import { z } from "zod";

const options: SiftModelMiddlewareOptions = {
  sift: { profile: "sift", alwaysAvailable: ["ring"] },
  maxRounds: 4,
  onEvent: ({ type, tool }) => console.log(type, tool),
};
const settings = defaultSettingsMiddleware({ settings: { temperature: 0 } });
const model = wrapLanguageModel({ model: openai("gpt-5.4"), middleware: [settings, siftModelMiddleware(options)] });
const ring = tool({ description: "Ring.", inputSchema: z.object({ times: z.number() }), execute: async ({ times }) => times });
const { text } = await generateText({ model, tools: { ring }, prompt: "Go.", stopWhen: stepCountIs(20) });
console.log(text.toUpperCase());
// @ts-expect-error there is no such option
siftModelMiddleware({ rounds: 4 });
`;

for (const { label, packages } of MAJORS) {
  compiles(`${label}: the middleware compiles under strict`, PROGRAM, packages);

  test(`${label}: it is required as well as imported`, async () => {
    const { folder } = await appWith(packages);
    const require = createRequire(join(folder, "program.cjs"));
    const { siftModelMiddleware } = require("toolsift/ai-sdk-middleware");
    const model = {
      doGenerate: async ({ tools }) => ({
        content: [{ type: "text", text: tools.map(({ name }) => name).join() }],
        usage: {},
      }),
    };
    const tools = ["one", "two"].map((name) => ({
      type: "function",
      name,
      description: name,
      inputSchema: { type: "object" },
    }));
    const { wrapGenerate } = siftModelMiddleware({ sift: { activation: "on" } });
    const { content } = await wrapGenerate({ model, params: { prompt: [], tools } });
    assert.equal(content[0].text, "search_tools,add_tool,show_all_tools");
  });
}
