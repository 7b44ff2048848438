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
import { flowOf, startFlow } from "./flow.js";
import { isAlive } from "../base/lock.js";
import { withSlash } from "./issuer.js";
import { freePort, passOn } from "./loopback.js";
import { vaultProvider } from "./provider.js";
import { type OAuthSettings, SIGN_IN_MS } from "./settings.js";
import { type SavedSignIn, type Pending, openVault } from "./vault.js";

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

/** The state of being signed in to one server. */
export type SignIn = ReturnType<typeof signInTo>;

/**
 * The state of being signed in to one server, which its transports share through the file.
 *
 * @param fetch sends the requests of the flow, without any header of the server's configuration
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

  /** Refreshes the tokens, or begins a sign-in, which is returned. */
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
        // The registration names the port.
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
     * After an answer 401: gets a token other than the one that was used.
     *
     * @throws SignInNeeded, SignInFailed
     */
    async renew(used: string | undefined, refusal: Response): Promise<void> {
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(refusal);
      await authorize(used, { scope: settings.scope ?? scope, resourceMetadataUrl, isForced: false });
    },

    /**
     * After an answer 403 that asks for more scopes: asks the user for them.
     *
     * @returns whether to send the request again; false when the user was asked for these scopes already
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

    /** Signs in anew, whatever is kept. @throws SignInFailed, SignInNeeded */
    async login(): Promise<void> {
      // Without a token the server says where its authorization server is.
      const headers = { accept: "text/event-stream, application/json" };
      const answer = await fetch(url, { headers }).catch((error: unknown) => Promise.reject(failed(error)));
      await answer.body?.cancel().catch(() => {});
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
      const kept = await vault.read();
      // Scopes that calls needed before are asked for again.
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

/** Whether the process that began a sign-in still waits for it. */
const isWaitedFor = ({ pid, until }: Pending) => until > Date.now() && isAlive(pid);
