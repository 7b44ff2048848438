/** The calls of the model in these tests: short names for calls, and arguments for real tools. */

/** The discovery tools of the default profile, as they are sent. */
export const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];

/** Arguments of `create_issue`, and of `create_entities`. */
export const ISSUE = { owner: "ada", repo: "engine", title: "It rattles" };
export const ENTITIES = { entities: [{ name: "Ada", entityType: "person", observations: ["likes engines"] }] };

/** A call: its arguments as an object, or as the text that the model wrote. */
export const call = (name, args = {}) => ({ name, args });
export const add = (...names) => call("add_tool", { tool_names: names });
export const search = (query) => call("search_tools", { query });

/** A script of replies: each is a list of calls, or a reply as the wire has it; after the last one the model is done. */
export function script(...replies) {
  return (_, step) => {
    const reply = replies[step - 1] ?? { text: "All done." };
    return Array.isArray(reply) ? { calls: reply } : reply;
  };
}
