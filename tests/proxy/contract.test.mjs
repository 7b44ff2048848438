/**
 * Does the proxy keep the contract over every API, with the vendors' own SDKs, with AI SDK, and with OpenAI's and Anthropic's packages
 * for Python, changed in nothing but `base_url`?
 */

import { afterAll } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { aiSdkChat, aiSdkResponses } from "./lib/clients/ai-sdk.mjs";
import { anthropic } from "./lib/clients/anthropic.mjs";
import { google } from "./lib/clients/google.mjs";
import { openaiChat } from "./lib/clients/openai-chat.mjs";
import { openaiResponses } from "./lib/clients/openai-responses.mjs";
import { endPython, pythonAnthropic, pythonForClients, pythonOpenai, pythonResponses } from "./lib/clients/python.mjs";
import { contract } from "./lib/contract.mjs";

for (const client of [openaiChat, openaiResponses, anthropic, google, aiSdkChat, aiSdkResponses]) contract(client);

const { python, reason } = await pythonForClients();
afterAll(endPython);
for (const client of [pythonOpenai, pythonResponses, pythonAnthropic]) {
  contract({ ...client, variants: allOrLast(client.variants) }, { fetches: false, about: { python }, skip: reason });
}
