/** One conversation as source text for any kind of module, and its expected result. */

/** Expects `ToolSift` in scope and leaves the story in `tour`. */
export const TOUR = `
const tool = (name, description, properties) => ({
  name,
  description,
  inputSchema: { type: "object", properties, required: Object.keys(properties) },
});
const text = { type: "string" };

const sift = new ToolSift({ activation: "on" });
const report = sift.register(
  [
    tool("get_weather", "Tells the weather of a city.", { city: text }),
    tool("open_ticket", "Opens a ticket in the tracker.", { title: text, body: text }),
    tool("send_mail", "Sends a mail.", { to: text, subject: text }),
  ],
  { server: "office" },
);

const session = sift.session("tour");
const names = (assembly) => assembly.tools.map((tool) => tool.function.name);
const before = session.assemble({ format: "openai" });
const early = session.call("send_mail", { to: "a", subject: "b" });
const search = session.call("search_tools", { query: "tell me the weather of a city" });
const add = session.call("add_tool", { tool_names: ["open_ticket"] });
const after = session.assemble({ format: "openai" });
const call = session.call("get_weather", { city: "Oslo" });

const tour = {
  version: ToolSift.version,
  registered: report.registered,
  before: names(before),
  early: early.kind,
  found: search.revealed,
  sure: sift.search(["weather of a city"]).confidence,
  added: add.revealed,
  after: names(after),
  call,
  grew: after.size.request.bytes > before.size.request.bytes,
};
`;

/** What the tour comes to; `version` is the package's. */
export const expected = (version) => ({
  version,
  registered: ["get_weather", "open_ticket", "send_mail"],
  before: ["search_tools", "add_tool", "show_all_tools"],
  early: "refused",
  found: ["get_weather"],
  sure: "high",
  added: ["open_ticket"],
  after: ["search_tools", "add_tool", "show_all_tools", "send_mail", "get_weather", "open_ticket"],
  call: {
    kind: "dispatch",
    name: "get_weather",
    server: "office",
    modelName: "get_weather",
    arguments: { city: "Oslo" },
  },
  grew: true,
});
