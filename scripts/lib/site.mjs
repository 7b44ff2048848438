/** Builds the site: documents, API reference and playground in one folder of static files. */

import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writePages } from "../site/pages.mjs";
import { at } from "./paths.mjs";
import { step } from "./progress.mjs";
import { node, Problem } from "./run.mjs";

const SOURCES = at("scripts", "site");
const PAGES = join(SOURCES, "pages");

/** The folder of the built site. */
export const SITE = at("target", "site");

/**
 * Builds the site for the path `base`, which begins and ends with a slash. The package and the playground must be built
 * first. A broken link is an error.
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
    linkDocuments(join(SITE, "playground"));
  });
}

/** Marks the playground's page as a part of the site, so that its bar links to the documents. */
function linkDocuments(folder) {
  const file = join(folder, "index.html");
  const page = readFileSync(file, "utf8");
  if (!page.includes("</head>")) throw new Problem(`${file} has no end of its head`);
  writeFileSync(file, page.replace("</head>", '<link rel="help" href="../index.html"></head>'));
}

/** Writes the pages of the reference, and its part of the sidebar. */
async function writeReference() {
  const folder = join(PAGES, "reference");
  await node(join(SOURCES, "reference.mjs"), [folder]);
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
  const pages = names.filter((name) => name.endsWith(".md"));
  writeFileSync(join(folder, "sidebar.json"), JSON.stringify(groups(pages), null, 2));
}

/** The folders of the reference, in the order of the sidebar. */
const KINDS = ["classes", "functions", "variables", "interfaces", "type-aliases"];

/** Returns the sidebar of the reference: a group for each entry of the package, with its exports by kind and name. */
function groups(pages) {
  const exported = pages
    .filter((page) => !page.endsWith("index.md"))
    .map((page) => {
      const [, entry, kind, name] = /^(.*)\/(.*)\/(.*)\.md$/.exec(page);
      return { entry, place: KINDS.indexOf(kind), item: { text: name, link: `/reference/${entry}/${kind}/${name}` } };
    });
  exported.sort((a, b) => a.place - b.place || a.item.text.localeCompare(b.item.text));
  const entries = pages.filter((page) => page.endsWith("/index.md")).map((page) => page.slice(0, -"/index.md".length));
  return entries.sort().map((name) => {
    const items = exported.filter(({ entry }) => entry === name).map(({ item }) => item);
    return { text: name, link: `/reference/${name}/`, collapsed: true, items };
  });
}
