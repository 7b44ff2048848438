/** A player that answers every form of request in words: how many tools and messages it was sent. */

import { createInterface } from "node:readline";
import { stdin, stdout } from "node:process";

createInterface({ input: stdin }).on("line", (line) => {
  const { id, request } = JSON.parse(line);
  const { tools, messages = request.input } = request;
  stdout.write(`${JSON.stringify({ id, reply: { text: `${tools.length} tools, ${messages.length} messages` } })}\n`);
});
