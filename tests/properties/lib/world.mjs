/** A catalog in use, and the fixed script that it answers. */

export const tool = (name, more) => ({
  name,
  description: `Works on ${name.replaceAll("_", " ")}.`,
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: "What to write." } },
    required: ["text"],
  },
  ...more,
});

/** Tools of one server, as MCP lists them. */
export const tools = () => ["good", "send_message", "read_file", "create_issue"].map((name) => tool(name));

/** A catalog with a session, in which one tool is revealed. */
export async function core(app, options) {
  const toolsift = await app.load("toolsift");
  const sift = new toolsift.ToolSift({ activation: "on", ...options });
  sift.register(tools(), { server: "a" });
  const session = sift.session("s");
  session.reveal(["good"]);
  return { app, toolsift, ...toolsift, sift, session, answers: () => answersOf(sift), end: () => sift.dispose() };
}

/** What a catalog answers to questions that change nothing. */
export function answersOf(sift) {
  const session = sift.session("s");
  const { tools: sent, systemPrompt, active } = session.assemble({ format: "openai" });
  return {
    catalog: [sift.tools(), sift.revision, sift.contentHash, sift.settings],
    found: [sift.search("send a message"), sift.search("select:good")],
    session: [session.revealed, session.tools(), session.snapshot().revealed.map(({ name }) => name), session.unmatched()],
    request: [sent, systemPrompt, active],
  };
}

/** The same as far as one conversation does not change it: for what leads a conversation, and fails on its way. */
export function catalogOf(sift) {
  const { systemPrompt } = sift.session("fresh").assemble();
  return [sift.tools(), sift.search("send a message"), sift.search("select:good"), systemPrompt];
}

/** What is sent of a value, if anything: nothing of one that is too deep for JSON. */
export function text(value) {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}
