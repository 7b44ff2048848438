/** Tests signing in to remote servers. */

import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "vitest";
import { Client } from "@modelcontextprotocol/client";
import { transportFor } from "../../cli/src/gateway/transports.ts";
import { hasDisplay, opener } from "../../cli/src/oauth/browser.ts";
import { oauthSettings } from "../../cli/src/oauth/settings.ts";
import { SignInNeeded } from "../../cli/src/oauth/ask.ts";
import { signInTo } from "../../cli/src/oauth/sign-in.ts";
import { openVault } from "../../cli/src/oauth/vault.ts";
import { authorizationServer } from "./authorization-server.mjs";
import { folder as newFolder, program, start, until } from "./command-line.mjs";

const isPosix = process.platform !== "win32";

/** Hooks of a user whose browser signs in by itself; `pages` promises what it was shown. */
function browsing(folder) {
  const pages = [];
  const visit = async (url) => {
    const answer = await fetch(url);
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    return answer.text();
  };
  const onAuthorize = ({ url, isFirst }) => {
    if (isFirst) pages.push(visit(url));
    return 10_000;
  };
  return { folder, pages, onAuthorize, warn: () => {} };
}

/** Connects, calls a tool, and returns its text. */
async function called(url, hooks, entry = {}, options = {}) {
  const transport = transportFor("test", { url, type: "http", ...entry }, hooks);
  const client = new Client({ name: "test", version: "1" }, options);
  try {
    await client.connect(transport);
    return (await client.callTool({ name: "one", arguments: {} })).content[0].text;
  } catch (error) {
    throw transport.explain(error);
  } finally {
    await client.close();
  }
}

const fileOf = (folder) =>
  join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".json")),
  );

/** The user signed in long ago. */
function age(folder) {
  const kept = JSON.parse(readFileSync(fileOf(folder), "utf8"));
  writeFileSync(fileOf(folder), JSON.stringify({ ...kept, signedInAt: 1 }), { mode: 0o600 });
}

