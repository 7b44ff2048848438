/**
 * Ranks with the original code of AI SDK 7: its `toolSearch`, bound as in a generation, is called without a model. It
 * returns five tools unless `maxResults` is set; the limit does not change the order.
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

  /** Returns the search tool with a limit. The limit is set when the tool is made. */
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
