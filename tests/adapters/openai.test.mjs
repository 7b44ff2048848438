/** Tests that the adapter for OpenAI passes the shared contract, with each way to use it. */

import { contract } from "./lib/contract.mjs";
import { openaiChat } from "./lib/drives/openai-chat.mjs";
import { openaiDeferred, openaiResponses } from "./lib/drives/openai-responses.mjs";

contract(openaiChat, { variants: [{ stream: false }, { stream: true }, { door: true }] });

/** What follows a response is a conversation that has begun. */
const without = { prefetch: "nothing is searched ahead of a later request" };
const variants = [{ stream: false }, { stream: true }, { kept: "response", without }, { kept: "conversation" }];
contract(openaiResponses, { variants: [...variants, { door: true }] });
contract(openaiDeferred, { variants: [...variants, { door: true }] });
