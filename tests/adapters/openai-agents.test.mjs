/** Does the adapter for the OpenAI Agents SDK keep the contract, over both wires, streamed or not? */

import { contract } from "./lib/contract.mjs";
import { openaiAgents } from "./lib/drives/openai-agents.mjs";

contract(openaiAgents, {
  variants: [
    { wire: "chat", stream: false },
    { wire: "responses", stream: false },
    { wire: "responses", stream: true },
  ],
});
