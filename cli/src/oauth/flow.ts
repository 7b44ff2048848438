/** One sign-in after the user was asked: waits for the redirect, with a time limit, and exchanges its code for tokens. */

import { auth, type FetchLike, validateAuthorizationResponseIssuer } from "@modelcontextprotocol/client";
import { reasonOf, shown } from "../output/escape.js";
import { isSameIssuer } from "./issuer.js";
import { type Answer, loopback } from "./loopback.js";
import { vaultProvider } from "./provider.js";
import type { OAuthSettings } from "./settings.js";
import type { Pending, Vault } from "./vault.js";

/** The server of a sign-in, and the surroundings that the sign-in needs. */
export interface FlowContext {
  vault: Vault;
  settings: OAuthSettings;
  serverUrl: URL;
  fetch: FetchLike;
  port: number;
  timeoutMs: number;
}

/** A sign-in in progress. */
export interface Flow {
  /** The page on which the user signs in. */
  url: URL;
  /** Resolves when the tokens are saved. Rejects if the sign-in fails, takes too long or is cancelled. */
  done: Promise<void>;
  cancel(reason: string): void;
}

/** The sign-ins in progress in this process, by the file of their tokens: one for each server and client. */
const flows = new Map<string, Flow>();

/** Returns the sign-in in progress in this process for a file of tokens. */
export const flowOf = (file: string): Flow | undefined => flows.get(file);

/**
 * Listens for the redirect and saves the sign-in in the vault. The caller must hold the vault's lock.
 *
 * @throws Error if the port is in use; its cause is the system's error
 */
export async function startFlow(context: FlowContext, begun: Omit<Pending, "pid" | "until">): Promise<Flow> {
  const { vault, port, timeoutMs } = context;
  const pending: Pending = { ...begun, pid: process.pid, until: Date.now() + timeoutMs };
  let settle!: { resolve: () => void; reject: (error: Error) => void };
  const done = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  // If nobody waits for the result, a failure must not become an unhandled rejection.
  done.catch(() => {});
  const end = () => {
    clearTimeout(timer);
    void listening.close();
    if (flows.get(vault.file) === flow) flows.delete(vault.file);
  };
  const fail = async (error: Error) => {
    const forget = async () => {
      const isMine = (await vault.read()).pending?.state === pending.state;
      if (isMine) await vault.change((kept) => void delete kept.pending);
    };
    // If removing the saved sign-in fails, it still expires.
    await vault.alone(forget).catch(() => {});
    settle.reject(error);
  };
  const exchange = async (params: URLSearchParams): Promise<Answer> => {
    try {
      await vault.alone(() => redeem(params, pending, context));
      settle.resolve();
      return { isDone: true, text: "You can close this page and go back to where you came from." };
    } catch (error) {
      await fail(error instanceof Error ? error : new Error(String(error)));
      return { isDone: false, text: reasonOf(error) };
    } finally {
      end();
    }
  };
  // The code is exchanged only once, even if the redirect arrives twice.
  let answer: Promise<Answer> | undefined;
  const listening = await loopback(port, pending.state, (params) => (answer ??= exchange(params)));
  listening.unref();
  try {
    await vault.change((kept) => void (kept.pending = pending));
  } catch (error) {
    void listening.close();
    throw error;
  }
  const cancel = (reason: string) => {
    end();
    void fail(new Error(reason));
  };
  const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
  const timer = setTimeout(() => cancel(`nobody signed in within ${minutes} minutes`), timeoutMs).unref();
  const flow = { url: new URL(pending.url), done, cancel };
  flows.set(vault.file, flow);
  return flow;
}

/** Exchanges the code of a redirect for tokens, and saves them. @throws Error if the redirect is invalid or refuses */
async function redeem(params: URLSearchParams, pending: Pending, context: FlowContext): Promise<void> {
  const { vault, settings, serverUrl, fetch, port } = context;
  const { scope } = pending;
  const metadata = pending.discovery?.authorizationServerMetadata as Record<string, unknown> | undefined;
  const [issuer, given] = [metadata?.["issuer"] as string | undefined, params.get("iss") ?? undefined];
  const iss = given !== undefined && issuer !== undefined && isSameIssuer(given, issuer) ? issuer : given;
  // The issuer is checked first: before that, nothing in the redirect is trusted, not even the text of an error.
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: issuer,
    issParameterSupported: metadata?.["authorization_response_iss_parameter_supported"] === true,
  });
  const refusal = params.get("error");
  if (refusal !== null) {
    const why = params.get("error_description");
    throw new Error(`the sign-in was refused: ${shown(refusal, 80)}${why === null ? "" : ` (${shown(why, 300)})`}`);
  }
  const authorizationCode = params.get("code");
  if (authorizationCode === null || authorizationCode === "") throw new Error("the redirect of the sign-in has no code");
  const provider = vaultProvider(vault, settings, port, pending);
  const more = { ...(iss !== undefined && { iss }), ...(scope !== undefined && { scope }) };
  await auth(provider, { serverUrl, authorizationCode, fetchFn: fetch, ...more });
  await vault.change((kept) => {
    delete kept.pending;
    kept.signedInAt = Date.now();
    if (scope !== undefined) kept.scope = scope;
  });
}
