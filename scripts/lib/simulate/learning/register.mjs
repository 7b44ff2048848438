/** Registers the tools of a set, and what was learned of them. */

/** The definitions of tools, as a host has them. */
export const definitionOf = ({ registered, description, parameters, server }) => ({
  name: registered,
  description,
  parameters: parameters ?? { type: "object", properties: {} },
  ...(server === null ? {} : { server }),
});

/** Puts the tools of a set into a sift, with what was learned; answers each with the name that the model sees. */
export function definitionsOf(sift, tools, enrichment) {
  return ["any", "alias"].flatMap((names) => {
    const some = tools.filter((tool) => tool.names === names);
    if (some.length === 0) return [];
    const { registered } = sift.register(some.map(definitionOf), { names, ...(enrichment && { enrichment }) });
    return registered.map((modelName, at) => ({ modelName, tool: some[at] }));
  });
}
