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
const ring = tool({
  description: "Ring.",
  inputSchema: z.object({ times: z.number() }),
  execute: async ({ times }) => times,
});
const { text } = await generateText({ model, tools: { ring }, prompt: "Go.", stopWhen: stepCountIs(20) });
console.log(text.toUpperCase());
// @ts-expect-error there is no such option
siftModelMiddleware({ rounds: 4 });
