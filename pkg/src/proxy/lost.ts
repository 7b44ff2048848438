/** Recovers a Responses conversation after the proxy lost its state. */

import { textOfBody } from "../base/bodies.js";
import { REPLY } from "./failures.js";
import { JsonText } from "./json-text.js";
import type { Running } from "./request.js";

/** The answer to the first round. Where the vendor refuses it, it may miss the answers to our own calls. */
export async function firstAnswer(running: Running): Promise<Response> {
  const { wire, request, exchange, settings, clock, signal } = running;
  const response = await running.send(exchange.body());
  if (response.status !== 400 || request.follows === undefined || !running.isLost || wire.recovered === undefined)
    return response;
  const kept = await clock.wait(() => running.kept(request.follows!));
  const read = kept.ok
    ? JsonText.of(await clock.wait(() => textOfBody(kept.body, settings.maxReplyBytes, REPLY, signal)))
    : undefined;
  const recovered = read === undefined ? undefined : wire.recovered(request, read, exchange.isListed);
  if (!kept.ok) await kept.body?.cancel().catch(() => {});
  if (recovered === undefined) return response;
  await response.body?.cancel().catch(() => {});
  exchange.goOn(recovered);
  return running.send(exchange.body());
}
