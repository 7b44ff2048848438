/** Says what a run would ask for, before it costs anything. */

import type { SingleTool, ToolList } from "../../types/index.js";
import { choicesOf } from "./options.js";
import { planOf } from "./plan.js";
import { promptText, systemText } from "./prompt.js";
import { subjectsOf } from "./subjects.js";
import { answerTokens, tokensOf } from "./tokens.js";
import type { EnrichEstimate, EnrichOptions } from "./types.js";

/**
 * What `enrich` with these options would ask for: tokens of the prompts that it would send, and of answers as models have
 * written them. It takes the same options, also those that it does not need. Tokens are characters / 4; texts in scripts
 * other than Latin take more.
 *
 * @throws ToolSiftError as `enrich`
 */
export function estimate(tools: ToolList | SingleTool, options?: Partial<EnrichOptions>): EnrichEstimate {
  const choices = choicesOf(options);
  const { batches, pieces } = planOf(subjectsOf(tools, choices.server).subjects, choices);
  const tokens = batches.map(({ language, pieces: ofBatch, others }) => {
    const prompt = promptText(
      ofBatch.map(({ subject }) => subject),
      others,
      new Map(),
    );
    return {
      input: tokensOf(systemText(language, choices)) + tokensOf(prompt),
      output: answerTokens(ofBatch.length, choices),
    };
  });
  return {
    tools: pieces.filter(({ missing }) => missing.length > 0).length,
    requests: batches.length,
    inputTokens: tokens.reduce((sum, { input }) => sum + input, 0),
    outputTokens: tokens.reduce((sum, { output }) => sum + output, 0),
  };
}
