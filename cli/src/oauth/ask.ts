/** Asking a user to sign in: what the surroundings are told, and the errors of a call that could not wait. */

import { UnauthorizedError } from "@modelcontextprotocol/client";
import { shown } from "../output/escape.js";

/** The server's user has to sign in. The message holds the page to open. */
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

/** A sign-in that could not be begun or finished. */
export class SignInFailed extends UnauthorizedError {
  override name = "SignInFailed";
}

/** A question to the user. */
export interface Ask {
  server: string;
  /** The page to open. */
  url: URL;
  /** Whether this call began the sign-in; other calls join it. */
  isFirst: boolean;
  /** Takes the address that the browser shows at the end, where the browser runs on another machine. */
  paste: (address: string) => Promise<{ isDone: boolean; text: string }>;
}

/** How the surroundings take part. */
export interface SignInHooks {
  /**
   * Tells the user. Returns for how many milliseconds the call waits for the sign-in before it fails with `SignInNeeded`;
   * the sign-in goes on in the background. Without the hook the page opens in a browser where there is one.
   */
  onAuthorize?: (ask: Ask) => number | Promise<number>;
  /** Is given lines for the user; standard error where it is missing. */
  warn?: (text: string) => void;
  /** The folder of the files with tokens. */
  folder?: string;
  /** How long a user has to sign in. */
  timeoutMs?: number;
}
