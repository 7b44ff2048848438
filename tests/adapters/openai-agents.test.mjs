/**
 * Tests that the adapter for the OpenAI Agents SDK passes the shared contract, over both APIs, with and without streaming.
 */

import { contract } from "./lib/contract.mjs";
import { openaiAgents } from "./lib/drives/openai-agents.mjs";

const without = {
  "another vendor may take more tools": "the vendor of these tests takes 128",
  stream: "the SDK asks again",
};

contract(openaiAgents, {
  variants: [
    { wire: "chat", stream: false },
    { wire: "responses", stream: false, without },
    { wire: "responses", stream: true, without },
    { wire: "chat", door: true },
  ],
});
