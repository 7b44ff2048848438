/** Runs the client scenarios of the official conformance suite against our transports and our sign-in. */

import { inTemporary } from "../../scripts/lib/place.mjs";
import { suite } from "./suite.mjs";

/** The scenarios that fail, each with the reason. */
const REASONS = {
  // The scenario's metadata stands at the root and names an issuer with the path /oauth. RFC 8414 section 3.3, which the
  // newer revisions demand, forbids to use such metadata, and SDK v2 refuses it. To accept it would weaken every sign-in.
  "auth/2025-03-26-oauth-metadata-backcompat": "its metadata names another issuer than the one that it was asked for",
  "auth/client-credentials-jwt": "an extension for programs without a user: the grant client_credentials",
  "auth/client-credentials-basic": "an extension for programs without a user: the grant client_credentials",
  "auth/cross-app-access-complete-flow": "an extension for companies with an identity provider: the grant jwt-bearer",
};

/** Runs every client scenario. Returns `{ scenario, passes, why }` for each, with the reason of a failure if it is known. */
export async function runClient() {
  const listed = await suite("list");
  const names = [...listed.slice(listed.indexOf("Client scenarios")).matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  const results = [];
  for (const scenario of names) {
    const said = await inTemporary("conformance", (folder) =>
      suite("client", "--command", "node lab/mcp-conformance/client.mjs", "--scenario", scenario, "-o", folder),
    );
    const passes = /Passed: (\d+)\/\1, 0 failed, 0 warnings/.test(said);
    results.push({ scenario, passes, why: passes ? undefined : REASONS[scenario] });
  }
  return results;
}
