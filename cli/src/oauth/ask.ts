/** The hooks with which a sign-in reaches the user, and the errors of a call that could not sign in. */

import { UnauthorizedError } from "@modelcontextprotocol/client";
import { shown } from "../output/escape.js";

/** The user has to sign in to the server. The message holds the page to open. */
export class SignInNeeded extends UnauthorizedError {
  override name = "SignInNeeded";
  readonly server: string;
  readonly url: URL;
  constructor(server: string, url: URL) {
    super(`server ${JSON.stringify(shown(server, 80))} needs you to sign in: ${url.href}`);
    this.server = server;
    this.url = url;
  }
}

/** A sign-in could not be started or finished. */
export class SignInFailed extends UnauthorizedError {
  override name = "SignInFailed";
}

/** A request to the user to sign in. */
export interface Ask {
  server: string;
  /** The page to open. */
  url: URL;
  /** Whether this call started the sign-in. Later calls join it. */
  isFirst: boolean;
  /** Finishes the sign-in with the address that the browser shows at the end, if the browser runs on another machine. */
  paste: (address: string) => Promise<{ isDone: boolean; text: string }>;
}

/** The hooks and settings of a sign-in. */
export interface SignInHooks {
  /**
   * Tells the user. Returns the time, in ms, that the call waits for the sign-in before it fails with `SignInNeeded`; the
   * sign-in then goes on in the background. Without this hook, the page opens in a browser if there is one.
   */
  onAuthorize?: (ask: Ask) => number | Promise<number>;
  /** Receives lines for the user. Default: they are written to standard error. */
  warn?: (text: string) => void;
  /** The folder of the files with tokens. */
  folder?: string;
  /** The time that a user has to sign in, in ms. */
  timeoutMs?: number;
}
