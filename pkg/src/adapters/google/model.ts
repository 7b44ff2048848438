/** A model for `runTools`: functions declared in the config, calls and their answers as parts of contents. */

import type { Content, GenerateContentResponse, Models } from "@google/genai";
import { requireMethods, signalIn } from "../../base/checks.js";
import type { Model, ModelReply } from "../../index.js";
import { lent } from "../../loop/ending.js";
import { aFunction, type Shape, shaped, trueOrFalse } from "../../base/shape.js";
import { answersOf, callsIn, contentOf, joined, nameOf, textOf } from "../../wire/google.js";
import { eachPiece } from "../../wire/reply.js";
import { exclusive } from "../lib/exclusive.js";
import { markOwn } from "../lib/own-tools.js";
import { checkContents, type GoogleParams, googleRequest, ownFunctions } from "./request.js";

/** The methods of a `GoogleGenAI` client that are used, for the Gemini API and for Vertex AI. */
export interface GoogleClient {
  models: Pick<Models, "generateContent" | "generateContentStream">;
}

/** The model's reply. */
export interface GoogleReply extends ModelReply {
  /** The text of the reply, without thoughts; empty where there is none. */
  text: string;
  /** Why the model stopped, as in `STOP`, `MAX_TOKENS` or `SAFETY`; absent where the prompt itself was blocked. */
  finishReason: string | undefined;
  /** The response; of a stream, its chunks as one. */
  response: GenerateContentResponse;
}

/** Options of `googleModel`. */
export interface GoogleOptions {
  /** Whether to ask with `generateContentStream`. Default: whether there is an `onChunk`. */
  stream?: boolean | undefined;
  /** Receives every chunk as it arrives. An error that it throws ends the run. */
  onChunk?: ((chunk: GenerateContentResponse) => void) | undefined;
}

const OPTIONS: Shape<GoogleOptions> = { stream: trueOrFalse, onChunk: aFunction };

/**
 * A model behind the Gemini API, for `runTools`.
 *
 * ```ts
 * const contents = [{ role: "user", parts: [{ text: "Open a ticket." }] }];
 * const model = googleModel(new GoogleGenAI({}), { model: "gemini-3.8-flash", contents });
 * await runTools(session, { ...model, execute });
 * ```
 *
 * A call that the API itself could not read (`MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`) counts as a refused
 * one: the model is told, and asked again.
 *
 * @param params those of `ai.models.generateContent`. `contents` is the conversation: a list, which grows by what the
 * model and the tools say. Tools of your own stand before the session's; calls to functions among them come to `execute`
 * too, with `server: null`.
 * @throws ToolSiftError `option_invalid`, `option_unknown`; from `send` `limit_out_of_range` and `option_conflict`, what the client throws, and
 * `reply_invalid` where a response cannot be read
 */
export function googleModel(
  ai: GoogleClient,
  params: GoogleParams,
  options: GoogleOptions = {},
): Model<GoogleReply, "google"> {
  const { onChunk, stream = onChunk !== undefined } = shaped(options, OPTIONS);
  checkContents(params);
  requireMethods("ai.models", ai?.models, ["generateContent", "generateContentStream"], "that of a GoogleGenAI client");
  /** The reply whose calls are being answered. Both join the conversation together: no call may stand alone. */
  let open: Content[] = [];
  return {
    format: "google",
    conversation: params,
    begin: exclusive("contents", params),
    send: async (request) => {
      const own = ownFunctions(params, request);
      const signal = params.config?.abortSignal;
      signalIn("params.config.abortSignal", signal);
      // The SDK listens to a signal with every request, and does not always stop.
      const response = await lent(signal, (abortSignal) => {
        const given = abortSignal === undefined ? params : { ...params, config: { ...params.config, abortSignal } };
        const body = googleRequest(given, request);
        return stream ? streamed(ai, body, onChunk) : ai.models.generateContent(body);
      });
      const calls = markOwn(callsIn(response), own, nameOf);
      open = contentOf(response);
      if (calls.length === 0) params.contents.push(...open);
      const finishReason = response.candidates?.[0]?.finishReason;
      return { calls, text: textOf(response), finishReason, response };
    },
    answered: (answers) => void params.contents.push(...open, ...answersOf(answers)),
  };
}

async function streamed(ai: GoogleClient, body: GoogleParams, onChunk: GoogleOptions["onChunk"]) {
  const chunks: GenerateContentResponse[] = [];
  await eachPiece(await ai.models.generateContentStream(body), (chunk) => {
    onChunk?.(chunk);
    chunks.push(chunk);
  });
  return joined(chunks) as unknown as GenerateContentResponse;
}
