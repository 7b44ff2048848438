/** A model for `runTools` over the Gemini API: sends requests, reads the calls of responses, and appends their answers. */

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

/** The methods of a `GoogleGenAI` client that toolsift uses, for the Gemini API and for Vertex AI. */
export interface GoogleClient {
  models: Pick<Models, "generateContent" | "generateContentStream">;
}

/** The model's reply. */
export interface GoogleReply extends ModelReply {
  /** The text of the reply, without thoughts; empty if there is no text. */
  text: string;
  /** The reason why the model stopped, such as `STOP`, `MAX_TOKENS` or `SAFETY`; undefined if the prompt was blocked. */
  finishReason: string | undefined;
  /** The response; for a stream, all chunks joined. */
  response: GenerateContentResponse;
}

/** Options of `googleModel`. */
export interface GoogleOptions {
  /** True to use `generateContentStream`. Default: true if `onChunk` is given. */
  stream?: boolean | undefined;
  /** Called for every chunk as it arrives. An error that it throws ends the run. */
  onChunk?: ((chunk: GenerateContentResponse) => void) | undefined;
}

const OPTIONS: Shape<GoogleOptions> = { stream: trueOrFalse, onChunk: aFunction };

/**
 * Returns a model for `runTools` that uses the Gemini API.
 *
 * ```ts
 * const contents = [{ role: "user", parts: [{ text: "Open a ticket." }] }];
 * const model = googleModel(new GoogleGenAI({}), { model: "gemini-3.8-flash", contents });
 * await runTools(session, { ...model, execute });
 * ```
 *
 * A call that the API itself could not parse (`MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`) counts as refused: the
 * model gets an error and is called again.
 *
 * @param params the parameters of `ai.models.generateContent`. `contents` is the conversation: replies and answers are
 *   appended to this list. Functions in `params` come before the session's functions; their calls are also passed to
 *   `execute`, with `server: null`.
 * @throws ToolSiftError `option_invalid`, `option_unknown`; `send` throws `limit_out_of_range`, `option_conflict`, the
 *   client's errors, and `reply_invalid` if a response cannot be parsed
 */
export function googleModel(
  ai: GoogleClient,
  params: GoogleParams,
  options: GoogleOptions = {},
): Model<GoogleReply, "google"> {
  const { onChunk, stream = onChunk !== undefined } = shaped(options, OPTIONS);
  checkContents(params);
  requireMethods("ai.models", ai?.models, ["generateContent", "generateContentStream"], "that of a GoogleGenAI client");
  /** The reply whose calls are being answered. It is appended with its answers, so that no call is without an answer. */
  let open: Content[] = [];
  return {
    format: "google",
    conversation: params,
    begin: exclusive("contents", params),
    send: async (request) => {
      const own = ownFunctions(params, request);
      const signal = params.config?.abortSignal;
      signalIn("params.config.abortSignal", signal);
      // The SDK adds a listener to the signal in every request, and does not always remove it.
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
