/** Drives an agent over the Gemini API with the `@google/genai` package. */

import { startVendor } from "../../../apis/vendor.mjs";
import { geminiWire } from "../../../apis/gemini.mjs";

export const google = {
  adapter: "toolsift/google",
  road: "Gemini API: what is revealed is appended to the function declarations",
  versions: [{ "@google/genai": "genai-2" }, { "@google/genai": "@google/genai" }],

  async converse({ app, sift, id, scope, prompt, script, stream = false, onChunk, ...options }) {
    const { ids = true, vertexai = false, config, contents = said(prompt), ...others } = options;
    const { GoogleGenAI } = await app.load("@google/genai");
    const { runTools } = await app.load("toolsift");
    const { googleModel } = await app.load("toolsift/google");
    const vendor = await startVendor(geminiWire({ ids }), async (...seen) => ({
      thinking: THOUGHT,
      ...(await script(...seen)),
    }));
    try {
      const ai = new GoogleGenAI({ vertexai, apiKey: "none", httpOptions: { baseUrl: vendor.url } });
      const session = sift.session(id, scope === undefined ? {} : { scope });
      const settings = { systemInstruction: "You are an agent.", ...config };
      const model = googleModel(ai, { model: "gemini-3.8-flash", contents, config: settings }, { stream, onChunk });
      const { finish, reply } = await runTools(session, { ...model, ...others });
      return { requests: vendor.requests, finish, reply, text: reply.text, contents };
    } finally {
      await vendor.close();
    }
  },
};

/** The model thinks before all that it says. */
const THOUGHT = "Let me think.";

const said = (text) => [{ role: "user", parts: [{ text }] }];
