/** Does the proxy keep the contract over the Responses API, with OpenAI's SDK and with AI SDK? */

import { contract } from "./lib/contract.mjs";
import { aiSdkResponses } from "./lib/clients/ai-sdk.mjs";
import { openaiResponses } from "./lib/clients/openai-responses.mjs";

contract(openaiResponses);
contract(aiSdkResponses);
