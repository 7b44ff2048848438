/** The page of `mcp watch`. It loads nothing: the build makes one script and one style of the folder `browser`. */

import { readFileSync } from "node:fs";

const built = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), "utf8");

/** The page. Its style and script carry the nonce that its policy names. */
export function pageHtml(nonce: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>toolsift</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style nonce="${nonce}">${built("style.css")}</style></head>`,
    `<body><main></main><script nonce="${nonce}">${built("main.js")}</script></body></html>`,
  ].join("\n");
}
