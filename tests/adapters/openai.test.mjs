/** Does the adapter for OpenAI keep the contract, on each of its roads? */

import { contract } from "./lib/contract.mjs";
import { openaiChat } from "./lib/drives/openai-chat.mjs";

contract(openaiChat, { variants: [{ stream: false }, { stream: true }] });
