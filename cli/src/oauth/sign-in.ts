/** Signs in to one remote server: renews its tokens, and asks the user only if a renewal does not help. */

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
import { flowOf, startFlow } from "./flow.js";
import { isAlive } from "../base/lock.js";
import { withSlash } from "./issuer.js";
import { freePort, passOn } from "./loopback.js";
import { vaultProvider } from "./provider.js";
import { type OAuthSettings, SIGN_IN_MS } from "./settings.js";
import { type SavedSignIn, type Pending, openVault } from "./vault.js";

/** The time that a call waits after it opened the page in a browser, in ms. It is shorter than the time limit of clients. */
export const CALL_WAIT_MS = 45_000;
/** If a server refuses a token within this time after a sign-in, in ms, another sign-in would not help. */
const JUST_NOW_MS = 60_000;
/** The time between two reads of the file while another process waits for the redirect, in ms. */
const POLL_MS = 500;
/** The most attempts to start a sign-in. The next attempt uses another port if the port is in use. */
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

/** Signs in to one server and out again, and provides its token. */
export type SignIn = ReturnType<typeof signInTo>;

/**
 * Makes the sign-in for one server. All transports of the server share its tokens through a file.
 *
 * @param fetch sends the requests of the sign-in, without the headers of the server's configuration
 */
