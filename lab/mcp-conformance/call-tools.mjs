/**
 * An HTTP server between the conformance suite and a gateway with a constant tool list. The suite calls tools by their own
 * names: the server turns such a call into a call of the gateway's call tool, and passes everything else on.
 */

import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** A call of a tool as one of the tool that may call all. Other messages stay as they are. */
function throughCallTool(body) {
  if (body.length === 0) return body;
  const message = JSON.parse(body);
  if (message.method !== "tools/call") return body;
  const { name, arguments: args = {}, ...rest } = message.params;
  const params = { ...rest, name: "call_destructive_tool", arguments: { name, arguments: args } };
  return Buffer.from(JSON.stringify({ ...message, params }));
}

/** Listens in front of a gateway. Answers its own URL, and what closes it. */
export async function callingThrough(url) {
  const server = createServer(async (incoming, outgoing) => {
    const body = throughCallTool(await buffer(incoming));
    const { "content-length": _, "transfer-encoding": __, ...given } = incoming.headers;
    // Node adds no Host of its own where there is one; the gateway must see the client's, apart from the port.
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
