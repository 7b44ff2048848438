import { init, ToolSift } from "toolsift/slim";
import wasm from "toolsift/core.wasm";
import { ToolSift as Same } from "toolsift";

await init();
await init(new URL("https://example.com/toolsift.wasm"));
await init(wasm);
export const sift: Same = new ToolSift();
// @ts-expect-error not a source of wasm
await init(null);
