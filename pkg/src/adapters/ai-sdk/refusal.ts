/** Refuses a call in AI SDK's loop by throwing an error: the model reads its message as the tool's result. */

import { ToolSiftError } from "../../base/errors.js";
import type { ErrorCode } from "../../index.js";

/** The error of a call that did not run. */
export class Refusal extends ToolSiftError {
  constructor({ code, message }: { code: ErrorCode; message: string }) {
    super(code, message);
    says(this, message);
  }
}

/** Sets the message of an error. ai 6 sends `message` to the model; ai 7 sends the string, which has a name before it. */
export function says(error: Error, message: string): void {
  error.message = message;
  Object.defineProperty(error, "toString", { value: () => message });
}

interface Part {
  type: string;
  toolCallId?: string;
  invalid?: boolean | undefined;
  providerExecuted?: boolean | undefined;
  error?: unknown;
}

/** Checks if a step contains calls and all of them were refused. */
export function isRefused(content: readonly Part[]): boolean {
  const refused = new Set(content.flatMap((part) => (part.error instanceof Refusal ? [part.toolCallId] : [])));
  const calls = content.filter(({ type, providerExecuted }) => type === "tool-call" && providerExecuted !== true);
  return calls.length > 0 && calls.every(({ invalid, toolCallId }) => invalid === true || refused.has(toolCallId));
}
