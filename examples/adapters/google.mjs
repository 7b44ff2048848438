/** An agent over the Gemini API, streamed. With `vertexai: true` the same client reaches Vertex AI. */

import { GoogleGenAI } from "@google/genai";
import { runTools } from "toolsift";
import { googleModel } from "toolsift/google";
import { servers, sift } from "./servers.mjs";

const contents = [{ role: "user", parts: [{ text: "Remember in the knowledge graph that Ada likes engines." }] }];
const model = googleModel(new GoogleGenAI({}), { model: "gemini-3.8-flash", contents }, { stream: true });

const { reply } = await runTools(sift.session("chat-42"), { ...model, execute: servers.execute });
console.log(reply.text);
await servers.close();
