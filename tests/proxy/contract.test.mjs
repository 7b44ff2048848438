/**
 * Tests that the proxy passes the shared contract over every API, with the vendors' own SDKs, with AI SDK, and with OpenAI's
 * and Anthropic's packages for Python. Only `base_url` is changed in them.
 */

import { afterAll } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { aiSdkChat, aiSdkResponses, anthropic, google, openaiChat, openaiResponses } from "./lib/clients/javascript.mjs";
import { endPython, pythonAnthropic, pythonForClients, pythonOpenai, pythonResponses } from "./lib/clients/python.mjs";
import { contract } from "./lib/contract.mjs";

for (const client of [openaiChat, openaiResponses, anthropic, google, aiSdkChat, aiSdkResponses]) contract(client);

const { python, reason } = await pythonForClients();
afterAll(endPython);
for (const client of [pythonOpenai, pythonResponses, pythonAnthropic]) {
  contract({ ...client, variants: allOrLast(client.variants) }, { fetches: false, about: { python }, skip: reason });
}
