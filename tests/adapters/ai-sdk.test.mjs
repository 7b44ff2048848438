/** Does the adapter for AI SDK keep the contract, on each of its roads? */

import { contract } from "./lib/contract.mjs";
import { aiSdk } from "./lib/drives/ai-sdk.mjs";

contract(aiSdk, { variants: [{ by: "generate" }, { by: "stream" }, { by: "agent" }] });
