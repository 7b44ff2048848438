/** Signing in to one remote server: renews its tokens, and asks the user only where nothing else helps. */

import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  isStrictScopeSuperset,
} from "@modelcontextprotocol/client";
import { withoutAddress } from "toolsift/internal";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf, shown } from "../output/escape.js";
import { type Ask, SignInFailed, type SignInHooks, SignInNeeded } from "./ask.js";
import { hasDisplay, openBrowser } from "./browser.js";
import { type Flow, flowOf, startFlow } from "./flow.js";
import { isAlive } from "../base/lock.js";
import { withSlash } from "./issuer.js";
import { freePort, passOn } from "./loopback.js";
import { vaultProvider } from "./provider.js";
import { type OAuthSettings, SIGN_IN_MS } from "./settings.js";
import { type SavedSignIn, type Pending, Vault } from "./vault.js";

/** How long a call waits for a user in whose browser a page was opened: less than clients wait for a call. */
export const CALL_WAIT_MS = 45_000;
/** A server that refuses tokens this soon after a sign-in would refuse those of the next sign-in. */
const JUST_NOW_MS = 60_000;
/** How often the file is read while another process waits for the redirect. */
const POLL_MS = 500;
/** How often a sign-in moves to another port because a program took its own. */
const PORT_TRIES = 3;

interface Awaited {
  url: URL;
  done: () => Promise<void>;
  isFirst: boolean;
}

interface Wish {
  scope: string | undefined;
  resourceMetadataUrl: URL | undefined;
  /** A new sign-in is needed: refreshing would not help. */
  isForced: boolean;
}

/** The state of being signed in to one server, which its transports share through the file. */
export class SignIn {
  readonly #server: string;
  readonly #url: URL;
  readonly #settings: OAuthSettings;
  readonly #fetch: FetchLike;
  readonly #hooks: SignInHooks;
  readonly #warn: (text: string) => void;
  readonly #vault: Vault;

  /** @param fetch sends the requests of the flow, without any header of the server's configuration */
  constructor(server: string, url: URL, settings: OAuthSettings, fetch: FetchLike, hooks: SignInHooks = {}) {
    this.#server = server;
    this.#url = url;
    this.#settings = settings;
    this.#fetch = fetch;
    this.#hooks = hooks;
    this.#warn = hooks.warn ?? ((text) => void process.stderr.write(`${text}\n`));
    const { folder } = hooks;
    this.#vault = new Vault(url, settings, { warn: this.#warn, ...(folder === undefined ? {} : { folder }) });
  }

