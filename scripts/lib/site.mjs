/** Builds the site: documents, reference and playground in one folder of static files. */

import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brokenLinks } from "../site/links.mjs";
import { writePages } from "../site/pages.mjs";
import { at } from "./paths.mjs";
import { step } from "./progress.mjs";
import { node, Problem } from "./run.mjs";

const SOURCES = at("scripts", "site");
const PAGES = join(SOURCES, "pages");

/** Where the built site stands. */
export const SITE = at("target", "site");

/**
 * Builds the site for the path `base`, which begins and ends with a slash. The package and the playground must be built.
 * Throws a `Problem` that lists the links that lead nowhere.
 */
export async function buildSite({ base = "/" } = {}) {
  if (!existsSync(at("www", "dist"))) throw new Problem("www/dist is missing: npm run site builds it first");
  await step("collecting the documents", () => writePages(PAGES));
  await step("making the reference from the types", () => writeReference());
  await step("building the site", async () => {
    const vitepress = at("node_modules", "vitepress", "bin", "vitepress.js");
    rmSync(SITE, { recursive: true, force: true });
    await node(vitepress, ["build", SOURCES, "--outDir", SITE], { env: { SITE_BASE: base } });
    cpSync(at("www", "dist"), join(SITE, "playground"), { recursive: true });
  });
  return step("checking every link", () => checked(base));
}

/** The pages of the reference, and its part of the sidebar. */
async function writeReference() {
  const folder = join(PAGES, "reference");
  await node(join(SOURCES, "reference.mjs"), [folder]);
  const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".md")).map((name) => name.replaceAll("\\", "/"));
  writeFileSync(join(folder, "sidebar.json"), JSON.stringify(groups(pages), null, 2));
}

/** The sidebar of the reference: a group for each entry of the package, and in it its exports by kind. */
function groups(pages) {
  const entries = pages.filter((page) => page.endsWith("/index.md")).map((page) => page.slice(0, -"/index.md".length));
  const exported = pages.filter((page) => !page.endsWith("index.md"));
  return entries.sort().map((entry) => {
    const own = exported.filter((page) => page.startsWith(`${entry}/`) && page.split("/").length === entry.split("/").length + 2);
    const order = ["classes", "functions", "variables", "interfaces", "type-aliases"];
    const kind = (page) => order.indexOf(page.split("/").at(-2));
    const name = (page) => page.split("/").at(-1).slice(0, -".md".length);
    own.sort((a, b) => kind(a) - kind(b) || name(a).localeCompare(name(b)));
    const items = own.map((page) => ({ text: name(page), link: `/reference/${page.slice(0, -".md".length)}` }));
    return { text: entry, link: `/reference/${entry}/`, collapsed: true, items };
  });
}

/** What was built, or the reason why it must not be published. */
function checked(base) {
  const broken = brokenLinks(SITE, base);
  if (broken.length > 0) {
    const lines = broken.map(({ page, link, why }) => `  ${page}: ${link} (${why})`);
    throw new Problem(`links that lead nowhere: ${broken.length}\n${[...new Set(lines)].slice(0, 50).join("\n")}`);
  }
  const pages = readdirSync(SITE, { recursive: true }).filter((name) => name.endsWith(".html")).length;
  return { pages, summary: `${pages} pages` };
}
