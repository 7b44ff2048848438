/**
 * The client scenarios of the official conformance suite against our transports and our sign-in.
 *
 * 1. Every scenario is in the table below; a new one of the suite fails the test until somebody decides about it.
 * 2. The scenarios pass as the table says, and those that do not fail for the reason that it gives.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { programOf } from "../../scripts/runtimes/programs.mjs";
import { folder } from "./command-line.mjs";

/** What passes completely. */
const PASSES = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sse-retry",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/basic-cimd",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-step-up",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/pre-registration",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
];

/** What does not pass, why, and what the client says. */
const FAILS = {
  "auth/2025-03-26-oauth-metadata-backcompat": {
    // The scenario's metadata stands at the root and names an issuer with the path /oauth. RFC 8414 section 3.3, which the
    // newer revisions demand, forbids to use such metadata, and SDK v2 refuses it. To accept it would weaken every sign-in.
    why: "the scenario's metadata names another issuer than the one that it was asked for",
    says: /Issuer mismatch in authorization server metadata \(RFC 8414/,
  },
  "auth/client-credentials-jwt": {
    why: "an extension for programs without a user: the grant client_credentials",
    says: /Only client_credentials grant is supported/,
  },
  "auth/client-credentials-basic": {
    why: "an extension for programs without a user: the grant client_credentials",
    says: /Only client_credentials grant is supported/,
  },
  "auth/cross-app-access-complete-flow": {
    why: "an extension for companies with an identity provider: the grant jwt-bearer",
    says: /Auth server only supports jwt-bearer grant/,
  },
};

// The suite uses fs.globSync, which Node has from version 22 on.
const runner = fs.globSync === undefined ? programOf("bun").file : process.execPath;
const suite = at("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

/** Runs the suite with arguments. Returns its exit code and what it printed. */
function conformance(...args) {
  return new Promise((resolve) => {
    execFile(runner, [suite, ...args], { cwd: at("."), timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, text: `${stdout}${stderr}` });
    });
  });
}

const scenario = (name) =>
  conformance("client", "--command", "node scripts/mcp-conformance-client.mjs", "--scenario", name, "-o", folder());

test("the table has every client scenario of the suite", async () => {
  const { text } = await conformance("list");
  const listed = [...text.slice(text.indexOf("Client scenarios")).matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  assert.deepEqual(listed.sort(), [...PASSES, ...Object.keys(FAILS)].sort());
});

/** A stream that is resumed, and a sign-in whose scopes grow: the others go parts of these ways, or fail as a version of the suite does. */
const SHORT = ["sse-retry", "auth/scope-step-up"];

for (const name of isFull ? PASSES : SHORT) {
  test(`${name} passes`, async () => {
    const { code, text } = await scenario(name);
    assert.equal(code, 0, text);
    assert.match(text, /Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  });
}

for (const [name, { why, says }] of isFull ? Object.entries(FAILS) : []) {
  test(`${name} does not pass: ${why}`, async () => {
    const { code, text } = await scenario(name);
    assert.equal(code, 1, text);
    assert.match(text, says);
  });
}
