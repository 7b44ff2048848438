/** Drives an agent over the Gemini API with the `@google/genai` package. */

import { startVendor } from "../../../apis/vendor.mjs";
import { geminiWire } from "../../../apis/gemini.mjs";
import { jsonOf, led, sessionOf } from "./run.mjs";

export const google = {
  adapter: "toolsift/google",
  road: "Gemini API: what is revealed is appended to the function declarations",
  versions: [{ "@google/genai": "genai-2" }, { "@google/genai": "@google/genai" }],
  without: { maxTools: "the API's limit is fixed", limit: "the API's limit is another one" },

  async converse({ app, sift, id, scope, prompt, script, door, stream = false, onChunk, own = [], ...options }) {
    const { ids = true, vertexai = false, config, contents = said(prompt), ...others } = options;
    const { GoogleGenAI } = await app.load("@google/genai");
    const vendor = await startVendor(geminiWire({ ids }), async (...seen) => ({
      thinking: THOUGHT,
      ...(await script(...seen)),
    }));
    try {
      const ai = new GoogleGenAI({ vertexai, apiKey: "none", httpOptions: { baseUrl: vendor.url } });
      const session = sessionOf({ sift, id, scope });
      const functionDeclarations = own.map(({ name, description, inputSchema }) => {
        return { name, description, parametersJsonSchema: inputSchema };
      });
      const tools = own.length > 0 ? { tools: [{ functionDeclarations }] } : {};
      const settings = { systemInstruction: "You are an agent.", ...tools, ...config };
      const params = { model: "gemini-3.8-flash", contents, config: settings };
      const { finish, reply } = await led(
        { app, adapter: "toolsift/google", sift, session, door },
        ({ googleModel }) => googleModel(ai, params, { stream, onChunk }),
        (open, run) => open.run(session, ai, params, { stream, onChunk, ...run }),
        others,
      );
      return { requests: vendor.requests, finish, reply, text: reply.text, contents, kept: jsonOf(contents, "google") };
    } finally {
      await vendor.close();
    }
  },
};

/** The model thinks before all that it says. */
const THOUGHT = "Let me think.";

const said = (text) => [{ role: "user", parts: [{ text }] }];
