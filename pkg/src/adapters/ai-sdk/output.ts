/** Converts a tool's answer for the model: texts and images of MCP's content, and anything else as it is. */

import type { Tool } from "ai";
import type { Driver } from "../../loop/driver.js";
import { isMcpResult, partsOf, textOf, withoutBytes } from "../../loop/text.js";
import { isSeven } from "./version.js";

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;

interface Image {
  type: "image";
  data: string;
  mimeType: string;
}

/** A tool's answer as AI SDK hands it to a model; a text that is too long is cut. */
export function modelOutput(output: unknown, driver: Driver): ModelOutput {
  const text = textOf(output);
  const value = driver.bounded(text);
  const content = isMcpResult(output) ? partsOf(output) : undefined;
  const hasImages = content?.some(isImage);
  if (value !== text || typeof output === "string" || hasImages === false) return { type: "text", value };
  if (content !== undefined) {
    const textPart = (part: unknown) => ({ type: "text", text: textOf({ content: [part] }) });
    const value = content.map((part) => (isImage(part) ? imagePart(part) : textPart(part)));
    return { type: "content", value } as ModelOutput;
  }
  try {
    return { type: "json", value: JSON.parse(JSON.stringify(output ?? null, withoutBytes)) };
  } catch {
    // A value that cannot be written as JSON would end the conversation when it is sent.
    return { type: "text", value };
  }
}

function isImage(part: unknown): part is Image {
  const { type, data, mimeType } = (part ?? {}) as Partial<Image>;
  return type === "image" && typeof data === "string" && typeof mimeType === "string";
}

function imagePart({ data, mimeType: mediaType }: Image) {
  if (isSeven()) return { type: "file", data: { type: "data", data }, mediaType };
  return { type: "image-data", data, mediaType };
}
