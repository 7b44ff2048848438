/**
 * Ranks with the code of the AI SDK 7 itself: its `toolSearch`, bound as a generation binds it, is asked without a model. It
 * returns five tools unless `maxResults` says otherwise; the limit does not change the order.
 */

import { jsonSchema, tool, toolSearch } from "ai-7";
import { createToolSearchState } from "ai-7/internal";

const NO_PARAMETERS = { type: "object", properties: {} };

export function index(tools) {
  const deferred = Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters ?? NO_PARAMETERS), deferLoading: true }),
    ]),
  );
  let own = "toolSearch";
  while (Object.hasOwn(deferred, own)) own += "_";
  const bound = new Map();

  /** The search tool for a limit, which is set when the tool is made. */
  function searchToolFor(count) {
    if (!bound.has(count)) {
      const all = { ...deferred, [own]: toolSearch({ maxResults: count }) };
      const forStep = createToolSearchState({ tools: all, toolCallers: undefined });
      bound.set(count, forStep(all)[own]);
    }
    return bound.get(count);
  }

  return {
    async search(query, count) {
      const found = await searchToolFor(count).execute({ query });
      return found.tools.map(({ name }) => name);
    },
  };
}
