/** Reads calls that an agent with a format of its own passes one by one, each with its answer. */

import { type Calls, type Fields, fields } from "./calls.js";

export function mcp(call: Fields, calls: Calls): void {
  const { name, arguments: args, result } = call;
  calls.call(name, args);
  if (result !== undefined) calls.answer(result, { name, failed: fields(result)?.["isError"] === true });
  calls.forget();
}
