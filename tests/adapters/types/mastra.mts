import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { wrapLanguageModel } from "ai";
import { siftModelMiddleware } from "toolsift/ai-sdk-middleware";

const model = wrapLanguageModel({ model: createOpenAI({}).chat("gpt-5.4"), middleware: siftModelMiddleware() });
export const agent = new Agent({ id: "a", name: "a", instructions: "", model });
