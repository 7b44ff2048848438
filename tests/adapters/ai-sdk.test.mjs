/** Tests that the adapter for AI SDK passes the shared contract, with each way to use it. */

import { contract } from "./lib/contract.mjs";
import { aiSdk } from "./lib/drives/ai-sdk.mjs";

/** `siftTools` sees no message of the user's. */
const without = { prefetch: "toolsift() searches ahead" };
const chat = ["generate", "stream", "agent"].map((by) => ({ by, without }));
const most = { "another vendor may take more tools": "the vendor of these tests takes 128" };
const responses = ["generate", "stream"].map((by) => ({ by, api: "responses", without: { ...without, ...most } }));
const doors = ["generate", "agent"].map((by) => ({ by, door: true }));

contract(aiSdk, { variants: [...chat, ...responses, ...doors] });
