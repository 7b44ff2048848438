/**
 * Ranks with the original code of Mastra: the `search_tools` of its `ToolSearchProcessor` is called without a model. It
 * returns five tools unless `topK` is set. It compares names among twice `topK` candidates, so the limit changes the order.
 */

import { ToolSearchProcessor } from "@mastra/core/processors";
import { createTool } from "@mastra/core/tools";

export function index(tools) {
  const catalog = Object.fromEntries(
    tools.map(({ name, description }) => [name, createTool({ id: name, description, execute: () => undefined })]),
  );
  const made = new Map();

  /** Returns the search tool with a limit. The limit is set when the processor is made. */
  function searchToolFor(count) {
    if (!made.has(count)) made.set(count, makeSearchTool(catalog, count));
    return made.get(count);
  }

  return {
    ranksByCount: true,
    async search(query, count) {
      const searchTool = await searchToolFor(count);
      const { results } = await searchTool.execute({ query }, {});
      return results.map(({ name }) => name);
    },
  };
}

async function makeSearchTool(tools, topK) {
  const processor = new ToolSearchProcessor({ tools, search: { topK }, ttl: 0 });
  // The processor writes a message to the model, but there is no conversation here.
  const messageList = { addSystem() {} };
  const step = await processor.processInputStep({ tools: {}, messageList });
  return step.tools.search_tools;
}
