/** The models that can search for tools themselves, by the names in Anthropic's list, and the version of that search. */

/** The version that the names of Anthropic's searches carry. */
export const SEARCH_VERSION = "20251119";

/**
 * Names of models that have `defer_loading` and the hosted tool search, on any platform
 * (`anthropic.claude-opus-4-5-v1`, `claude-opus-4-5@20251101`). After "Model compatibility" on Anthropic's page on the
 * tool search tool, which lists Haiku, Opus and Sonnet from 4.5 on and the families of 5, and says that Opus 4.1 and
 * earlier have neither; newer names of these families are those of `Model` in @anthropic-ai/sdk 1.12.0.
 */
export const TOOL_SEARCH_MODELS: readonly RegExp[] = [
  /\bclaude-(haiku|opus|sonnet)-4-[5-9]\b/,
  /\bclaude-(fable|haiku|mythos|opus|sonnet)-[5-9]\b/,
];

/** Whether a model has a search of its own, judged by its name. */
export function searches(model: string): boolean {
  return TOOL_SEARCH_MODELS.some((pattern) => pattern.test(model));
}
