/** Tests the visitor's own servers on the page: pasted, dropped, from links, and many servers. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { ask, dropFiles, onStage, shown, withPage } from "./lib/browser.mjs";

const stage = onStage();

const tool = (name, description = "") => ({ name, description, inputSchema: { type: "object" } });
const LIST = { tools: [tool("lamp_on", "Switches a lamp on"), tool("lamp_off", "Switches a lamp off")] };
const CONFIG = {
  mcpServers: {
    browser: { command: "npx", args: ["-y", "@playwright/mcp@latest"] },
    git: { command: "uvx", args: ["mcp-server-git"] },
    music: { command: "uvx", args: ["--from", "mcp-server-spotify", "spotify"] },
    secret: { url: "https://mcp.example.com/mcp?key=hidden" },
    box: { command: "docker", args: ["run", "box"], env: { KEY: "hidden" } },
  },
};

/** Opens the dialog and pastes a text there. */
async function paste(page, text) {
  await page.getByRole("button", { name: "Use my servers" }).click();
  await page.getByLabel("Configuration or tool list").fill(text);
  await page.getByRole("button", { name: "Use these" }).click();
}

test("an mcp.json: what packs know is shown, and the rest with the way to it", async () => {
  await withPage({}, async (page) => {
    await paste(page, JSON.stringify(CONFIG));
    await page.getByText("Your 3 servers").waitFor();
    const { status, blocks, claim } = await shown(page);
    assert.match(claim, new RegExp(`sends ${blocks} tool definitions`));
    assert.match(status, /For 2 of them, names and sizes come from our data\. For 1, only the names are known/);
    assert.match(status, /Not known here: secret, box\. .* npx toolsift tools mcp\.json > tools\.json/);
    const { hits } = await ask(page, "shut the window of the web page");
    assert.ok(hits.length > 0, "words of the packs find tools without their definitions");
    await page.getByText("The request as it is sent").click();
    assert.match(await page.getByRole("region", { name: /^The request/ }).innerText(), /"definition": "not known here/);
    const code = await page.getByRole("region", { name: "What to paste" }).innerText();
    for (const part of [
      'browser: { command: "npx", args: ["-y", "@playwright/mcp"] }',
      'git: { command: "uvx", args: ["mcp-server-git"] }',
    ])
      assert.ok(code.includes(part), code);
    assert.ok(!`${page.url()}${code}`.includes("hidden"));
  });
});

test("several files at once, a list of the same name twice, and back to the sample", async () => {
  await withPage({}, async (page) => {
    const files = [
      { name: "tools-home.json", text: JSON.stringify(LIST) },
      { name: "home.json", text: JSON.stringify({ result: LIST }) },
      { name: "broken.json", text: '{ "tools": [' },
      {
        name: "mcp.json",
        text: JSON.stringify({ servers: { notes: { command: "npx", args: ["@notionhq/notion-mcp-server"] } } }),
      },
    ];
    await dropFiles(page, files);
    await page.getByText("Your 3 servers").waitFor();
    assert.match((await shown(page)).status, /broken\.json is not valid JSON/);
    const code = await page.getByRole("region", { name: "What to paste" }).innerText();
    assert.match(code, /home: .*\n.*"home-2": .*\n.*notes: /);
    await page.getByRole("button", { name: "Back to the sample" }).click();
    await page.locator("h1", { hasText: "159" }).waitFor();
  });
});

/** Texts that hold nothing to use, and what is said of each. */
const USELESS = [
  ["", /is empty/],
  ["no json", /is not valid JSON/],
  ['{ "a": 1 }', /holds no list of tools/],
  ['{ "tools": [] }', /the list is empty/],
  ["[1, 2]", /a tool must be an object, got 1/],
  ['{ "mcpServers": { "mine": { "command": "./run.sh" } } }', /Not known here: mine\./],
];

test("what cannot be used changes nothing and says why", async () => {
  await withPage({}, async (page) => {
    const before = await shown(page);
    await page.getByRole("button", { name: "Use my servers" }).click();
    for (const [text, said] of USELESS) {
      await page.getByLabel("Configuration or tool list").fill(text);
      await page.getByRole("button", { name: "Use these" }).click();
      await page.getByRole("alert").filter({ hasText: said }).waitFor();
    }
    await page.keyboard.press("Escape");
    assert.deepEqual({ ...(await shown(page)), status: "" }, { ...before, status: "" });
  });
});

/** What a page draws: names, places and states of all blocks, and what is said. */
async function drawn(page) {
  const blocks = await page
    .locator(".block")
    .evaluateAll((all) =>
      all.map((one) => ["data-name", "class", "x", "y", "width", "height"].map((key) => one.getAttribute(key))),
    );
  const { status, ...rest } = await shown(page);
  return { ...rest, blocks };
}

test("a link draws the same", async () => {
  await withPage({}, async (page, { context }) => {
    const copied = async () => {
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      await page.getByRole("button", { name: "Copy link" }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const same = async () => {
      const link = await copied();
      const other = await context.newPage();
      await other.goto(link);
      await other.locator("[data-name]").first().waitFor();
      const { claim } = await shown(page);
      await other.locator("h1", { hasText: claim }).waitFor();
      assert.deepEqual(await drawn(other), await drawn(page));
      await other.close();
      return link;
    };
    await ask(page, "the new release is broken, go back");
    await same();
    // Descriptions, which the link does not hold, find what the names alone do not.
    const deeds = ["Turns the lamp on", "Makes the room warmer", "Opens the garage", "Plays a song", "Feeds the fish"];
    const tools = Array.from({ length: 60 }, (_, at) =>
      tool(
        `unit_${at}`,
        `${deeds[at] ?? `Reads meter ${at}`}. ${"All units of the house answer within a minute. ".repeat(6)}`,
      ),
    );
    await dropFiles(page, [{ name: "house.json", text: JSON.stringify({ tools }) }]);
    await page.getByText("Your 1 server").waitFor();
    const { loaded } = await ask(page, "make the room warmer");
    assert.ok(loaded.includes("unit_1"), loaded.join());
    assert.ok((await same()).length < 1200);
  });
});

test("links that are broken, or made by hand", async () => {
  const pack = async (value) => {
    const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  };
  const hashes = ["#q=order+a+pizza&t=%%%", "#q=order+a+pizza&t=AAAA", `#q=order+a+pizza&t=${await pack({ a: 1 })}`];
  const odd = await pack([[["<b>", 7, "x", -1, "y", "z", {}, 3]], 9, [[99, "a"], "b"], [5, null], 1]);
  await withPage({ hash: hashes[0] }, async (page) => {
    for (const hash of hashes) {
      await page.goto(stage.site.address + hash);
      await page.locator("h1", { hasText: "Nothing fits this one" }).waitFor();
      const { blocks, status } = await shown(page);
      assert.equal(blocks, 159);
      assert.match(status, /^The tools in this link cannot be read/);
    }
    await page.goto(`${stage.site.address}#q=order+a+pizza&t=${odd}`);
    await page.locator("h1", { hasText: "Only 3 tools" }).waitFor();
  });
});

test("back and forward", async () => {
  await withPage({}, async (page) => {
    const first = await drawn(page);
    await ask(page, "order a pizza");
    const second = await drawn(page);
    await dropFiles(page, [{ name: "house.json", text: JSON.stringify(LIST) }]);
    await page.locator("h1", { hasText: "Only 2 tools" }).waitFor();
    const third = await drawn(page);
    for (const [step, expected] of [
      ["goBack", second],
      ["goBack", first],
      ["goForward", second],
      ["goForward", third],
    ]) {
      await page[step]();
      await page.locator("h1", { hasText: expected.claim }).waitFor();
      assert.deepEqual(await drawn(page), expected);
    }
    await page.reload();
    await page.locator("h1", { hasText: "Only 2 tools" }).waitFor();
  });
});

test("5,000 tools", async () => {
  await withPage({}, async (page) => {
    const one = (server, at) =>
      tool(`merge_branch_${server}_${at}`, `Merges branch ${at} of system ${server}. ${"Any branch. ".repeat(9)}`);
    const files = Array.from({ length: 100 }, (_, server) => ({
      name: `server-${server}.json`,
      text: JSON.stringify({ tools: Array.from({ length: 50 }, (_, at) => one(server, at)) }),
    }));
    await dropFiles(page, files);
    await page.locator("h1", { hasText: "5,000" }).waitFor();
    assert.equal((await shown(page)).blocks, 5_000);
    const { loaded, numbers } = await ask(page, "merge the branch of system 7");
    assert.ok(loaded.length > 0 && loaded.length < 20);
    assert.match(numbers, /≈ \d{3},000 .* [\d,]+ tokens of tools in a request, \d+ times fewer/);
  });
});
