import { runTools, ToolSift, ToolSiftError } from "toolsift";
import type {
  Assembly,
  Confidence,
  ErrorCode,
  Execute,
  HistoryReport,
  MessageFormat,
  ModelReply,
  Outcome,
  Session,
  Snapshot,
  ToolEvent,
  ToolSiftOptions,
} from "toolsift";
import type { SessionStoreOptions } from "toolsift/store";

const options: ToolSiftOptions = {
  profile: "sift",
  contextWindow: 200_000,
  countTokens: (text) => text.length,
  budget: { tools: 3 },
  synonyms: [["invoice", "bill"]],
  translations: "bill invoice:0.4",
  search: { ranker: "sift", grammar: "full", without: ["parameters"] },
};
const sift = new ToolSift(options);
const names: string[] = sift.register([{ name: "a", inputSchema: { type: "object" } }], { server: "s" }).registered;
const session: Session = sift.session("chat", { scope: { servers: ["s"] } });
const assembly: Assembly = session.assemble({ format: "anthropic" });
const share: number = assembly.size.saved.share;

export function handle(outcome: Outcome): string {
  switch (outcome.kind) {
    case "result":
      return outcome.content;
    case "dispatch":
      return outcome.name + Object.keys(outcome.arguments).join();
    case "refused":
      return outcome.error.code satisfies ErrorCode;
  }
}

const queries: readonly string[] = ["open a ticket", "send mail"];
export const sure: Confidence | undefined = sift.search(queries, { limit: 3 }).confidence;
export const why: string = sift.explain(queries, "a").reason;
export const snapshot: Snapshot = session.snapshot();
const kept: MessageFormat = "ai-sdk";
export const rebuilt: HistoryReport = session.fromMessages([{ role: "user", content: "Hi" }], { format: kept });
export const restored: Session = sift.restore(snapshot).session;
export const said = [handle(session.call("search_tools", { query: "x" })), names, share, ToolSift.version];

interface Said extends ModelReply {
  text: string;
}
const execute: Execute = ({ server, name, arguments: args }) => [server, name, Object.keys(args)];
export async function answer(send: () => Said): Promise<string> {
  const told = (event: ToolEvent): unknown => (event.type === "refuse" ? event.code : event.tokens);
  const { finish, reply } = await runTools(session, {
    format: "openai",
    send,
    execute,
    onEvent: (event) => void told(event),
  });
  return finish === "done" ? reply.text : finish;
}

try {
  sift.dispose();
} catch (error: unknown) {
  if (ToolSiftError.is(error)) error.code satisfies ErrorCode;
}

// What is undefined is missing: a caller hands on what it may not have.
new ToolSift({ profile: undefined, limits: { tools: undefined }, budget: { tokens: undefined } });
sift.register([], { server: undefined, names: undefined, category: undefined, enrichment: undefined });
sift.search("x", { limit: undefined, reasons: undefined, scores: undefined });
session.assemble({ format: undefined });
session.call("a", {}, { now: undefined, visible: undefined });
session.prefetch("x", { tools: undefined, tokens: undefined });
session.evict({ tools: 1, tokens: undefined });
export const storeOptions: SessionStoreOptions = { ttl: undefined, prefix: undefined, onUnsaved: undefined };
// @ts-expect-error a scope that is undefined by mistake must not open everything
sift.session("chat", { scope: undefined });
// @ts-expect-error a misspelt option
new ToolSift({ contextWindows: 1 });
// @ts-expect-error an ingredient that does not exist
new ToolSift({ search: { without: ["salt"] } });
// @ts-expect-error a wire format that does not exist
session.assemble({ format: "xml" });
// @ts-expect-error a loop that runs nothing
void runTools(session, { send: () => ({ calls: [] }) });
// @ts-expect-error a conversation whose format is not said
session.fromMessages([], {});
