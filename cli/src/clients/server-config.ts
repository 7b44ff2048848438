/** Reads one entry of `mcpServers` as the package does, and its `oauth` settings. Other keys are ignored. */

import { type ServerWay as Way, serverWay as wayOf } from "toolsift/gateway";
import { type OAuthSettings, oauthSettings } from "../oauth/settings.js";

/** The connection data of one server, and for a remote server the settings to sign in. */
export type ServerWay = Extract<Way, { kind: "stdio" }> | (Extract<Way, { url: URL }> & { oauth: OAuthSettings });

/**
 * Reads the entry of one server. Variables must be filled in already: text that looks like a variable stays.
 *
 * @param name the server's name
 * @throws Error if the entry is wrong. Its message never contains a value of `env`, `headers` or `oauth`.
 */
export function serverWay(name: string, given: unknown): ServerWay {
  const way = wayOf(name, given, "filled");
  if (way.kind === "stdio") return way;
  return { ...way, oauth: oauthSettings(`mcpServers.${name.slice(0, 80)}.oauth`, (given as { oauth?: unknown }).oauth) };
}
