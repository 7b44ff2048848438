/** Says when a profile defers tools by itself, and why it does not here. */
import type { ProfileInfo, Size } from "toolsift";
import { count, percent, plural } from "./numbers.ts";

/** Tokens from which on tools are deferred where the context window is not known. */
const TOKENS_UNKNOWN_WINDOW = 20_000;

/** From when on the profile defers tools, in a clause that follows "when" and "until"; null where it always does. */
export function condition({ activation, autoTokens }: ProfileInfo, contextWindow: number | null): string | null {
  if (activation === "on") return null;
  if (activation === "off") return "tool search is switched on";
  if (activation === "auto") return `their definitions take ${count(autoTokens)} tokens or more: fewer are cheaper in full`;
  if ("tools" in activation) return `there are ${plural(activation.tools, "tool")}, its own among them`;
  if ("tokens" in activation) return `their definitions take ${count(activation.tokens)} tokens or more`;
  return `their definitions take ${count(tokensFor(activation.contextShare, contextWindow))} tokens or more${
    contextWindow === null ? "" : `, ${percent(activation.contextShare)} of the context window`
  }`;
}

/** Whether the profile would defer these tools by itself. */
export function wouldAct(
  profile: ProfileInfo,
  assembly: { size: Size; deferrable: { tokens: number } },
  contextWindow: number | null,
): boolean {
  const { activation, autoTokens } = profile;
  if (profile.deferral === "opt-in") return false;
  if (activation === "on" || activation === "off") return activation === "on";
  if (activation === "auto") return assembly.deferrable.tokens >= autoTokens;
  if ("tools" in activation) return assembly.size.full.tools + profile.surface.length >= activation.tools;
  if ("tokens" in activation) return assembly.deferrable.tokens >= activation.tokens;
  return assembly.deferrable.tokens >= tokensFor(activation.contextShare, contextWindow);
}

function tokensFor(share: number, contextWindow: number | null): number {
  return contextWindow === null ? TOKENS_UNKNOWN_WINDOW : Math.trunc(contextWindow * share);
}
