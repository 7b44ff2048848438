/** One sign-in that a user has been asked for: it waits for the redirect, exchanges the code, and ends by itself. */

import { auth, type FetchLike, validateAuthorizationResponseIssuer } from "@modelcontextprotocol/client";
import { reasonOf, shown } from "../output/escape.js";
import { isSameIssuer } from "./issuer.js";
import type { Listening } from "../listen/listen.js";
import { type Answer, loopback } from "./loopback.js";
import { VaultProvider } from "./provider.js";
import type { OAuthSettings } from "./settings.js";
import type { Pending, Vault } from "./vault.js";

/** The server of a flow. */
export interface FlowContext {
  vault: Vault;
  settings: OAuthSettings;
  serverUrl: URL;
  fetch: FetchLike;
  port: number;
  timeoutMs: number;
}

/** The sign-ins of this process by the file of their tokens: one for each server and client. */
const flows = new Map<string, Flow>();

/** The sign-in that this process waits for, for a file. */
export const flowOf = (file: string): Flow | undefined => flows.get(file);

/** A sign-in that is under way. */
export class Flow {
  readonly url: URL;
  /** Resolves when the tokens are kept; rejects when the sign-in failed, took too long or was cancelled. */
  readonly done: Promise<void>;
  readonly #context: FlowContext;
  readonly #pending: Pending;
  #settle!: { resolve: () => void; reject: (error: Error) => void };
  #answer: Promise<Answer> | undefined;
  #listening: Listening | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(context: FlowContext, pending: Pending) {
    this.#context = context;
    this.#pending = pending;
    this.url = new URL(pending.url);
    this.done = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    // Nobody may be waiting when it fails.
    this.done.catch(() => {});
  }

  /**
   * Listens for the redirect and keeps the sign-in in the vault, whose lock the caller holds.
   *
   * @throws Error whose cause is the system's when the port is taken
   */
  static async start(context: FlowContext, begun: Omit<Pending, "pid" | "until">): Promise<Flow> {
    const { vault, port, timeoutMs } = context;
    const flow = new Flow(context, { ...begun, pid: process.pid, until: Date.now() + timeoutMs });
    flow.#listening = await loopback(port, begun.state, (params) => flow.#submit(params));
    flow.#listening.unref();
    try {
      await vault.change((kept) => void (kept.pending = flow.#pending));
    } catch (error) {
      void flow.#listening.close();
      throw error;
    }
    const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
    flow.#timer = setTimeout(() => flow.cancel(`nobody signed in within ${minutes} minutes`), timeoutMs).unref();
    flows.set(vault.file, flow);
    return flow;
  }

  /** Takes the parameters of a redirect whose state fits. What comes twice is done once. */
  #submit(params: URLSearchParams): Promise<Answer> {
    this.#answer ??= this.#exchange(params);
    return this.#answer;
  }

  cancel(reason: string): void {
    this.#end();
    void this.#fail(new Error(reason));
  }

  async #exchange(params: URLSearchParams): Promise<Answer> {
    try {
      await this.#context.vault.alone(() => this.#redeem(params));
      this.#settle.resolve();
      return { isDone: true, text: "You can close this page and go back to where you came from." };
    } catch (error) {
      await this.#fail(error instanceof Error ? error : new Error(String(error)));
      return { isDone: false, text: reasonOf(error) };
    } finally {
      this.#end();
    }
  }

  async #redeem(params: URLSearchParams): Promise<void> {
    const { vault, settings, serverUrl, fetch, port } = this.#context;
    const metadata = this.#pending.discovery?.authorizationServerMetadata as Record<string, unknown> | undefined;
    const [issuer, given] = [metadata?.["issuer"] as string | undefined, params.get("iss") ?? undefined];
    const iss = given !== undefined && issuer !== undefined && isSameIssuer(given, issuer) ? issuer : given;
    // Before anything else of the redirect is believed, its text of an error included.
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
    const provider = new VaultProvider(vault, settings, port, this.#pending);
    const options = { serverUrl, authorizationCode, fetchFn: fetch, ...(iss === undefined ? {} : { iss }) };
    const { scope } = this.#pending;
    await auth(provider, scope === undefined ? options : { ...options, scope });
    await vault.change((kept) => {
      delete kept.pending;
      kept.signedInAt = Date.now();
      if (scope !== undefined) kept.scope = scope;
    });
  }

  async #fail(error: Error): Promise<void> {
    const { vault } = this.#context;
    const forget = async () => {
      const isMine = (await vault.read()).pending?.state === this.#pending.state;
      if (isMine) await vault.change((kept) => void delete kept.pending);
    };
    // The rest expires.
    await vault.alone(forget).catch(() => {});
    this.#settle.reject(error);
  }

  #end(): void {
    clearTimeout(this.#timer);
    void this.#listening?.close();
    if (flows.get(this.#context.vault.file) === this) flows.delete(this.#context.vault.file);
  }
}
