/** Does the adapter for OpenAI keep the contract, on each of its roads? */

import { contract } from "./lib/contract.mjs";
import { openaiChat } from "./lib/drives/openai-chat.mjs";
import { openaiResponses } from "./lib/drives/openai-responses.mjs";
import { openaiToolSearch } from "./lib/drives/openai-tool-search.mjs";

contract(openaiChat, { variants: [{ stream: false }, { stream: true }] });

const variants = [{ stream: false }, { stream: true }, { kept: "response" }, { kept: "conversation" }];
contract(openaiResponses, { variants });
contract(openaiToolSearch, { variants: [...variants, { additions: "additional_tools" }] });
