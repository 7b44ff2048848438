import { z } from "zod";

const bookTable = {
  description: "Books a table",
  inputSchema: z.object({ guests: z.number(), at: z.string().default("noon") }),
  execute: ({ guests, at }: { guests: number; at: string }) => guests + at.length,
};
const more = await toolsift({
  tools: {
    bookTable,
    weather: {
      description: "Get the weather",
      inputSchema: z.object({ city: z.string(), days: z.coerce.number() }),
      execute: async ({ city, days }, { signal }) => {
        city satisfies string;
        days satisfies number;
        // @ts-expect-error there is no such argument
        ({ city, days }).town;
        return { city, days, signal: signal?.aborted };
      },
    },
    lamp: {
      description: "Switch the lamp",
      inputSchema: { type: "object", properties: { on: { type: "boolean" } } },
      execute: ({ on }) => (on === true ? "on" : "off"),
      deferral: "never",
    },
  },
  env: { TOKEN: "x" },
  execute: ({ name, server }) => [name, server],
});
more.status().map(({ error }) => error);
await more.close();

// @ts-expect-error a tool has no such key
await toolsift({ tools: { lamp: { descripton: "x", inputSchema: {}, execute: () => 1 } } });
// @ts-expect-error a tool runs
await toolsift({ tools: { lamp: { description: "x", inputSchema: {} } } });
await toolsift({
  // @ts-expect-error the schema gives a number
  tools: { lamp: { description: "x", inputSchema: z.object({ a: z.number() }), execute: ({ a }: { a: string }) => a } },
});
