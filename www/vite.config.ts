/// <reference types="node" />
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import subsetFont from "subset-font";
import { packsFor } from "toolsift/packs";
import { createServer, defineConfig, type Plugin } from "vite";
import type { List } from "./src/core/types.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(at(path), "utf8"));
const write = (name: string, content: unknown) => writeFileSync(at(`.made/${name}`), JSON.stringify(content));

/** The page loads nothing from anywhere else; `'wasm-unsafe-eval'` lets it compile its own wasm and nothing more. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Where the page will be served. Who shows a link to it wants the whole address of its picture. */
const PAGE_URL = process.env["PAGE_URL"] && new URL(process.env["PAGE_URL"].replace(/\/*$/, "/")).href;

const FONT = "Geist";

/** The font of the page, as the package has it: Latin letters, in all weights. */
const font = readFileSync(
  fileURLToPath(import.meta.resolve("@fontsource-variable/geist/files/geist-latin-wght-normal.woff2")),
);

/** What the page writes in it: ASCII, and the signs of its texts. The names of tools may hold others; a system has those. */
const LETTERS =
  Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("") + "\u00a0“”‘’–—…·×÷−→←≤≥≈";

/** The tools that the page opens with: those of real servers, as `scripts/capture.mjs` found them, with their words. */
async function sample(): Promise<List[]> {
  const { servers } = readJson("captured/index.json");
  return Promise.all(
    servers.map(async ({ server, file, package: name, version }: Record<string, string>): Promise<List> => {
      const { tools } = readJson(`captured/${file}`);
      const words = (await packsFor(tools)).entries;
      return { server: String(server), start: `${name}@${version}`, known: "definitions", tools, words };
    }),
  );
}

/** What packs know by the name of a package: names of tools, and sizes where `npm run page-sizes` measured them. */
function knownServers() {
  const { typical, packs: sizes } = readJson("src/data/sizes.json");
  const servers = readJson("../pkg/packs/servers.json").packs.map(
    ({ pack, package: name }: { pack: string; package: string }) => {
      if (sizes[pack]) return [name, { tools: Object.keys(sizes[pack]), tokens: Object.values(sizes[pack]) }];
      const lines = readFileSync(at(`../pkg/packs/${pack}.jsonl`), "utf8")
        .trim()
        .split("\n");
      return [name, { tools: lines.map((line) => JSON.parse(line).name) }];
    },
  );
  return { typical, servers: Object.fromEntries(servers) };
}

/** A picture as PNG, with the font of the page in the two weights that it has. */
async function rasterized(svg: string): Promise<Uint8Array> {
  await initWasm(readFileSync(fileURLToPath(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))));
  const weights = [400, 700].map((wght) => subsetFont(font, LETTERS, { targetFormat: "truetype", variationAxes: { wght } }));
  const fontBuffers = (await Promise.all(weights)).map((buffer) => new Uint8Array(buffer));
  return new Resvg(svg, { font: { fontBuffers, defaultFontFamily: FONT } }).render().asPng();
}

/** Paints the page while it is built, with the answer to its first request, and draws its picture. */
function painted(lists: List[]): Plugin {
  let made: import("./src/prerender.tsx").Made;
  return {
    name: "painted",
    async buildStart() {
      const server = await createServer({
        root: at("."),
        configFile: false,
        logLevel: "error",
        appType: "custom",
        define: { __LINKS__: JSON.stringify(links()) },
        server: { middlewareMode: true, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true, include: [] },
      });
      try {
        made = ((await server.ssrLoadModule("/src/prerender.tsx")) as typeof import("./src/prerender.tsx")).make(
          lists,
          FONT,
        );
      } finally {
        await server.close();
      }
    },
    transformIndexHtml: (html, { bundle = {} }) => {
      const sans = Object.keys(bundle).find((name) => name.endsWith(".woff2"));
      const tags = [{ tag: "meta", attrs: { property: "og:image", content: `${PAGE_URL ?? "./"}og.png` } }];
      if (PAGE_URL) tags.push({ tag: "meta", attrs: { property: "og:url", content: PAGE_URL } });
      const preload = { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `./${sans}` };
      const policy = { "http-equiv": "Content-Security-Policy", content: CONTENT_SECURITY_POLICY };
      const opening = JSON.stringify(made.opening).replaceAll("<", "\\u003c");
      return {
        html: html.replace("<!--page-->", () => made.html).replace("<!--opening-->", () => opening),
        tags: [
          ...tags.map((tag) => ({ ...tag, injectTo: "head" as const })),
          ...(sans ? [{ tag: "link", attrs: preload, injectTo: "head" as const }] : []),
          // The development server injects styles, which the policy forbids.
          ...(sans ? [{ tag: "meta", attrs: policy, injectTo: "head-prepend" as const }] : []),
        ],
      };
    },
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "scene.svg", source: made.picture });
      this.emitFile({ type: "asset", fileName: "og.png", source: await rasterized(made.picture) });
    },
  };
}

/** Where the links of the bar lead: to the repository, or where it has no public place yet, to the package. */
function links() {
  const { name, repository } = readJson("../pkg/package.json");
  const named: string | undefined = typeof repository === "string" ? repository : repository?.url;
  const source = named?.replace(/^git\+|\.git$/g, "") ?? `https://www.npmjs.com/package/${name}`;
  return { source, docs: source };
}

mkdirSync(at(".made"), { recursive: true });
const weights = { wght: { min: 400, max: 700 } };
writeFileSync(at(".made/sans.woff2"), await subsetFont(font, LETTERS, { targetFormat: "woff2", variationAxes: weights }));
const lists = await sample();
write("sample.json", lists);
write("servers.json", knownServers());

export default defineConfig({
  root: at("."),
  // Relative addresses: the built page can be served from any path.
  base: "./",
  plugins: [painted(lists)],
  define: { __LINKS__: JSON.stringify(links()) },
  worker: { format: "es" },
  // The package with its wasm as a file of its own; `core/worker.ts` starts it.
  resolve: { alias: [{ find: /^toolsift$/, replacement: "toolsift/slim" }] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
});
