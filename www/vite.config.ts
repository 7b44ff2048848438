/// <reference types="node" />
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import subsetFont from "subset-font";
import { createServer, defineConfig, type Plugin, type Rolldown } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

/** The page loads nothing from anywhere else; `'wasm-unsafe-eval'` lets it compile its own wasm and nothing more. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  // A live MCP server is asked for its list where the visitor names one; the page itself asks nobody.
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Only in the built page: the development server injects styles and opens a socket, which the policy forbids. */
function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: CONTENT_SECURITY_POLICY },
        injectTo: "head-prepend",
      },
    ],
  };
}

/** Where no server was captured, the page still finds an index, so that its request does not end as an error. */
function emptyCapturedIndex(): Plugin {
  const index = fileURLToPath(new URL("./public/captured/index.json", import.meta.url));
  return {
    name: "empty-captured-index",
    apply: "build",
    generateBundle() {
      if (!existsSync(index)) {
        this.emitFile({ type: "asset", fileName: "captured/index.json", source: '{ "servers": [] }\n' });
      }
    },
  };
}

/**
 * Where the page will be served. Whoever shows a link to it wants the whole address of its picture; without one, the picture
 * is named beside the page, which some of them do not follow.
 */
const PAGE_URL = process.env["PAGE_URL"]?.replace(/\/*$/, "/");

const FONT = "Geist";

/** The font of the page, as the package has it: Latin letters, in all weights. */
const font = readFileSync(
  fileURLToPath(import.meta.resolve("@fontsource-variable/geist/files/geist-latin-wght-normal.woff2")),
);

/** What the page writes in it: ASCII, and the signs of its texts. The names of tools may hold others; a system has those. */
const LETTERS =
  Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("") + "\u00a0“”‘’–—…·×÷±−→←≤≥";

/** Writes the font of the page where the styles take it from: 14 KB of 29. */
async function makeFont(): Promise<void> {
  const subset = await subsetFont(font, LETTERS, { targetFormat: "woff2", variationAxes: { wght: { min: 400, max: 700 } } });
  mkdirSync(`${root}.made`, { recursive: true });
  writeFileSync(`${root}.made/sans.woff2`, subset);
}

/** A picture as PNG, with the font of the page in the two weights that it has. */
async function rasterized(svg: string): Promise<Uint8Array> {
  await initWasm(readFileSync(fileURLToPath(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))));
  const weights = [400, 700].map((wght) => subsetFont(font, LETTERS, { targetFormat: "truetype", variationAxes: { wght } }));
  const fontBuffers = (await Promise.all(weights)).map((buffer) => new Uint8Array(buffer));
  return new Resvg(svg, { font: { fontBuffers, defaultFontFamily: FONT } }).render().asPng();
}

/**
 * The overview and the picture of the page, drawn while it is built: the overview is painted before any script has run, and
 * the picture stands for a link to the page, and in the README.
 */
function paintedOverview(): Plugin {
  let painted = { html: "", picture: "" };
  return {
    name: "painted-overview",
    apply: "build",
    transformIndexHtml: (html, { bundle = {} }) => {
      const sans = Object.keys(bundle).find((name) => name.endsWith(".woff2"));
      return {
        html: html.replace("<!--overview-->", painted.html),
        tags: [
          { tag: "meta", attrs: { property: "og:image", content: `${PAGE_URL ?? "./"}og.png` }, injectTo: "head" },
          ...(PAGE_URL
            ? [{ tag: "meta", attrs: { property: "og:url", content: PAGE_URL }, injectTo: "head" as const }]
            : []),
          {
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `./${sans}` },
            injectTo: "head",
          },
        ],
      };
    },
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "scene.svg", source: painted.picture });
      this.emitFile({ type: "asset", fileName: "og.png", source: await rasterized(painted.picture) });
    },
    async buildStart() {
      if (PAGE_URL !== undefined) new URL(PAGE_URL);
      else this.info("PAGE_URL is not set: links to this page are shown with its picture only where ./og.png is followed");
      const server = await createServer({
        root,
        configFile: false,
        logLevel: "error",
        appType: "custom",
        define: { __LINKS__: JSON.stringify(links()) },
        server: { middlewareMode: true, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true, include: [] },
      });
      try {
        const module = (await server.ssrLoadModule("/src/prerender.tsx")) as typeof import("./src/prerender.tsx");
        const read = async (address: string): Promise<unknown> =>
          JSON.parse(readFileSync(`${root}public/${address}`, "utf8"));
        painted = { html: await module.prerender(read), picture: await module.picture(read, FONT) };
      } finally {
        await server.close();
      }
    },
  };
}

/** Scripts of more bytes are loaded only when somebody asks for what they do: the tokenizer, and the MCP SDK. */
const ON_DEMAND_BYTES = 200_000;

function isOnDemand(file: Rolldown.OutputAsset | Rolldown.OutputChunk): boolean {
  const text = file.type === "chunk" ? file.code : file.source;
  return file.fileName.endsWith(".js") && text.length > ON_DEMAND_BYTES;
}

/** Pictures of the page that it does not show itself. */
const FOR_OTHERS = ["og.png", "scene.svg"];

/** Keeps the files of the page for when there is no network; asks the network first for the page itself. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const open = readdirSync(`${root}public`, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/").slice(`${root}public/`.length));
      const built = Object.values(bundle)
        .filter((file) => !isOnDemand(file) && !FOR_OTHERS.includes(file.fileName))
        .map(({ fileName }) => fileName);
      const files = [...new Set(["./", ...built, ...open])].filter((name) => !name.endsWith(".map"));
      const hash = createHash("sha256").update(JSON.stringify(files));
      for (const name of open) hash.update(readFileSync(`${root}public/${name}`));
      const code = readFileSync(`${root}src/sw.js`, "utf8");
      const source = code
        .replace('"FILES"', JSON.stringify(files))
        .replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 16)));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

/** Where the links of the bar lead; null where there is no page for it beside the package's. */
function links(): { repository: string | null; package: string } {
  const manifest = JSON.parse(readFileSync(new URL("../pkg/package.json", import.meta.url), "utf8")) as Manifest;
  const page = `https://www.npmjs.com/package/${manifest.name}`;
  const named = typeof manifest.repository === "string" ? manifest.repository : manifest.repository?.url;
  return {
    repository: named?.replace(/^git\+|\.git$/g, "") ?? null,
    package: page,
  };
}

interface Manifest {
  name: string;
  repository?: string | { url: string };
}

await makeFont();

export default defineConfig({
  root,
  // Relative addresses: the built page can be served from any path.
  base: "./",
  plugins: [contentSecurityPolicy(), emptyCapturedIndex(), paintedOverview(), serviceWorker()],
  define: { __LINKS__: JSON.stringify(links()) },
  worker: { format: "es" },
  // The package with its wasm as a file of its own; `core/worker.ts` starts it.
  resolve: { alias: [{ find: /^toolsift$/, replacement: "toolsift/slim" }] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // The wasm is inlined in the package's module, which is why the one script is larger than Vite expects.
    chunkSizeWarningLimit: 2000,
  },
});
