/** A target, as play.mjs plays it. */

/** What a world has of each class and entry, where it is not named like it. */
const HELD = {
  ToolSift: "sift",
  Session: "session",
  SiftedTools: "sifted",
  SiftGraph: "parts",
  McpServers: "servers",
  Guard: "made",
  Gateway: "open",
  "ai-sdk": "aiSdk",
  "openai-agents": "agents",
};

/** A target. Unless it says how it is run, it is the call that it is named after, of what the world has. */
export function on(names, args, more) {
  const [holder, member] = [names].flat()[0].split(/[#.]/);
  const run = (w, ...given) => w[HELD[holder] ?? holder][member](...given);
  return { names: [names].flat(), args, run, ...more };
}
