import { GoogleGenAI } from "@google/genai";
import { siftFetch } from "toolsift/proxy";
import { gemini as tools } from "./tools.mjs";

const ai = new GoogleGenAI({ httpOptions: { fetch: siftFetch({ sift: { activation: "on" } }) } });
const contents = "When is high water in Brest?";
const { functionCalls } = await ai.models.generateContent({ model: "gemini-3.8-flash", contents, config: { tools } });
console.log(functionCalls.map(({ name }) => name));
