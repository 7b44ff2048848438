/** Connects the MCP SDK's OAuth flow with the file that holds one server's tokens and registration. */

import { randomBytes } from "node:crypto";
import type {
  OAuthClientInformationContext,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { isSameIssuer } from "./issuer.js";
import { redirectUrl } from "./loopback.js";
import type { OAuthSettings } from "./settings.js";
import type { Pending, Vault } from "./vault.js";

/** The data of the first half of a sign-in, up to the page for the user. The second half needs them. */
export type Begun = Pick<Pending, "verifier" | "discovery" | "scope">;

/** The provider for one run of the SDK's `auth()`. If the run ended with a page to open, `begun` returns the new sign-in. */
export interface VaultProvider extends OAuthClientProvider {
  begun(): Omit<Pending, "pid" | "until">;
}

/**
 * Makes the provider for one run of `auth()`. The caller must hold the vault's lock during the run.
 *
 * @param first the data of the first half of the sign-in, if this run is the second half
 */
export function vaultProvider(vault: Vault, settings: OAuthSettings, port: number, first?: Begun): VaultProvider {
  const { clientMetadataUrl, scope: wanted } = settings;
  const state = randomBytes(32).toString("base64url");
  let verifier = first?.verifier;
  let discovery = first?.discovery;
  let page: URL | undefined;
  return {
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    redirectUrl: redirectUrl(port),
    clientMetadata: {
      client_name: "toolsift",
      redirect_uris: [redirectUrl(port)],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(wanted !== undefined && { scope: wanted }),
    },
    begun() {
      if (page === undefined || verifier === undefined) throw new Error("the SDK began no sign-in");
      const scope = page.searchParams.get("scope") ?? undefined;
      const more = { ...(discovery !== undefined && { discovery }), ...(scope !== undefined && { scope }) };
      return { state, verifier, url: page.href, ...more };
    },
    state: () => state,
    async clientInformation(context?: OAuthClientInformationContext) {
      const { client } = await vault.read();
      const { clientId, clientSecret } = settings;
      if (clientId !== undefined) {
        const issuer = client?.client_id === clientId ? client.issuer : undefined;
        // A secret is sent only to the authorization server with which it was first used.
        if (issuer !== undefined && context !== undefined && !isSameIssuer(issuer, context.issuer)) {
          const message = `its authorization server was ${issuer} and is ${context.issuer} now`;
          throw new Error(`${message}; if that is right, sign out first, and the configured client is used there`);
        }
        const secret = clientSecret !== undefined && { client_secret: clientSecret };
        return { client_id: clientId, ...secret, ...(issuer !== undefined && { issuer }) };
      }
      const expires = (client as { client_secret_expires_at?: number } | undefined)?.client_secret_expires_at;
      return expires !== undefined && expires > 0 && expires * 1_000 <= Date.now() ? undefined : client;
    },
    async saveClientInformation(client: StoredOAuthClientInformation) {
      const { client_secret: _, ...open } = client;
      await vault.change((kept) => {
        // The secret of a configured client stays in the configuration.
        kept.client = settings.clientId === undefined ? client : open;
        kept.port = port;
      });
    },
    tokens: async () => (await vault.read()).tokens,
    async saveTokens(tokens: StoredOAuthTokens) {
      // The error of `fetch` about such a header would show the token.
      if (!/^[\x21-\x7e]+$/.test(tokens.access_token)) {
        throw new Error("its access token has characters that no header may have");
      }
      await vault.change((kept) => {
        // If the server returns no scope, it granted the requested scope, or after a refresh the earlier scope.
        const scope = tokens.scope ?? first?.scope ?? kept.tokens?.scope;
        kept.tokens = { ...tokens, ...(scope !== undefined && { scope }) };
      });
    },
    redirectToAuthorization(url: URL) {
      const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
      if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) {
        throw new Error(`its page to sign in is at ${url.origin}, which is not https`);
      }
      page = url;
    },
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier() {
      if (verifier === undefined) throw new Error("no sign-in is under way");
      return verifier;
    },
    saveDiscoveryState: (given) => void (discovery = given),
    discoveryState: () => discovery,
    async invalidateCredentials(scope) {
      if (scope === "all" || scope === "discovery") discovery = undefined;
      if (scope === "all" || scope === "verifier") verifier = undefined;
      await vault.change((kept) => {
        if (scope === "all" || scope === "client") delete kept.client;
        if (scope === "all" || scope === "tokens") delete kept.tokens;
      });
    },
  };
}
