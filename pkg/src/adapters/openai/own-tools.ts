/** Finds the host's own tools in a request to the Responses API, and the server under which each of them runs. */

import type OpenAI from "openai";
import type { ModelRequest } from "../../index.js";
import { beside } from "../lib/own-tools.js";
import { type ItemCall, keyOf, nameOf } from "../../wire/openai-responses.js";

type Tool = OpenAI.Responses.Tool;
type Tools = { tools?: Tool[] | null | undefined };
type Request = { tools: Tool[] } & Pick<ModelRequest, "session">;

/** The host's tools that are sent beside the session's. */
export function ownTools({ tools }: Tools, request: Request): Tool[] {
  return beside(tools ?? [], request, nameOf);
}

/**
 * Under which server each of the host's own tools runs. A namespace called as a server of the catalog does not open that
 * server's tools; a call whose namespace has the tool's own name looks like that of a tool which stands alone.
 */
export function ownServers(params: Tools, request: Request): Map<string, ItemCall["own"]> {
  const servers = new Map<string, ItemCall["own"]>();
  const own = ownTools(params, request);
  const catalog = own.some(({ type }) => type === "namespace") ? request.session.tools() : [];
  for (const tool of own) {
    if (tool.type !== "namespace") {
      const name = nameOf(tool);
      if (name !== undefined) servers.set(keyOf({ name }), { server: null });
      continue;
    }
    const server = tool.name;
    for (const { name } of tool.tools) {
      const isAlone = name === server;
      const isCatalogs = catalog.some((one) =>
        one.server === server ? one.originalName === name || one.name === name : isAlone && one.name === name,
      );
      if (!isCatalogs) servers.set(keyOf({ name, namespace: isAlone ? undefined : server }), { server });
    }
  }
  return servers;
}
