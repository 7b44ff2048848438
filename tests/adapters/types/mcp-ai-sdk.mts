import { createMCPClient } from "@ai-sdk/mcp";
import { ToolSift } from "toolsift";
import { connectMcp } from "toolsift/mcp";

const open = () => createMCPClient({ transport: { type: "http", url: "https://tools.test/mcp" } });
const servers = await connectMcp(
  new ToolSift(),
  { a: await open(), b: { client: await open(), callTimeoutMs: 5_000 } },
  { reconnect: open },
);
await servers.add("c", await open());
const { content } = (await servers.client("a").callTool({ name: "echo", arguments: {} })) as { content: unknown[] };
// @ts-expect-error what is no client
await servers.add("d", { listTools: () => 7 });
export { content };
