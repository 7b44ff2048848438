/** Does the adapter for AI SDK keep the contract, on each of its roads? */

import { contract } from "./lib/contract.mjs";
import { aiSdk } from "./lib/drives/ai-sdk.mjs";

const chat = [{ by: "generate" }, { by: "stream" }, { by: "agent" }];
const responses = ["generate", "stream"].map((by) => ({ by, api: "responses" }));

contract(aiSdk, { variants: [...chat, ...responses] });
