/** The settings of the site. `SITE_BASE` is the path under which it is served. */

import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

const base = process.env.SITE_BASE ?? "/";
const sidebar = JSON.parse(readFileSync(new URL("../pages/sidebar.json", import.meta.url), "utf8"));
const reference = JSON.parse(readFileSync(new URL("../pages/reference/sidebar.json", import.meta.url), "utf8"));

/** Returns the anchor of a heading, as GitHub and TypeDoc make it. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

export default defineConfig({
  base,
  lang: "en",
  title: "toolsift",
  description: "Tool search for language-model agents: carry thousands of tools, pay for the few that are used.",
  srcDir: "pages",
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }],
    ["meta", { name: "theme-color", content: "#f4f5f7", media: "(prefers-color-scheme: light)" }],
    ["meta", { name: "theme-color", content: "#0f1216", media: "(prefers-color-scheme: dark)" }],
  ],
  markdown: { theme: { light: "github-light", dark: "github-dark" }, anchor: { slugify } },
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      { text: "Docs", link: "/docs/guide", activeMatch: "^/(docs/(?!adapters)|$)" },
      { text: "Adapters", link: "/docs/adapters/", activeMatch: "^/docs/adapters/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "Playground", link: "/playground/index.html", target: "_self" },
    ],
    sidebar: { "/reference/": reference, "/": sidebar },
    outline: [2, 3],
    search: { provider: "local" },
    docFooter: { prev: false, next: false },
  },
});
