/**
 * The loads that are repeated while memory is measured. Each load takes the package and returns a function that runs one
 * cycle, given its number. Every cycle uses new names and words, so that anything that keeps them makes the memory grow.
 */

const tool = (name, about) => ({
  name,
  description: `Works on ${about}.`,
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: `Text of ${about}.` } },
    required: ["text"],
  },
});

/** Words that no cycle before had: of letters alone, as numbers are no words. */
const word = (number) => [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("");

const toolsOf = (cycle, count) =>
  Array.from({ length: count }, (_, at) => tool(`tool_${cycle}_${at}`, `${word(cycle)} ${word(at)}`));

/** Sessions that a catalog keeps here: so many are opened that they are evicted long before half of the cycles. */
const SESSIONS = 100;

/** Every load: how many cycles it has for each of `--cycles`, and how many under `--short`, if it is among them. */
export const LOADS = {
  instances: {
    title: "create, use and dispose",
    per: 1,
    short: 1_200,
    make:
      async ({ ToolSift }) =>
      (cycle) => {
        const sift = new ToolSift({ activation: "on", countTokens: (text) => text.length });
        sift.register(toolsOf(cycle, 5), { server: "a" });
        const session = sift.session(`s${cycle}`);
        sift.search(word(cycle));
        session.call("search_tools", { query: word(cycle) });
        session.reveal([`tool_${cycle}_0`]);
        session.assemble({ format: "openai" });
        session.snapshot();
        sift.dispose();
      },
  },
  sessions: {
    title: "session ids",
    per: 10,
    short: 20_000,
    make: async ({ ToolSift }) => {
      const sift = new ToolSift({ activation: "on", limits: { sessions: 10 * SESSIONS } });
      sift.register(toolsOf(0, 20), { server: "a" });
      return (cycle) => {
        const session = sift.session(`user ${cycle}`, cycle % 5 === 0 ? { scope: { servers: ["a"] } } : {});
        session.reveal([`tool_0_${cycle % 20}`]);
        if (cycle % 100 === 0) sift.search(word(cycle % 500), { session: session.id });
        if (cycle % 3 === 0) session.close();
      };
    },
  },
  // No short form: what is remembered of words that no tool has fills in the first 60,000 searches.
  searches: {
    title: "searches for words that no tool has",
    per: 3,
    make: async ({ ToolSift }) => {
      const sift = new ToolSift({ activation: "on" });
      sift.register(toolsOf(0, 20), { server: "a" });
      return (cycle) => void sift.search(word(cycle));
    },
  },
  // No short form: the words of sessions that are gone are forgotten after some thousands of them.
  tenants: {
    title: "sessions with tools of their own",
    per: 0.5,
    make: async ({ ToolSift }) => {
      const sift = new ToolSift({ activation: "on", limits: { sessions: SESSIONS } });
      sift.register(toolsOf(0, 20), { server: "a" });
      return (cycle) => {
        const session = sift.session(`user ${cycle}`);
        session.register(tool(`own_${cycle}`, word(cycle)), { server: "own" });
        session.call("search_tools", { query: word(cycle) });
        session.assemble();
        if (cycle % 3 === 0) session.close();
      };
    },
  },
  catalog: {
    title: "register, sync, reveal and evict",
    per: 1,
    short: 1_600,
    make: async ({ ToolSift }) => {
      const sift = new ToolSift({ activation: "on", limits: { revealed: 8 } });
      sift.register(toolsOf(0, 20), { server: "a" });
      const session = sift.session("s");
      return (cycle) => {
        const server = `server ${cycle % 7}`;
        sift.sync(server, toolsOf(cycle, 3));
        session.reveal([`tool_${cycle}_0`, `tool_${cycle}_1`]);
        session.call("search_tools", { query: word(cycle) });
        session.assemble();
        session.evict({ tools: 3 });
        sift.register(tool(`passing_${cycle}`, word(cycle)), { server: "passing" });
        if (cycle % 3 === 0) sift.unregister({ server: "passing" });
      };
    },
  },
  runs: {
    title: "runs whose answers are cut and kept",
    per: 0.2,
    short: 800,
    make: async ({ ToolSift, runTools }) => {
      const sift = new ToolSift({ activation: "on", limits: { sessions: SESSIONS } });
      sift.register(toolsOf(0, 20), { server: "a" });
      // What is kept of cut answers fills in the first 160 runs.
      const answerOf = (cycle) => word(cycle).padEnd(200_000);
      return async (cycle) => {
        const session = sift.session(`run ${cycle}`);
        const calls = [
          { id: "1", name: "tool_0_1", args: { text: "x" } },
          { id: "2", name: "search_tools", args: { query: word(cycle % 500) } },
        ];
        const send = ({ step }) => ({ calls: step < 3 ? calls : [] });
        await runTools(session, { send, execute: () => answerOf(cycle), maxAnswerChars: 500, onEvent: () => {} });
      };
    },
  },
  // No short form: the core keeps 4,096 sessions, and would only be seen to fill.
  stores: {
    title: "stored sessions",
    per: 0.2,
    make: async ({ ToolSift, SessionStore }) => {
      const sift = new ToolSift({ activation: "on" });
      sift.register(toolsOf(0, 20), { server: "a" });
      // A storage that forgets: what grows is toolsift's.
      const kept = new Map();
      const storage = {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => {
          kept.set(key, value);
          if (kept.size > 20) kept.delete(kept.keys().next().value);
        },
        removeItem: (key) => void kept.delete(key),
      };
      const store = new SessionStore(sift, storage);
      return (cycle) => store.use(`user ${cycle}`, (session) => session.reveal([`tool_0_${cycle % 20}`]));
    },
  },
};
