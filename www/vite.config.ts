/// <reference types="node" />
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

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

/** Where the links of the bar lead. Inside the site, the build of the site says where its documents are. */
function links(): { repository: string; docs: string; package: string } {
  const manifest = JSON.parse(readFileSync(new URL("../pkg/package.json", import.meta.url), "utf8")) as Manifest;
  const page = `https://www.npmjs.com/package/${manifest.name}`;
  const named = typeof manifest.repository === "string" ? manifest.repository : manifest.repository?.url;
  return {
    repository: named?.replace(/^git\+|\.git$/g, "") ?? `${page}?activeTab=code`,
    docs: `${page}#readme`,
    package: page,
  };
}

interface Manifest {
  name: string;
  repository?: string | { url: string };
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative addresses: the built page can be served from any path.
  base: "./",
  plugins: [contentSecurityPolicy(), emptyCapturedIndex()],
  define: { __LINKS__: JSON.stringify(links()) },
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // The wasm is inlined in the package's module, which is why the one script is larger than Vite expects.
    chunkSizeWarningLimit: 2000,
  },
});