test("a first call signs in; later connections use what is kept", async () => {
  const server = await authorizationServer();
  const hooks = browsing(newFolder());
  assert.equal(await called(server.url, hooks), "called");
  assert.equal(await called(server.url, hooks), "called");
  assert.deepEqual([server.counts.register, server.counts.authorize, server.counts.code], [1, 1, 1]);
  assert.match(await hooks.pages[0], /Signed in/);
  const registered = JSON.parse(server.seen.find(({ path }) => path === "/register").body);
  assert.match(registered.redirect_uris[0], /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  assert.equal(new URLSearchParams(server.seen.find(({ path }) => path === "/token").body).get("resource"), server.url);
  const kept = JSON.parse(readFileSync(fileOf(hooks.folder), "utf8"));
  assert.equal(kept.pending, undefined, "nothing of the finished sign-in is left");
  assert.equal(kept.tokens.issuer, server.origin);
  if (isPosix) assert.equal(statSync(fileOf(hooks.folder)).mode & 0o777, 0o600);
});

test("calls at the same time share one sign-in, and one refresh", async () => {
  const server = await authorizationServer({ refreshMs: 100 });
  const hooks = browsing(newFolder());
  const all = () => Promise.all(Array.from({ length: 8 }, () => called(server.url, hooks)));
  assert.deepEqual(new Set(await all()), new Set(["called"]));
  assert.equal(server.counts.authorize, 1);
  server.expire();
  assert.deepEqual(new Set(await all()), new Set(["called"]));
  assert.deepEqual([server.counts.authorize, server.counts.refresh], [1, 1]);
});

test("two processes refresh once", async () => {
  const server = await authorizationServer({ refreshMs: 300 });
  const hooks = browsing(newFolder());
  await called(server.url, hooks);
  server.expire();
  const code = `
    import { Client } from "@modelcontextprotocol/client";
    import { transportFor } from "./cli/dist/gateway/transports.js";
    const [url, folder] = process.argv.slice(1);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transportFor("test", { url, type: "http" }, { folder, onAuthorize: () => 0 }));
    await client.close();`;
  const ran = [1, 2, 3].map(() => program(code, [server.url, hooks.folder]).done);
  for (const { code, stderr } of await Promise.all(ran)) assert.equal(code, 0, stderr);
  assert.deepEqual([server.counts.authorize, server.counts.refresh], [1, 1]);
});

test("a revoked refresh token asks the user again, once", async () => {
  const server = await authorizationServer();
  const hooks = browsing(newFolder());
  await called(server.url, hooks);
  server.expire();
  server.revoke();
  age(hooks.folder);
  assert.equal(await called(server.url, hooks), "called");
  assert.deepEqual([server.counts.refresh, server.counts.authorize, server.counts.register], [1, 2, 1]);
});

test("a server that refuses every token does not ask again and again", async () => {
  const server = await authorizationServer({ refuseAll: true });
  const hooks = browsing(newFolder());
  await assert.rejects(called(server.url, hooks), /401/);
  for (let tries = 0; tries < 3; tries++) await assert.rejects(called(server.url, hooks), /401|a moment ago/);
  assert.equal(server.counts.authorize, 1);
});

test("a call that needs a scope more asks for it, and keeps the scopes there were", async () => {
  const server = await authorizationServer({ scopes: ["read"], callScope: "write" });
  const hooks = browsing(newFolder());
  assert.equal(await called(server.url, hooks), "called");
  assert.equal(server.counts.authorize, 2);
  assert.equal(JSON.parse(readFileSync(fileOf(hooks.folder), "utf8")).tokens.scope, "read write");
});

test("without a browser the error names the page, and the next call works after the sign-in", async () => {
  const server = await authorizationServer();
  const hooks = { folder: newFolder(), onAuthorize: () => 0, warn: () => {} };
  const first = await called(server.url, hooks).catch((error) => error);
  assert.ok(first instanceof SignInNeeded);
  assert.match(first.message, /^server "test" needs you to sign in: http:\/\/127\.0\.0\.1:\d+\/authorize\?/);
  const auto = { versionNegotiation: { mode: "auto" } };
  for (const [type, options] of [
    ["http", {}],
    ["http", auto],
    ["sse", {}],
    [undefined, auto],
  ]) {
    const other = await called(server.url, hooks, { type }, options).catch((error) => error);
    assert.ok(other instanceof SignInNeeded, String(other));
    assert.equal(other.url.href, first.url.href, "later calls name the same page");
  }
  const answer = await fetch(first.url);
  assert.equal(answer.status, 200);
  assert.equal(await called(server.url, hooks), "called");
  assert.equal(server.counts.authorize, 1);
});

test("an answer of another sign-in is refused, and the right one still counts", async () => {
  const server = await authorizationServer();
  const hooks = { folder: newFolder(), onAuthorize: () => 0, warn: () => {} };
  const { url } = await called(server.url, hooks).catch((error) => error);
  const back = new URL(url.searchParams.get("redirect_uri"));
  const forged = await fetch(`${back}?code=stolen&state=guessed`);
  assert.equal(forged.status, 400);
  assert.equal((await fetch(new URL("/other", back))).status, 404);
  assert.equal(server.counts.code, 0);
  await fetch(url);
  assert.equal(await called(server.url, hooks), "called");
});

test("hostile texts of an authorization server are shown harmless", async () => {
  const redirect = { error: "access_denied", error_description: "<script>alert(1)</script>\u001b[2J\u202egpj" };
  const server = await authorizationServer({ redirect });
  redirect.iss = server.origin;
  const hooks = browsing(newFolder());
  const error = await called(server.url, hooks).catch((one) => one);
  assert.match(error.message, /cannot sign in to server "test": the sign-in was refused: access_denied/);
  assert.doesNotMatch(error.message, /[\u001b\u202e]/);
  assert.match(error.message, /\\u\{001B\}\[2J\\u\{202E\}/);
  assert.match(await hooks.pages[0], /^Not signed in: the sign-in was refused: access_denied/);
  assert.doesNotMatch(await hooks.pages[0], /[\u001b\u202e]/);
});

test("a call joins the sign-in that another process waits for", async () => {
  const server = await authorizationServer();
  const folder = newFolder();
  const code = `
    import { signInTo } from "./cli/dist/oauth/sign-in.js";
    const [url, folder] = process.argv.slice(1);
    const onAuthorize = ({ url }) => (console.log(url.href), 10_000);
    await signInTo("other", new URL(url), {}, fetch, { folder, onAuthorize }).login();`;
  const { said, done } = program(code, [server.url, folder]);
  await until(() => said.stdout.endsWith("\n"), "the page");
  const page = said.stdout.trim();
  const onAuthorize = async ({ url, isFirst, paste }) => {
    assert.deepEqual([url.href, isFirst], [page, false]);
    const { headers } = await fetch(page, { redirect: "manual" });
    assert.equal((await paste(headers.get("location"))).isDone, true, "the other process takes what is pasted here");
    return 10_000;
  };
  assert.equal(await called(server.url, { folder, warn: () => {}, onAuthorize }), "called");
  assert.equal((await done).code, 0);
  assert.equal(server.counts.authorize, 1);
});

for (const [named, issued, said] of [
  ["", "/", "/"],
  ["/", "", ""],
  ["/", "/", ""],
  ["", "", "/"],
]) {
  test(`an issuer is the same with a slash: named "${named}", of the metadata "${issued}", of the redirect "${said}"`, async () => {
    const server = await authorizationServer({ named, issued, said });
    const hooks = browsing(newFolder());
    assert.equal(await called(server.url, hooks), "called");
    age(hooks.folder);
    server.expire();
    assert.equal(await called(server.url, hooks), "called");
    assert.deepEqual([server.counts.authorize, server.counts.refresh], [1, 1]);
  });
}

/** What an authorization server gets wrong, what is said of it, and what is not shown. */
const WRONG = {
  "a refused registration": [
    { registration: { error: "invalid_redirect_uri", error_description: "\u009b31mno\u200b" } },
    /^cannot sign in to server "test": .*invalid_redirect_uri.*no/,
    /[\u009b\u200b]/,
  ],
  "a token that no header may have": [{ token: "private\r\nx-evil: 1" }, /its access token has characters/, /private/],
  "a page that is not https": [
    { authorizationEndpoint: "http://login.example/authorize" },
    /http:\/\/login\.example, which is not https/,
    /\/authorize/,
  ],
};
for (const [what, [wrong, told, hidden]] of Object.entries(WRONG)) {
  test(`${what} is told, and is harmless`, async () => {
    const server = await authorizationServer(wrong);
    const { message } = await called(server.url, browsing(newFolder())).catch((error) => error);
    assert.match(message, told);
    assert.doesNotMatch(message, hidden);
  });
}

test("another issuer is refused before its text is believed", async () => {
  const redirect = { error: "access_denied", error_description: "call this number", iss: "https://evil.example" };
  const hooks = browsing(newFolder());
  const mixed = await called((await authorizationServer({ redirect })).url, hooks).catch((one) => one);
  assert.match(mixed.message, /[Ii]ssuer/);
  assert.doesNotMatch(mixed.message + (await hooks.pages[0]), /call this number/);
  const wrong = await authorizationServer({ issuer: "https://evil.example" });
  await assert.rejects(called(wrong.url, hooks), /[Ii]ssuer mismatch/);
  assert.equal(wrong.counts.authorize, 0);
});

test("a sign-in ends after its time, when it is cancelled, and when the user signs out", async () => {
  const server = await authorizationServer();
  const folder = newFolder();
  const url = new URL(server.url);
  const hooks = { folder, warn: () => {}, onAuthorize: () => 5_000 };
  await assert.rejects(signInTo("x", url, {}, fetch, { ...hooks, timeoutMs: 500 }).login(), /nobody signed in within/);
  const signIn = signInTo("x", url, {}, fetch, {
    ...hooks,
    onAuthorize: () => (setTimeout(() => signIn.cancel(), 20), 5_000),
  });
  await assert.rejects(signIn.login(), /the sign-in was cancelled/);
  assert.equal((await openVault(url, {}, undefined, folder).read()).pending, undefined);
  await called(server.url, browsing(folder));
  assert.equal(await signIn.logout(), true);
  assert.equal(await signIn.logout(), false);
  assert.equal(await signIn.token(), undefined);
});

test("an address that is pasted finishes the sign-in", async () => {
  const server = await authorizationServer();
  const onAuthorize = async ({ url, paste }) => {
    assert.equal((await paste("http://127.0.0.1:1/callback?state=other&code=x")).isDone, false);
    const { headers } = await fetch(url, { redirect: "manual" });
    assert.equal((await paste(` ${headers.get("location")}\n`)).isDone, true);
    return 5_000;
  };
  const signIn = signInTo("x", new URL(server.url), {}, fetch, { folder: newFolder(), warn: () => {}, onAuthorize });
  await signIn.login();
  assert.notEqual(await signIn.token(), undefined);
});

test("a port that a program took meanwhile is replaced, with a new registration", async (t) => {
  const server = await authorizationServer();
  const hooks = browsing(newFolder());
  await called(server.url, hooks);
  const { port } = JSON.parse(readFileSync(fileOf(hooks.folder), "utf8"));
  const other = createServer().listen(port, "127.0.0.1");
  t.onTestFinished(() => other.close());
  server.expire();
  server.revoke();
  age(hooks.folder);
  assert.equal(await called(server.url, hooks), "called");
  assert.equal(server.counts.register, 2);
  const taken = browsing(newFolder());
  await assert.rejects(
    called(server.url, taken, { oauth: { clientId: "mine", redirectPort: port } }),
    /oauth.redirectPort names, is in use/,
  );
});

test("the file of tokens: a mode that lets others read is mended, broken content counts as none", {
  skip: !isPosix,
}, async () => {
  const warnings = [];
  const vault = openVault(new URL("http://127.0.0.1/?key=secret"), {}, (text) => warnings.push(text), newFolder());
  await vault.change((kept) => void (kept.port = 7));
  assert.doesNotMatch(readFileSync(vault.file, "utf8") + vault.file, /secret/);
  chmodSync(vault.file, 0o644);
  assert.equal((await vault.read()).port, 7);
  assert.equal(statSync(vault.file).mode & 0o777, 0o600);
  assert.match(warnings[0], /other users could read/);
  writeFileSync(vault.file, "{ broken");
  assert.equal((await vault.read()).port, undefined);
  assert.match(warnings[1], /not valid JSON/);
  writeFileSync(vault.file, '{"client":[],"tokens":null,"pending":"x","port":7}');
  assert.deepEqual(await vault.read(), { port: 7, server: "http://127.0.0.1" });
  writeFileSync(vault.file, " ".repeat(5 << 20));
  await assert.rejects(vault.read(), /at most 4194304 are read/);
});

test("a configured Authorization header is used alone, and never goes to another origin", async () => {
  const server = await authorizationServer();
  const hooks = browsing(newFolder());
  const headers = { authorization: "Bearer wrong", "x-key": "private" };
  await assert.rejects(called(server.url, hooks, { headers }), /check the headers in its configuration/);
  assert.equal(server.counts.authorize, 0);
  await called(server.url, hooks, { headers: { "x-key": "private" } });
  const others = server.seen.filter(({ path }) => path !== "/mcp");
  assert.equal(
    others.some((one) => one.headers["x-key"] !== undefined),
    false,
    "the sign-in carries no header of the server",
  );
});

test("the settings of oauth are checked", () => {
  assert.deepEqual(oauthSettings("x", { clientId: "a", redirectPort: 80 }), { clientId: "a", redirectPort: 80 });
  const internalHosts = ["IdP.corp.example", "10.0.0.7", "[FD00::1]"];
  assert.deepEqual(oauthSettings("x", { internalHosts }).internalHosts, ["idp.corp.example", "10.0.0.7", "[fd00::1]"]);
  for (const [given, message] of [
    [{ clientid: "a" }, /unknown key "clientid"/],
    [{ clientSecret: "a" }, /needs x.clientId/],
    [{ redirectPort: 0 }, /1 to 65535/],
    [{ clientMetadataUrl: "http://a/b" }, /https/],
    ...["idp", ["idp:80"], ["a@idp"], ["http://idp"], [""], [7]].map((hosts) => [
      { internalHosts: hosts },
      /names of hosts/,
    ]),
  ])
    assert.throws(() => oauthSettings("x", given), message);
});

test("the browser's opener gets the address as one argument and no shell", () => {
  const url = new URL("https://a.example/?x=1&y=$(rm)%22");
  for (const platform of ["darwin", "linux", "win32"]) assert.equal(opener(url, platform)[1].at(-1), url.href);
  assert.notEqual(opener(url, "win32")[0], "cmd");
});

test("a browser is looked for only where there is a display", () => {
  const cases = [
    [{ DISPLAY: ":0" }, "linux", true],
    [{ WAYLAND_DISPLAY: "wayland-0" }, "linux", true],
    [{}, "linux", false],
    [{}, "darwin", true],
    [{ SSH_CONNECTION: "a b" }, "darwin", false],
    [{ SSH_CONNECTION: "a b", DISPLAY: ":10" }, "linux", true],
    [{ DISPLAY: ":0", TOOLSIFT_NO_BROWSER: "1" }, "linux", false],
  ];
  for (const [env, platform, expected] of cases) assert.equal(hasDisplay(env, platform), expected, JSON.stringify(env));
});

test("login and logout as commands", async () => {
  const server = await authorizationServer();
  const home = newFolder();
  const run = (name) =>
    start(["mcp", name, "mine", "--url", server.url], { env: { TOOLSIFT_HOME: home, TOOLSIFT_NO_BROWSER: "1" } });
  const { said, done } = run("login");
  const page = /^ {2}(http\S+)\n/m;
  await until(() => page.test(said.stderr), "the page");
  await fetch(page.exec(said.stderr)[1]);
  const { code, stdout, stderr } = await done;
  assert.deepEqual([code, stdout], [0, "Signed in to mine.\n"], stderr);
  assert.equal(readdirSync(join(home, "tokens")).length, 1);
  assert.equal((await run("logout").done).stdout, "Signed out of mine.\n");
  assert.equal(readdirSync(join(home, "tokens")).length, 0);
});
