/** Converts a tool's answer for the model: texts and images of MCP's content, and anything else as it is. */

import type { Tool } from "ai";
import type { Driver } from "../../loop/driver.js";
import { isMcpResult, textOf, withoutBytes } from "../../loop/text.js";
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
  if (value !== text) return { type: "text", value };
  if (isMcpResult(output)) {
    const { content } = output;
    if (!content.some(isImage)) return { type: "text", value: text };
    const textPart = (part: unknown) => ({ type: "text", text: textOf({ content: [part] }) });
    const value = content.map((part) => (isImage(part) ? imagePart(part) : textPart(part)));
    return { type: "content", value } as ModelOutput;
  }
  if (typeof output === "string") return { type: "text", value: text };
  return jsonOutput(output ?? null);
}

/** A value that cannot be written as JSON would end the conversation when it is sent. */
function jsonOutput(output: unknown): ModelOutput {
  try {
    return { type: "json", value: JSON.parse(JSON.stringify(output, withoutBytes)) };
  } catch {
    return { type: "text", value: textOf(output) };
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
