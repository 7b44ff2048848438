/** One process of several in a conversation: opens, reveals a tool and saves, again and again. Its settings are an argument. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createStorage } from "unstorage";

const { home, driver, options, id, letters, from } = JSON.parse(process.argv[2]);
const load = (name) => import(pathToFileURL(join(home, "dist", name)).href);
const [{ ToolSift }, { SessionStore }] = await Promise.all([load("index.js"), load("store.js")]);
const { default: open } = await import(`unstorage/drivers/${driver}`);

const storage = createStorage({ driver: open(options) });
const sift = new ToolSift();
const tools = [..."abcdefghijklmnopqrstuvwxyz"].map((name) => ({ name, inputSchema: { type: "object" } }));
sift.register(tools, { server: "s" });
const store = new SessionStore(sift, storage);

// Both begin at once, however long each took to load.
await new Promise((done) => setTimeout(done, Math.max(0, from - Date.now())));
const seen = [];
for (const letter of letters) {
  await store.use(id, (session) => {
    session.reveal([letter]);
    session.assemble();
    seen.push(session.revealed.length);
  });
}
console.log(JSON.stringify({ seen, revealed: (await store.open(id)).revealed }));
await storage.dispose();
