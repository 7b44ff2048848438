/** Provides the SDK's OAuth flow with the client's data, from the file of one server. */

import { randomBytes } from "node:crypto";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { isSameIssuer } from "./issuer.js";
import { redirectUrl } from "./loopback.js";
import type { OAuthSettings } from "./settings.js";
import type { Pending, Vault } from "./vault.js";

/** The begun sign-in that the second half of the flow continues. */
export type Begun = Pick<Pending, "verifier" | "discovery" | "scope">;

/** The provider of one run of `auth()`. Whoever runs it holds the vault's lock. */
export class VaultProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly #vault: Vault;
  readonly #settings: OAuthSettings;
  readonly #port: number;
  readonly #scope: string | undefined;
  readonly #state = randomBytes(32).toString("base64url");
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #url: URL | undefined;

  /** @param begun the first half of the sign-in, for the second */
  constructor(vault: Vault, settings: OAuthSettings, port: number, begun?: Begun) {
    this.#vault = vault;
    this.#settings = settings;
    this.#port = port;
    this.#verifier = begun?.verifier;
    this.#discovery = begun?.discovery;
    this.#scope = begun?.scope;
    if (settings.clientMetadataUrl !== undefined) this.clientMetadataUrl = settings.clientMetadataUrl;
  }

  get redirectUrl(): string {
    return redirectUrl(this.#port);
  }

  get clientMetadata(): OAuthClientMetadata {
    const scope = this.#settings.scope;
    return {
      client_name: "toolsift",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(scope === undefined ? {} : { scope }),
    };
  }

  /** The sign-in that the flow began, when it ended with a page to open. */
  begun(): Omit<Pending, "pid" | "until"> {
    if (this.#url === undefined || this.#verifier === undefined) throw new Error("the SDK began no sign-in");
    const scope = this.#url.searchParams.get("scope") ?? undefined;
    return {
      state: this.#state,
      verifier: this.#verifier,
      url: this.#url.href,
      ...(this.#discovery === undefined ? {} : { discovery: this.#discovery }),
      ...(scope === undefined ? {} : { scope }),
    };
  }

  state(): string {
    return this.#state;
  }

  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const { client } = await this.#vault.read();
    const { clientId, clientSecret } = this.#settings;
    if (clientId !== undefined) {
      const issuer = client?.client_id === clientId ? client.issuer : undefined;
      // A secret goes to the authorization server that it was first used with, and to no other.
      if (issuer !== undefined && context !== undefined && !isSameIssuer(issuer, context.issuer)) {
        const message = `its authorization server was ${issuer} and is ${context.issuer} now`;
        throw new Error(`${message}; if that is right, sign out first, and the configured client is used there`);
      }
      const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
      return { client_id: clientId, ...secret, ...(issuer === undefined ? {} : { issuer }) };
    }
    const expires = (client as { client_secret_expires_at?: number } | undefined)?.client_secret_expires_at;
    if (expires !== undefined && expires > 0 && expires * 1_000 <= Date.now()) return undefined;
    return client;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    const { client_secret: _, ...open } = client;
    await this.#vault.change((kept) => {
      // The secret of a configured client stays in the configuration.
      kept.client = this.#settings.clientId === undefined ? client : open;
      kept.port = this.#port;
    });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#vault.read()).tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    // The error of `fetch` about such a header would show the token.
    if (!/^[\x21-\x7e]+$/.test(tokens.access_token)) {
      throw new Error("its access token has characters that no header may have");
    }
    await this.#vault.change((kept) => {
      // A server that leaves the scope out granted what was asked for, or what it had granted before.
      const scope = tokens.scope ?? this.#scope ?? kept.tokens?.scope;
      kept.tokens = { ...tokens, ...(scope === undefined ? {} : { scope }) };
    });
  }

  redirectToAuthorization(url: URL): void {
    const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) {
      throw new Error(`its page to sign in is at ${url.origin}, which is not https`);
    }
    this.#url = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error("no sign-in is under way");
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
    if (scope === "all" || scope === "verifier") this.#verifier = undefined;
    await this.#vault.change((kept) => {
      if (scope === "all" || scope === "client") delete kept.client;
      if (scope === "all" || scope === "tokens") delete kept.tokens;
    });
  }
}
