/**
 * An MCP server as a process: `fake-server.mjs NAME PIDFILE ARGS…`. Its tool NAME returns how the process was started, and a
 * call of it returns TOKEN. `tracker` has the tools of a tracker. `hangs` stops answering at a method (its argument, or
 * `initialize`), ignores the end of its input and SIGTERM, and then writes PIDFILE.hangs.
 */

import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { mcpAnswer, TRACKER } from "./fixtures.mjs";

const [name, pidFile, ...args] = process.argv.slice(2);
const [silent = "initialize"] = name === "hangs" ? args : ["none"];
writeFileSync(pidFile, String(process.pid));
if (name === "hangs") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
}
const { PORT, ON, EMPTY, TOKEN } = process.env;
const description = JSON.stringify({ PORT, ON, EMPTY, TOKEN: TOKEN?.length, args });
const tools = name === "tracker" ? TRACKER.tools : [{ name, description, inputSchema: { type: "object" } }];
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const answer = mcpAnswer(message, tools, TOKEN);
  if (message.method === silent) writeFileSync(`${pidFile}.hangs`, "");
  else if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
}