export function signInTo(server: string, url: URL, settings: OAuthSettings, fetch: FetchLike, hooks: SignInHooks = {}) {
  const { folder, warn = (text) => void process.stderr.write(`${text}\n`) } = hooks;
  const vault = openVault(url, settings, warn, folder);

  async function authorize(used: string | undefined, wish: Wish): Promise<void> {
    let awaited;
    try {
      awaited = await vault.alone(async () => {
        const kept = await vault.read();
        // Another call or process was faster.
        if (kept.tokens !== undefined && kept.tokens.access_token !== used) return undefined;
        return underWay(kept) ?? (await begin(wish, kept));
      });
    } catch (error) {
      throw failed(error);
    }
    if (awaited !== undefined) await wait(awaited);
  }

  function underWay(kept: SavedSignIn): Awaited | undefined {
    const flow = flowOf(vault.file);
    if (flow !== undefined) return { url: flow.url, done: () => flow.done, isFirst: false };
    const { pending } = kept;
    if (pending === undefined || pending.pid === process.pid || !isWaitedFor(pending)) return undefined;
    if (!URL.canParse(pending.url)) return undefined;
    return { url: new URL(pending.url), done: () => elsewhere(kept), isFirst: false };
  }

  /** Refreshes the tokens. If that is not possible, starts a sign-in and returns it. */
  async function begin({ scope, resourceMetadataUrl, isForced }: Wish, kept: SavedSignIn): Promise<Awaited | undefined> {
    for (let tries = 1; ; tries++) {
      const port = settings.redirectPort ?? (await vault.read()).port ?? (await freePort());
      const provider = vaultProvider(vault, settings, port);
      const result = await auth(provider, {
        serverUrl: url,
        fetchFn: withSlash(fetch),
        forceReauthorization: isForced || tries > 1,
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      });
      if (result === "AUTHORIZED") return undefined;
      if (!isForced && kept.signedInAt !== undefined && Date.now() - kept.signedInAt < JUST_NOW_MS) {
        throw new Error("the server refuses the token that it was given a moment ago");
      }
      const context = { vault, settings, serverUrl: url, fetch, port, timeoutMs: hooks.timeoutMs ?? SIGN_IN_MS };
      try {
        const flow = await startFlow(context, provider.begun());
        return { url: flow.url, done: () => flow.done, isFirst: true };
      } catch (error) {
        const isTaken = ["EADDRINUSE", "EACCES"].includes(String(Object((error as Error).cause).code));
        if (!isTaken || tries === PORT_TRIES) throw error;
        if (settings.redirectPort !== undefined) {
          throw new Error(`port ${port} of 127.0.0.1, which oauth.redirectPort names, is in use by another program`);
        }
        // The registration includes the port, so a new port needs a new registration.
        await vault.change((now) => {
          delete now.client;
          delete now.port;
        });
      }
    }
  }

  async function wait({ url: page, done, isFirst }: Awaited): Promise<void> {
    const ask = { server, url: page, isFirst, paste: (address: string) => passOn(address, page) };
    const ms = await (hooks.onAuthorize ?? tell)(ask);
    const needed = new SignInNeeded(server, page);
    if (!(ms > 0)) throw needed;
    const giveUp = new AbortController();
    try {
      const late = sleep(ms, undefined, { signal: giveUp.signal }).then(() => Promise.reject(needed));
      late.catch(() => {});
      await Promise.race([done(), late]);
    } catch (error) {
      throw error === needed ? needed : failed(error);
    } finally {
      giveUp.abort();
    }
  }

  async function tell({ url: page, isFirst }: Ask): Promise<number> {
    if (!isFirst) return hasDisplay() ? CALL_WAIT_MS : 0;
    warn(new SignInNeeded(server, page).message);
    return hasDisplay() && (await openBrowser(page)) ? CALL_WAIT_MS : 0;
  }

  async function elsewhere(before: SavedSignIn): Promise<void> {
    for (;;) {
      await sleep(POLL_MS, undefined, { ref: false });
      const { tokens, pending } = await vault.read();
      if (tokens !== undefined && tokens.access_token !== before.tokens?.access_token) return;
      if (pending === undefined || !isWaitedFor(pending)) {
        throw new Error("the sign-in that another process began has failed");
      }
    }
  }

  function failed(error: unknown): Error {
    if (error instanceof SignInNeeded || error instanceof SignInFailed) return error;
    const reason = withoutAddress(reasonOf(error), url);
    const message = `cannot sign in to server ${JSON.stringify(shown(server, 80))}: ${reason}`;
    return Object.assign(new SignInFailed(message), { cause: error });
  }

  return {
    token: async (): Promise<string | undefined> => (await vault.read()).tokens?.access_token,

    /**
     * Gets a new token after HTTP status 401.
     *
     * @throws SignInNeeded, SignInFailed
     */
    async renew(used: string | undefined, refusal: Response): Promise<void> {
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(refusal);
      await authorize(used, { scope: settings.scope ?? scope, resourceMetadataUrl, isForced: false });
    },

    /**
     * Asks the user for more scopes after HTTP status 403.
     *
     * @returns true if the request should be sent again; false if the user was asked for all these scopes already
     * @throws SignInNeeded, SignInFailed
     */
    async widen(used: string | undefined, refusal: Response): Promise<boolean> {
      const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(refusal);
      if (error !== "insufficient_scope") return false;
      const kept = await vault.read();
      if (kept.tokens !== undefined && kept.tokens.access_token !== used) return true;
      const before = computeScopeUnion(kept.scope, kept.tokens?.scope);
      const union = computeScopeUnion(before, scope);
      if (!isStrictScopeSuperset(union, before)) return false;
      await authorize(used, { scope: union, resourceMetadataUrl, isForced: true });
      return true;
    },

    /** Signs in again, even if there are saved tokens. @throws SignInFailed, SignInNeeded */
    async login(): Promise<void> {
      // The answer to a request without a token names the authorization server.
      const headers = { accept: "text/event-stream, application/json" };
      const answer = await fetch(url, { headers }).catch((error: unknown) => Promise.reject(failed(error)));
      await answer.body?.cancel().catch(() => {});
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
      const kept = await vault.read();
      // Earlier calls may have needed more scopes: these are requested again.
      const union = computeScopeUnion(settings.scope ?? scope, kept.scope);
      await authorize(kept.tokens?.access_token, { scope: union, resourceMetadataUrl, isForced: true });
    },

    async logout(): Promise<boolean> {
      flowOf(vault.file)?.cancel("you signed out");
      return vault.clear();
    },

    cancel: (reason = "the sign-in was cancelled"): void => flowOf(vault.file)?.cancel(reason),
  };
}

/** Returns true if the process that started a sign-in still waits for it. */
const isWaitedFor = ({ pid, until }: Pending) => until > Date.now() && isAlive(pid);
