/**
 * Tool search over HTTP, the same for every runtime that speaks fetch.
 *
 * | request | body | answer |
 * |---|---|---|
 * | `GET /` | | what is served here |
 * | `POST /search` | `{ query, limit? }` | hits with their reasons |
 * | `GET /sessions/ID` | | the names of what is revealed |
 * | `POST /sessions/ID/assemble` | `{ format? }` | the tools and prompt text of the next model request |
 * | `POST /sessions/ID/call` | `{ name, arguments? }` | what a call of the model comes to |
 * | `DELETE /sessions/ID` | | forgets the session |
 */

import { ToolSift, type SearchOptions, type WireFormat } from "toolsift";
import { SessionStore, type KeyValueStore } from "toolsift/store";
import { admit, allow, answer, bodyOf, failure, HttpError, preflight } from "./http.ts";

/** What a deployment says of itself. */
export interface Deployment {
  /** The index that build-index.mjs wrote. */
  index: Uint8Array | ArrayBuffer;
  /** Where sessions are kept: a storage of unstorage. */
  storage: KeyValueStore;
  /** What clients must send as `Authorization: Bearer …`; without it everybody may ask. */
  token?: string;
  /** Pages of which origin may ask; any by default. */
  origin?: string;
}

/** A session that nobody asks for is forgotten after a week. */
const TTL_SECONDS = 7 * 24 * 3_600;

/** The service. Nothing is loaded before the first request that needs it. */
export function service(deployment: Deployment): (request: Request) => Promise<Response> {
  const { index, storage, token, origin = "*" } = deployment;
  let loaded: { sift: ToolSift; store: SessionStore } | undefined;
  const load = () => {
    if (loaded === undefined) {
      const sift = ToolSift.fromIndex(index);
      loaded = { sift, store: new SessionStore(sift, storage, { ttl: TTL_SECONDS }) };
    }
    return loaded;
  };

  async function route(request: Request): Promise<Response> {
    if (request.method === "OPTIONS") return preflight();
    await admit(request, { token, origin });
    const path = new URL(request.url).pathname;
    const [place, part, ...rest] = path.split("/").filter(Boolean);
    const id = decoded(part ?? "");
    // Only the id is decoded: what is encoded elsewhere is no route.
    switch (`${request.method} ${[place, part && ":id", ...rest].filter(Boolean).join("/")}`) {
      case "GET ": {
        const { sift } = load();
        return answer({ toolsift: ToolSift.version, tools: sift.tools().length, contentHash: sift.contentHash });
      }
      case "POST search": {
        const { query, ...options } = await bodyOf(request);
        return answer(load().sift.search(query as string, options as SearchOptions));
      }
      case "GET sessions/:id":
        return answer({ revealed: (await load().store.open(id)).revealed });
      case "POST sessions/:id/assemble": {
        const options = (await bodyOf(request)) as { format?: WireFormat };
        return answer(await load().store.use(id, (session) => session.assemble(options)));
      }
      case "POST sessions/:id/call": {
        const { name, arguments: args } = await bodyOf(request);
        return answer(await load().store.use(id, (session) => session.call(name as string, args)));
      }
      case "DELETE sessions/:id":
        await load().store.delete(id);
        return answer({ deleted: id });
      default:
        throw new HttpError(404, "not_found", `there is no ${request.method} ${path}`);
    }
  }

  return (request) =>
    route(request)
      .catch(failure)
      .then((response) => allow(response, origin));
}

/** What a part of a path says. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(400, "path_invalid", `${part} is not well encoded`);
  }
}
