/** Reads one entry of `mcpServers` as the package does, with how to sign in. Keys that clients keep there are left alone. */

import { type ServerWay as Way, serverWay as wayOf } from "toolsift/gateway";
import { type OAuthSettings, oauthSettings } from "../oauth/settings.js";

/** How one server is reached, and how to sign in to it. */
export type ServerWay = Extract<Way, { kind: "stdio" }> | (Extract<Way, { url: URL }> & { oauth: OAuthSettings });

/**
 * Reads the entry of one server, in which variables are filled in already: what looks like one is text.
 *
 * @param name the server's name
 * @throws Error that says what is wrong; it never holds a value of `env`, of a header or of `oauth`
 */
export function serverWay(name: string, given: unknown): ServerWay {
  const way = wayOf(name, given, "filled");
  if (way.kind === "stdio") return way;
  return { ...way, oauth: oauthSettings(`mcpServers.${name.slice(0, 80)}.oauth`, (given as { oauth?: unknown }).oauth) };
}
