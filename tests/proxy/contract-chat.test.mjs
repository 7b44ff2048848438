/** Does the proxy keep the contract over Chat Completions, with OpenAI's SDK and with AI SDK? */

import { contract } from "./lib/contract.mjs";
import { aiSdkChat } from "./lib/clients/ai-sdk.mjs";
import { openaiChat } from "./lib/clients/openai-chat.mjs";

contract(openaiChat);
contract(aiSdkChat);
