/**
 * An HTTP server between the conformance suite and a gateway with a constant tool list. The suite calls tools by their own
 * names: the server turns such a call into a call of the gateway's call tool, and passes everything else on.
 */

import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** Rewrites a call of a tool as a call of the gateway's call tool. Other messages stay unchanged. */
function throughCallTool(body) {
  if (body.length === 0) return body;
  const message = JSON.parse(body);
  if (message.method !== "tools/call") return body;
  const { name, arguments: args = {}, ...rest } = message.params;
  const params = { ...rest, name: "call_destructive_tool", arguments: { name, arguments: args } };
  return Buffer.from(JSON.stringify({ ...message, params }));
}

/** Starts a server in front of a gateway. Returns its URL and a function that closes it. */
export async function callingThrough(url) {
  const server = createServer(async (incoming, outgoing) => {
    const body = throughCallTool(await buffer(incoming));
    const { "content-length": _, "transfer-encoding": __, ...given } = incoming.headers;
    // Passes on the client's Host header without the port: the gateway checks it.
    const headers = { ...given, host: given.host.replace(/:\d+$/, ""), "content-length": body.length };
    const forwarded = request(url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    forwarded.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close };
}