  async token(): Promise<string | undefined> {
    return (await this.#vault.read()).tokens?.access_token;
  }

  /**
   * After an answer 401: gets a token other than the one that was used.
   *
   * @throws SignInNeeded, SignInFailed
   */
  async renew(used: string | undefined, refusal: Response): Promise<void> {
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(refusal);
    await this.#authorize(used, { scope: this.#settings.scope ?? scope, resourceMetadataUrl, isForced: false });
  }

  /**
   * After an answer 403 that asks for more scopes: asks the user for them.
   *
   * @returns whether to send the request again; false when the user was asked for these scopes already
   * @throws SignInNeeded, SignInFailed
   */
  async widen(used: string | undefined, refusal: Response): Promise<boolean> {
    const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(refusal);
    if (error !== "insufficient_scope") return false;
    const kept = await this.#vault.read();
    if (kept.tokens !== undefined && kept.tokens.access_token !== used) return true;
    const before = computeScopeUnion(kept.scope, kept.tokens?.scope);
    const union = computeScopeUnion(before, scope);
    if (!isStrictScopeSuperset(union, before)) return false;
    await this.#authorize(used, { scope: union, resourceMetadataUrl, isForced: true });
    return true;
  }

  /** Signs in anew, whatever is kept. @throws SignInFailed, SignInNeeded */
  async login(): Promise<void> {
    // Without a token the server says where its authorization server is.
    const headers = { accept: "text/event-stream, application/json" };
    const answer = await this.#fetch(this.#url, { headers }).catch((error: unknown) => Promise.reject(this.#failed(error)));
    await answer.body?.cancel().catch(() => {});
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
    const kept = await this.#vault.read();
    // Scopes that calls needed before are asked for again.
    const union = computeScopeUnion(this.#settings.scope ?? scope, kept.scope);
    await this.#authorize(kept.tokens?.access_token, { scope: union, resourceMetadataUrl, isForced: true });
  }

  async logout(): Promise<boolean> {
    flowOf(this.#vault.file)?.cancel("you signed out");
    return this.#vault.clear();
  }

  cancel(reason = "the sign-in was cancelled"): void {
    flowOf(this.#vault.file)?.cancel(reason);
  }

  async #authorize(used: string | undefined, wish: Wish): Promise<void> {
    let awaited;
    try {
      awaited = await this.#vault.alone(async () => {
        const kept = await this.#vault.read();
        // Another call or process was faster.
        if (kept.tokens !== undefined && kept.tokens.access_token !== used) return undefined;
        return this.#underWay(kept) ?? (await this.#begin(wish, kept));
      });
    } catch (error) {
      throw this.#failed(error);
    }
    if (awaited !== undefined) await this.#wait(awaited);
  }

  #underWay(kept: SavedSignIn): Awaited | undefined {
    const flow = flowOf(this.#vault.file);
    if (flow !== undefined) return { ...awaitedOf(flow), isFirst: false };
    const { pending } = kept;
    if (pending === undefined || pending.pid === process.pid || !isWaitedFor(pending)) return undefined;
    if (!URL.canParse(pending.url)) return undefined;
    return { url: new URL(pending.url), done: () => this.#elsewhere(kept), isFirst: false };
  }

  /** Refreshes the tokens, or begins a sign-in, which is returned. */
  async #begin({ scope, resourceMetadataUrl, isForced }: Wish, kept: SavedSignIn): Promise<Awaited | undefined> {
    for (let tries = 1; ; tries++) {
      const port = this.#settings.redirectPort ?? (await this.#vault.read()).port ?? (await freePort());
      const provider = vaultProvider(this.#vault, this.#settings, port);
      const result = await auth(provider, {
        serverUrl: this.#url,
        fetchFn: withSlash(this.#fetch),
        forceReauthorization: isForced || tries > 1,
        ...(scope === undefined ? {} : { scope }),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      });
      if (result === "AUTHORIZED") return undefined;
      if (!isForced && kept.signedInAt !== undefined && Date.now() - kept.signedInAt < JUST_NOW_MS) {
        throw new Error("the server refuses the token that it was given a moment ago");
      }
      const timeoutMs = this.#hooks.timeoutMs ?? SIGN_IN_MS;
      const shared = { vault: this.#vault, settings: this.#settings, serverUrl: this.#url, fetch: this.#fetch };
      try {
        return { ...awaitedOf(await startFlow({ ...shared, port, timeoutMs }, provider.begun())), isFirst: true };
      } catch (error) {
        const isTaken = ["EADDRINUSE", "EACCES"].includes(String(Object((error as Error).cause).code));
        if (!isTaken || tries === PORT_TRIES) throw error;
        if (this.#settings.redirectPort !== undefined) {
          throw new Error(`port ${port} of 127.0.0.1, which oauth.redirectPort names, is in use by another program`);
        }
        // The registration names the port.
        await this.#vault.change((now) => {
          delete now.client;
          delete now.port;
        });
      }
    }
  }

  async #wait({ url, done, isFirst }: Awaited): Promise<void> {
    const ask = { server: this.#server, url, isFirst, paste: (address: string) => passOn(address, url) };
    const ms = await (this.#hooks.onAuthorize ?? ((one) => this.#tell(one)))(ask);
    const needed = new SignInNeeded(this.#server, url);
    if (!(ms > 0)) throw needed;
    const giveUp = new AbortController();
    try {
      const late = sleep(ms, undefined, { signal: giveUp.signal }).then(() => Promise.reject(needed));
      late.catch(() => {});
      await Promise.race([done(), late]);
    } catch (error) {
      throw error === needed ? needed : this.#failed(error);
    } finally {
      giveUp.abort();
    }
  }

  async #tell({ url, isFirst }: Ask): Promise<number> {
    if (!isFirst) return hasDisplay() ? CALL_WAIT_MS : 0;
    this.#warn(new SignInNeeded(this.#server, url).message);
    return hasDisplay() && (await openBrowser(url)) ? CALL_WAIT_MS : 0;
  }

  async #elsewhere(before: SavedSignIn): Promise<void> {
    for (;;) {
      await sleep(POLL_MS, undefined, { ref: false });
      const { tokens, pending } = await this.#vault.read();
      if (tokens !== undefined && tokens.access_token !== before.tokens?.access_token) return;
      if (pending === undefined || !isWaitedFor(pending)) {
        throw new Error("the sign-in that another process began has failed");
      }
    }
  }

  #failed(error: unknown): Error {
    if (error instanceof SignInNeeded || error instanceof SignInFailed) return error;
    const reason = withoutAddress(reasonOf(error), this.#url);
    const message = `cannot sign in to server ${JSON.stringify(shown(this.#server, 80))}: ${reason}`;
    return Object.assign(new SignInFailed(message), { cause: error });
  }
}

function awaitedOf(flow: Flow): Omit<Awaited, "isFirst"> {
  return { url: flow.url, done: () => flow.done };
}

/** Whether the process that began a sign-in still waits for it. */
const isWaitedFor = ({ pid, until }: Pending) => until > Date.now() && isAlive(pid);
