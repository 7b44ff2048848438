/// <reference types="node" />
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

/** The overview, drawn while the page is built, so that it is painted before any script has run. */
function paintedOverview(): Plugin {
  return {
    name: "painted-overview",
    apply: "build",
    transformIndexHtml: async (html) => {
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
        return html.replace("<!--overview-->", await module.prerender(read));
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
        .filter((file) => !isOnDemand(file))
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
function links(): { repository: string | null; docs: string | null; package: string } {
  const manifest = JSON.parse(readFileSync(new URL("../pkg/package.json", import.meta.url), "utf8")) as Manifest;
  const page = `https://www.npmjs.com/package/${manifest.name}`;
  const named = typeof manifest.repository === "string" ? manifest.repository : manifest.repository?.url;
  return {
    repository: named?.replace(/^git\+|\.git$/g, "") ?? null,
    docs: null,
    package: page,
  };
}

interface Manifest {
  name: string;
  repository?: string | { url: string };
}

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
