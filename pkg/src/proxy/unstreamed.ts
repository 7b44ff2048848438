/** Runs the rounds of a request for a whole reply. */

import { textOfBody } from "../base/bodies.js";
import { ToolSiftError } from "../base/errors.js";
import { endOf, rounds } from "../loop/rounds.js";
import type { Reply } from "../wire/api.js";
import { REPLY } from "./failures.js";
import { JsonText } from "./json-text.js";
import { answered, chainOf, type Running } from "./request.js";
import { isJson } from "./typed.js";

/**
 * Returns the reply of the last round, joined with the earlier ones. An answer that is no reply of the model is passed on
 * unchanged.
 *
 * @param given the upstream's answer to the first round, if there is one already
 */
export function unstreamed(running: Running, given?: Response): Promise<Response> {
  const { wire, request, exchange, settings, signal } = running;
  const replies: JsonText[] = [];
  const ask = (round: number) => (round > 1 ? running.send(exchange.body()) : (given ?? firstAnswer(running)));
  const settle = async (response: Response): Promise<Response | undefined> => {
    if (!response.ok || !isJson(response)) {
      running.end("upstream_error");
      return answered(running, response);
    }
    const { body } = response;
    const text = await textOfBody(body, settings.maxReplyBytes, REPLY, signal);
    const read = JsonText.of(text);
    const reply = read === undefined ? undefined : replyIn(() => wire.api.read(JSON.parse(text) as object));
    if (read === undefined || reply === undefined) {
      running.end("upstream_error");
      return answered(running, response, text);
    }
    replies.push(read);
    const settled = await exchange.settle(reply, signal);
    if (!settled.isFinal) return undefined;
    const joined = wire.joined(request, replies, settled);
    const { id } = reply;
    const mark = wire.markOf(joined === read.text ? read : JsonText.of(joined)!);
    await running.done({ mark, id, chain: chainOf(running, settled, id, id) });
    const answer = answered(running, response, joined);
    running.end("done");
    return answer;
  };
  return endOf(rounds(ask, settle, signal));
}

/** Reads a reply; undefined for an invalid reply, which is passed on to the client. */
function replyIn(read: () => Reply | undefined): Reply | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError || (ToolSiftError.is(error) && error.code === "reply_invalid")) return undefined;
    throw error;
  }
}

/** Sends the first round. If the vendor refuses it because answers to the proxy's calls are missing, adds them. */
export async function firstAnswer(running: Running): Promise<Response> {
  const { wire, request, exchange, settings, signal } = running;
  const response = await running.send(exchange.body());
  if (response.status !== 400 || request.follows === undefined || !running.isLost || wire.recovered === undefined)
    return response;
  const kept = await running.kept(request.follows!);
  const read = kept.ok ? JsonText.of(await textOfBody(kept.body, settings.maxReplyBytes, REPLY, signal)) : undefined;
  const recovered = read === undefined ? undefined : wire.recovered(request, read, exchange.isListed);
  if (!kept.ok) await kept.body?.cancel().catch(() => {});
  if (recovered === undefined) return response;
  await response.body?.cancel().catch(() => {});
  exchange.goOn(recovered);
  return running.send(exchange.body());
}
