/** Selects the images of an answer for the model: images in MCP results, of the types that vendors accept. */

import type { Answer } from "../types/index.js";
import { isMcpResult, partsOf, textOf } from "./answer-text.js";

const KINDS = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** An image, in base64. */
export interface Image {
  mimeType: (typeof KINDS)[number];
  data: string;
}

/**
 * Returns the texts and images of an answer, in order. Returns undefined if the answer has no image, is an error, or was
 * cut.
 */
export function partsWithImages({ isError, result, content }: Answer): (string | Image)[] | undefined {
  if (isError || !isMcpResult(result) || content.length < textOf(result).length) return undefined;
  const parts = partsOf(result).map((part) => imageIn(part) ?? textOf({ content: [part] }));
  if (!parts.some((part) => typeof part !== "string")) return undefined;
  return parts.filter((part) => typeof part !== "string" || part.trim() !== "");
}

function imageIn(part: unknown): Image | undefined {
  const { type, data, mimeType } = Object(part) as Record<string, unknown>;
  if (type !== "image" || typeof data !== "string" || !(KINDS as readonly unknown[]).includes(mimeType)) return undefined;
  return { mimeType: mimeType as Image["mimeType"], data };
}
