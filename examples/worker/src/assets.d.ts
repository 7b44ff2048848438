/** The index, as bundlers hand it out: Cloudflare as a buffer, esbuild's loader `binary` as bytes. */
declare module "*.index" {
  const bytes: Uint8Array | ArrayBuffer;
  export default bytes;
}
