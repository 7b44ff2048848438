/** An agent over the Gemini API with `@google/genai`, plain or streamed. */

import { appWith } from "../../../adapters/lib/app.mjs";
import { gemini } from "../../../apis/gemini.mjs";

export const google = {
  label: "google",
  wire: "gemini",
  versions: [{ "@google/genai": "genai-2" }, { "@google/genai": "@google/genai" }],
  variants: [{ stream: false }, { stream: true }],

  async run({ packages, url, fetch, tools, execute, prompt, system, stream, maxSteps, messages, params, headers }) {
    const { GoogleGenAI } = await (await appWith(packages)).load("@google/genai");
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url, headers, ...(fetch && { fetch }) } });
    messages.push({ role: "user", parts: [{ text: prompt }] });
    const functionDeclarations = tools.map(gemini.tool);
    const replies = [];
    for (let step = 1; step <= maxSteps; step += 1) {
      const config = {
        systemInstruction: system,
        ...(functionDeclarations.length > 0 && { tools: [{ functionDeclarations }] }),
      };
      const body = { model: "gemini-3.8-flash", contents: messages, config: { ...config, ...params } };
      const reply = stream
        ? await whole(await client.models.generateContentStream(body))
        : await client.models.generateContent(body);
      replies.push(reply);
      const [{ content = { role: "model", parts: [] }, finishReason }] = reply.candidates;
      messages.push({ role: content.role, parts: joined(content.parts) });
      const calls = content.parts.flatMap(({ functionCall }) => functionCall ?? []);
      const text = content.parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join("");
      if (calls.length === 0) return { messages, replies, text, finish: finishReason };
      const parts = [];
      for (const { id, name, args } of calls) {
        const response = { output: await execute(name, args ?? {}) };
        parts.push({ functionResponse: { ...(id !== undefined && { id }), name, response } });
      }
      messages.push({ role: "user", parts });
    }
    return { messages, replies, finish: "steps" };
  },
};

/** A stream as one answer. */
async function whole(stream) {
  const parts = [];
  let last;
  let finishReason;
  for await (const chunk of stream) {
    last = chunk;
    const [candidate] = chunk.candidates ?? [];
    parts.push(...(candidate?.content?.parts ?? []));
    finishReason = candidate?.finishReason ?? finishReason;
  }
  const { usageMetadata, modelVersion, responseId } = last;
  return { candidates: [{ content: { role: "model", parts }, finishReason }], usageMetadata, modelVersion, responseId };
}

/** Pieces of one text are one part, and an empty one is none. */
function joined(parts) {
  const list = [];
  for (const part of parts) {
    const { text, thought } = part;
    const before = list.at(-1);
    const isText = text !== undefined && part.thoughtSignature === undefined;
    if (isText && before?.text !== undefined && before.thought === thought) before.text += text;
    else if (!isText || text !== "") list.push({ ...part });
  }
  return list;
}
