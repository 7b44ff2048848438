/** Does `npm run site` make a site that can be published under any path? */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import ts from "../../scripts/site/node_modules/typescript/lib/typescript.js";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { buildSite, SITE } from "../../scripts/lib/site.mjs";
import { brokenLinks } from "../../scripts/site/links.mjs";
import { entries } from "../../scripts/site/reference.mjs";
import { startBrowser } from "../browser/lib/browser.mjs";

const BASE = "/some/where/";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** A test of the built site, which takes a minute to build: `npm run test:all` does it. */
const ofSite = isFull ? test : () => {};

beforeAll(() => isFull && buildSite({ base: BASE }));

ofSite("every link leads somewhere", () => {
  assert.deepEqual(brokenLinks(SITE, BASE), []);
  const index = readFileSync(join(SITE, "index.html"), "utf8");
  assert.ok([...index.matchAll(/ (?:href|src)="([^"]*)"/g)].length > 30, "there are links to check");
});

test("a link that leads nowhere is reported", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-links-"));
  try {
    mkdirSync(join(folder, "b"));
    const good = ["/x/a.html#one", "../a.html", "#top%20%26%20more"];
    const bad = ["/x/c.html", "/x/a.html#two", "c.png", "/b/"];
    writeFileSync(join(folder, "a.html"), '<p id="one"></p><a href="/x/b/">b</a> <a href="https://example.com/none">x</a>');
    const links = [...good, ...bad].map((link) => `<a class="k" href="${link}">${link}</a>`).join(" ");
    writeFileSync(join(folder, "b", "index.html"), `<h1 id="top &amp; more">B</h1>${links}`);
    const found = brokenLinks(folder, "/x/").map(({ page, link }) => `${page}: ${link}`);
    assert.deepEqual(
      found,
      bad.map((link) => `${join("b", "index.html")}: ${link}`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The names that a source file exports, types included, but for what is marked as internal. */
function exportsOf(program, source) {
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(source)));
  const internal = (symbol) => symbol.getJsDocTags().some(({ name }) => name === "internal");
  return symbols.filter((symbol) => !internal(symbol)).map((symbol) => symbol.getName());
}

ofSite("the reference has every export of every entry", () => {
  const all = entries();
  assert.ok(all.length >= 10 && all[0].name === "toolsift");
  const { config } = ts.readConfigFile(at("pkg", "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, at("pkg"));
  const program = ts.createProgram(
    all.map(({ source }) => source),
    options,
  );
  for (const { name, source } of all) {
    const index = readFileSync(join(SITE, "reference", name, "index.html"), "utf8");
    const listed = new Set([...index.matchAll(/<li><a href="[^"]*"[^>]*>([^<]+)<\/a>/g)].map(([, text]) => text));
    const names = exportsOf(program, source);
    assert.ok(names.length > 0, name);
    assert.deepEqual(
      names.filter((one) => !listed.has(one)),
      [],
      name,
    );
  }
  const session = readFileSync(join(SITE, "reference", "toolsift", "classes", "Session.html"), "utf8");
  for (const method of ["assemble()", "callAll()", "fromMessages()"]) assert.ok(session.includes(method), method);
});

ofSite("every document is a page, and the playground is there", () => {
  const documents = readdirSync(at("docs"), { recursive: true }).filter((name) => name.endsWith(".md"));
  const places = documents.map((name) => name.replace("README.md", "index.md").replace(/\.md$/, ".html"));
  assert.deepEqual(
    places.filter((place) => !existsSync(join(SITE, "docs", place))),
    [],
  );
  assert.ok(existsSync(join(SITE, "playground", "index.html")));
  assert.match(readFileSync(join(SITE, "index.html"), "utf8"), new RegExp(`href="${BASE}playground/index.html"`));
});

/** Serves the site under its path, and nothing else. */
async function serve() {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(SITE, path.slice(BASE.length).replace(/(^|\/)$/, "$1index.html"));
    if (!path.startsWith(BASE) || !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "localhost", done));
  afterAll(() => server.close());
  return `http://localhost:${server.address().port}`;
}

ofSite("the playground leads to the documents beside it", async () => {
  const origin = await serve();
  const browser = await startBrowser();
  afterAll(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1366, height: 844 } });
  await page.goto(`${origin}${BASE}playground/index.html`);
  const href = await page
    .getByRole("link", { name: "Docs", exact: true })
    .first()
    .evaluate((link) => link.href);
  assert.equal(href, `${origin}${BASE}index.html`);
  await page.close();
});

ofSite("the pages are quiet, fit a phone, and can be dark", async () => {
  const origin = await serve();
  const browser = await startBrowser();
  afterAll(() => browser.close());
  const paths = ["index.html", "docs/profiles.html", "docs/adapters/ai-sdk.html", "reference/toolsift/classes/Session.html"];
  for (const [colorScheme, width] of [
    ["light", 1366],
    ["dark", 390],
  ]) {
    const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    const noise = [];
    page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) => request.url().startsWith(`${origin}${BASE}`) || noise.push(`request: ${request.url()}`));
    for (const path of paths) {
      await page.goto(`${origin}${BASE}${path}`, { waitUntil: "networkidle" });
      const look = await page.evaluate(() => ({
        sideways: document.documentElement.scrollWidth - window.innerWidth,
        dark: document.documentElement.classList.contains("dark"),
        heading: document.querySelector("h1")?.textContent.trim() ?? "",
      }));
      assert.ok(look.sideways <= 0 && look.heading.length > 0, `${path} at ${width}: ${JSON.stringify(look)}`);
      assert.equal(look.dark, colorScheme === "dark", path);
    }
    assert.deepEqual(noise, []);
    await page.close();
  }
});

test("what the command does not know is refused", async () => {
  const command = (...args) => node(at("scripts", "site.mjs"), args, { fails: false });
  assert.match((await command("--help")).stdout, /npm run site[\s\S]*--base PATH/);
  const unknown = await command("--bse", "/x/");
  assert.equal(unknown.code, 2);
  const base = await command("--base", "toolsift");
  assert.equal(base.code, 1);
  assert.match(base.stderr, /begins and ends with a slash.*not toolsift/);
});
