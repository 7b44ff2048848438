import { type Content, GoogleGenAI } from "@google/genai";
import { type Model, runTools, type Session } from "toolsift";
import { googleModel, type GoogleParams, type GoogleReply } from "toolsift/google";

declare const session: Session;
const ai = new GoogleGenAI({ apiKey: "none" });
const contents: Content[] = [{ role: "user", parts: [{ text: "Hi" }] }];
const config = { temperature: 0, tools: [{ googleSearch: {} }] };
const params: GoogleParams = { model: "gemini-3.8-flash", contents, config };
const model: Model<GoogleReply, "google"> = googleModel(ai, params, { onChunk: (chunk) => void chunk.usageMetadata });
const { reply } = await runTools(session, { ...model, execute: ({ name }) => name });
export const said: (string | undefined)[] = [reply.text, reply.finishReason, reply.response.text];

// @ts-expect-error a conversation that cannot grow
googleModel(ai, { model: "gemini-3.8-flash", contents: "Hi" });
// @ts-expect-error a misspelt option
googleModel(ai, params, { streams: true });
