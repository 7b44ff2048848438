/** Calls in contents of the Gemini API, which are parts. Without ids, an answer belongs to the first open call of its name. */

import { type Calls, type Fields, fields } from "./calls.js";

export function google(message: Fields, calls: Calls): void {
  const parts = calls.items(message["parts"]);
  for (const part of parts) {
    const call = message["role"] === "model" ? fields(part["functionCall"]) : undefined;
    if (call !== undefined) calls.call(call["name"], call["args"], call["id"]);
    const answer = message["role"] === "model" ? undefined : fields(part["functionResponse"]);
    if (answer === undefined) continue;
    const { id, name, response } = answer;
    calls.answer(response, { id, name, failed: fields(response)?.["error"] !== undefined });
  }
  if (message["role"] === "user" && !parts.some((part) => "functionResponse" in part)) calls.forget();
}
