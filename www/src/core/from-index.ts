import { ToolSift, ToolSiftError, type ToolSiftOptions } from "toolsift";

/** A sift from an index, which is faster than from lists; null where the index was built for another ranker than these options'. */
export function fromIndex(bytes: Uint8Array, options: ToolSiftOptions): ToolSift | null {
  try {
    return ToolSift.fromIndex(bytes, options);
  } catch (error) {
    if (error instanceof ToolSiftError && error.code === "index_stale") return null;
    throw error;
  }
}
