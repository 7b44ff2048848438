/** Runs the package without a bundler: an import map resolves its name, and its files are served as they are. */

import { html } from "../../../tests/runtimes/lib/chromium.mjs";
import { pageKind } from "../../../tests/runtimes/lib/page.mjs";

const map = (imports) => html("/main.mjs", `<script type="importmap">${JSON.stringify({ imports })}</script>\n`);
const served = async (folder) => folder;

export const scriptTag = pageKind("script-tag", "no bundler", served, {
  document: map({ toolsift: "/node_modules/toolsift/dist/index.js" }),
});

export const slim = pageKind("slim", "no bundler, slim", served, {
  program: "program-slim",
  document: map({ "toolsift/slim": "/node_modules/toolsift/dist/slim.js" }),
});
