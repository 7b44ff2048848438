/** A small MCP server with an authorization server of its own, on loopback, whose misbehaviour can be chosen. */

import { createHash, randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { httpServer } from "./command-line.mjs";
import { mcpAnswer } from "./fixtures.mjs";

/**
 * Starts it. `counts` says how often each endpoint was asked; `wrong` chooses what goes wrong.
 */
export async function authorizationServer(wrong = {}) {
  const counts = { register: 0, authorize: 0, code: 0, refresh: 0, refused: 0, calls: 0 };
  const clients = new Map();
  const codes = new Map();
  const access = new Map();
  const refreshes = new Map();
  const seen = [];
  let origin;

  const issue = (scope) => {
    const [token, refresh] = [wrong.token ?? randomUUID(), randomUUID()];
    access.set(token, scope);
    refreshes.set(refresh, scope);
    return {
      access_token: token,
      refresh_token: refresh,
      token_type: "Bearer",
      expires_in: 3600,
      ...(scope ? { scope } : {}),
    };
  };

  const routes = {
    "/.well-known/oauth-protected-resource/mcp": () => ({
      resource: `${origin}/mcp`,
      authorization_servers: [origin + (wrong.named ?? "")],
      ...(wrong.scopes ? { scopes_supported: wrong.scopes } : {}),
    }),
    "/.well-known/oauth-authorization-server": () => ({
      issuer: wrong.issuer ?? origin + (wrong.issued ?? ""),
      authorization_endpoint: wrong.authorizationEndpoint ?? `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    }),
    "/register": (body) => {
      counts.register++;
      if (wrong.registration) return [400, wrong.registration];
      const client = { ...JSON.parse(body), client_id: randomUUID() };
      clients.set(client.client_id, client);
      return [201, client];
    },
    "/authorize": (_, { searchParams }) => {
      counts.authorize++;
      const { client_id, redirect_uri, code_challenge, code_challenge_method, state, scope } =
        Object.fromEntries(searchParams);
      const known = clients.get(client_id)?.redirect_uris ?? [redirect_uri];
      if (!known.includes(redirect_uri) || code_challenge_method !== "S256") return [400, { error: "invalid_request" }];
      const code = randomUUID();
      codes.set(code, { code_challenge, redirect_uri, scope });
      const back = new URL(redirect_uri);
      const said = wrong.redirect ?? { code, iss: origin + (wrong.said ?? wrong.issued ?? "") };
      Object.entries({ state, ...said }).forEach(([key, value]) => back.searchParams.set(key, value));
      return [302, undefined, { location: back.href }];
    },
    "/token": async (body) => {
      const params = new URLSearchParams(body);
      if (params.get("grant_type") === "refresh_token") {
        counts.refresh++;
        await new Promise((resolve) => setTimeout(resolve, wrong.refreshMs ?? 0));
        const scope = refreshes.get(params.get("refresh_token"));
        // A refresh token is good for one use, as many servers have it.
        if (!refreshes.delete(params.get("refresh_token"))) return [400, { error: "invalid_grant" }];
        return issue(scope);
      }
      counts.code++;
      const kept = codes.get(params.get("code"));
      codes.delete(params.get("code"));
      const challenge = createHash("sha256")
        .update(params.get("code_verifier") ?? "")
        .digest("base64url");
      const fits = kept?.code_challenge === challenge && kept.redirect_uri === params.get("redirect_uri");
      return fits ? issue(kept.scope) : [400, { error: "invalid_grant" }];
    },
  };

  const server = await httpServer(async (request, response) => {
    const body = await text(request);
    const url = new URL(request.url, origin);
    seen.push({ path: url.pathname, headers: request.headers, body });
    if (url.pathname === "/mcp") return answerMcp(request, response, body);
    const route = routes[url.pathname];
    if (route === undefined) return response.writeHead(404).end();
    const answer = await route(body, url);
    const [status, json, headers = {}] = Array.isArray(answer) ? answer : [200, answer];
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(json && JSON.stringify(json));
  });

  function answerMcp(request, response, body) {
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    const scope = access.get(/^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1]);
    if (!access.has(/^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1]) || wrong.refuseAll) {
      counts.refused++;
      return response.writeHead(401, { "www-authenticate": `Bearer ${metadata}` }).end();
    }
    if (request.method !== "POST") return response.writeHead(405).end();
    const message = JSON.parse(body);
    if (message.id === undefined) return response.writeHead(202).end();
    counts.calls++;
    const needed = message.method === "tools/call" ? wrong.callScope : undefined;
    if (needed !== undefined && !`${scope}`.split(" ").includes(needed)) {
      const header = `Bearer error="insufficient_scope", scope="${needed}", ${metadata}`;
      return response.writeHead(403, { "www-authenticate": header }).end();
    }
    const json = JSON.stringify(mcpAnswer(message) ?? {});
    return response.writeHead(200, { "content-type": "application/json" }).end(json);
  }

  origin = server.url;
  return {
    url: `${origin}/mcp`,
    origin,
    counts,
    seen,
    wrong,
    expire: () => access.clear(),
    revoke: () => refreshes.clear(),
  };
}
