/**
 * One's own tools in the playground:
 *
 * 1. Files are read in every shape that servers and clients write, one server per file, and may be renamed and removed.
 * 2. A broken tool costs only itself and is listed with its reason; what vendors would refuse can be renamed.
 * 3. A file that cannot be used is named with the reason, and changes nothing.
 * 4. Lists of one name both stay; one of which nothing can be used replaces nothing; removing can be undone.
 * 5. The same server again is an update; starting over brings the opening catalog back.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dropFiles, withPage } from "./lib/browser.mjs";
import { catalogSize, turnsOf } from "./lib/reading.mjs";
import { openMenu, search, withSettings } from "./lib/model.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();

const tool = (name, description = `Does ${name}.`) => ({
  name,
  description,
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
});

const door = (page, name) => page.locator(".own").getByRole("radio", { name, exact: true }).check();

const choose = async (page, name, text) => {
  await door(page, "Files");
  await page
    .locator(".menu-panel input[type=file]")
    .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
};

/** The servers in the menu of the catalog, each with where it came from. */
async function sourcesOf(page) {
  await openMenu(page, "catalog");
  return page.locator(".source").evaluateAll((all) =>
    all.map((one) => ({
      server: one.querySelector("input[type=text]")?.value ?? one.querySelector(".source-name").textContent,
      from: one.querySelector(".source-from")?.textContent,
    })),
  );
}

const serverNames = async (page) => (await sourcesOf(page)).map(({ server }) => server);

/** Waits until the bar says so many tools. */
const hasTools = (page, count) =>
  page.locator("[data-menu=catalog] .menu-main", { hasText: new RegExp(`^${count}\\s`) }).waitFor();

test("several files in several shapes, each server from its own file", async () => {
  await withPage(stage, {}, async (page) => {
    const chat = { name: "chat_tool", description: "One of OpenAI.", parameters: { type: "object" } };
    const captured = { server: "delta", package: "delta", version: "1.0.0", tools: [tool("fifth")] };
    await dropFiles(page, [
      { name: "tools-alpha.json", text: JSON.stringify([tool("first"), tool("second")]) },
      { name: "beta.json", text: JSON.stringify({ tools: [tool("third")] }) },
      { name: "gamma.json", text: JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: [tool("fourth")] } }) },
      { name: "any.json", text: JSON.stringify(captured) },
      { name: "epsilon.json", text: JSON.stringify([{ type: "function", function: chat }]) },
    ]);
    await hasTools(page, 6);
    const sources = await sourcesOf(page);
    assert.deepEqual(
      sources.map(({ server }) => server),
      ["alpha", "beta", "gamma", "delta", "epsilon"],
    );
    const files = ["tools-alpha.json", "beta.json", "gamma.json", "any.json", "epsilon.json"];
    assert.deepEqual(
      sources.map(({ from }) => from),
      files,
    );
    assert.equal((await turnsOf(page)).length, 1);
  });
});

test("a server is renamed, updated and removed", async () => {
  await withPage(stage, {}, async (page) => {
    await dropFiles(page, [{ name: "one.json", text: JSON.stringify([tool("a"), tool("b")]) }]);
    await hasTools(page, 2);
    await dropFiles(page, [{ name: "two.json", text: JSON.stringify([tool("c")]) }]);
    await hasTools(page, 3);

    await openMenu(page, "catalog");
    const name = page.getByLabel("Name of the server one");
    await name.fill("two");
    await name.press("Enter");
    await page.getByText("There is a server “two” already.").waitFor();
    await name.fill("renamed");
    await name.press("Enter");
    await page.getByLabel("Name of the server renamed").waitFor();

    await dropFiles(page, [{ name: "two.json", text: JSON.stringify([tool("c"), tool("d")]) }]);
    await hasTools(page, 4);
    assert.equal((await serverNames(page)).length, 2);

    await page.getByRole("button", { name: "Remove two" }).click();
    await hasTools(page, 2);
    assert.deepEqual(await serverNames(page), ["renamed"]);
    await page.getByRole("button", { name: "Remove renamed" }).click();
    await hasTools(page, 0);
    await page.getByRole("button", { name: /^Back to the/ }).click();
    await page.locator("[data-menu=catalog] .menu-more", { hasText: /[2-9].servers/ }).waitFor();
    assert.ok((await catalogSize(page)) >= 60);
  });
});

test("lists of one name both stay, and removing is undone", async () => {
  await withPage(stage, {}, async (page) => {
    await dropFiles(page, [
      { name: "tools.json", text: JSON.stringify([tool("a")]) },
      { name: "tools.json", text: JSON.stringify([tool("b"), tool("not a name")]) },
    ]);
    await hasTools(page, 2);
    assert.equal(await page.getByTestId("announcement").innerText(), "2\u00a0tools read from tools.json.");
    assert.deepEqual(await serverNames(page), ["tools", "tools-2"]);
    for (const name of ["c", "d"]) {
      await page.getByLabel("JSON").fill(JSON.stringify([tool(name)]));
      await page.getByRole("button", { name: "Read it" }).click();
    }
    await hasTools(page, 4);
    assert.deepEqual(await serverNames(page), ["tools", "tools-2", "pasted", "pasted-2"]);
    await page.getByRole("button", { name: "Remove tools-2", exact: true }).click();
    await hasTools(page, 3);
    await page.getByRole("button", { name: "Bring it back" }).click();
    await hasTools(page, 4);
    assert.deepEqual(await serverNames(page), ["tools", "tools-2", "pasted", "pasted-2"]);
  });
});

test("broken tools are listed with their reasons, the others are taken", async () => {
  await withPage(stage, {}, async (page) => {
    const broken = [
      tool("fine"),
      tool("not a name"),
      { description: "It has no name." },
      { name: "untyped", inputSchema: { properties: { id: { type: "string" } } } },
      { name: "list", inputSchema: { type: "array" } },
      tool("fine"),
    ];
    await dropFiles(page, [{ name: "mixed.json", text: JSON.stringify(broken) }]);
    await hasTools(page, 2);
    await openMenu(page, "catalog");
    const reasons = await page.locator(".report.rejected li code").allInnerTexts();
    assert.deepEqual(reasons, ["name_unsafe", "tool_shape_unknown", "schema_invalid", "duplicate_tool"]);
    await page.getByText("1 tool repaired").waitFor();

    await page.getByRole("button", { name: "Take them under safe names" }).click();
    await hasTools(page, 3);
    await withSettings(page, (form) => form.getByLabel("What reveals a tool").selectOption("search"));
    assert.equal(await catalogSize(page), 3, "the names stay safe when the settings change");
  });
});

test("a scope follows a renamed server and lets in one that comes later", async () => {
  await withPage(stage, {}, async (page) => {
    await dropFiles(page, [
      { name: "one.json", text: JSON.stringify([tool("a")]) },
      { name: "two.json", text: JSON.stringify([tool("b")]) },
    ]);
    await hasTools(page, 2);
    const [{ full }] = await turnsOf(page);
    await withSettings(page, async (form) => {
      await form.getByRole("checkbox", { name: "one" }).uncheck();
      await page.locator("[data-testid=announcement]", { hasText: "no longer sees one" }).waitFor();
    });
    const [scoped] = await turnsOf(page);
    assert.ok(scoped.full < full);
    await openMenu(page, "catalog");
    const name = page.getByLabel("Name of the server one");
    await name.fill("uno");
    await name.press("Enter");
    await page.getByLabel("Name of the server uno").waitFor();
    await dropFiles(page, [{ name: "three.json", text: JSON.stringify([tool("c")]) }]);
    await hasTools(page, 3);
    await withSettings(page, async (form) => {
      assert.equal(await form.getByRole("checkbox", { name: "uno" }).isChecked(), false);
      assert.equal(await form.getByRole("checkbox", { name: "three" }).isChecked(), true);
    });
    assert.ok((await turnsOf(page))[0].full > scoped.full);
  });
});

const REFUSED = [
  ["broken.json", '{ "tools": [ { "name": "a" ] }', /broken\.json is not valid JSON.*line 1/],
  ["empty.json", "", /empty\.json is empty/],
  ["none.json", '{ "tools": [] }', /none\.json holds a list of tools, but the list is empty/],
  ["other.json", '{ "name": "a package", "version": "1.0.0" }', /other\.json holds no list of tools/],
  ["number.json", "42", /number\.json holds no list of tools/],
  ["refused.json", '[{"name":"list","inputSchema":{"type":"array"}}]', /refused\.json: none of its 1.tool can be used/],
  ["large.json", `[${" ".repeat(10 * 1024 * 1024)}]`, /large\.json is 10\.0.MB; at most 10\.0.MB are read/],
];

test("files that cannot be used say why and change nothing", async () => {
  await withPage(stage, {}, async (page) => {
    const before = await turnsOf(page);
    const size = await catalogSize(page);
    for (const [name, text, reason] of REFUSED) {
      await openMenu(page, "catalog");
      await choose(page, name, text);
      await page.locator(".readings .problem").filter({ hasText: reason }).waitFor();
      assert.equal(await page.locator(".notice-line").count(), 0, "told once");
      assert.equal(await catalogSize(page), size, name);
    }
    assert.deepEqual(await turnsOf(page), before);
  });
});

test("one broken file among several costs only itself, and is told in every view", async () => {
  await withPage(stage, { hash: "#/overview" }, async (page) => {
    await dropFiles(page, [
      { name: "bad.json", text: "[{]" },
      { name: "good.json", text: JSON.stringify([tool("kept")]) },
    ]);
    await page.locator(".notice-line").filter({ hasText: "bad.json" }).waitFor();
    assert.deepEqual(await serverNames(page), ["good"]);
  });
});

test("a paste, with the name of its server", async () => {
  await withPage(stage, {}, async (page) => {
    await openMenu(page, "catalog");
    await page.locator(".own textarea:focus").waitFor();
    await page.getByLabel("JSON").fill("{ nothing");
    await page.getByRole("button", { name: "Read it" }).click();
    await page.locator(".readings .problem").waitFor();
    await page.getByLabel("Server name").fill("mine");
    await page.getByLabel("JSON").fill(JSON.stringify({ tools: [tool("pasted_tool")] }));
    await page.getByRole("button", { name: "Read it" }).click();
    await hasTools(page, 1);
    assert.deepEqual(await serverNames(page), ["mine"]);
  });
});

test("Ctrl+V anywhere, fenced and with commas too many", async () => {
  await withPage(stage, { hash: "#/overview" }, async (page) => {
    const text = `\`\`\`json\n[{"name": "a,]", "inputSchema": {"type": "object",},},]\n\`\`\`\n`.replace("a,]", "a_b");
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await hasTools(page, 1);
    assert.deepEqual(await serverNames(page), ["pasted"]);
    await door(page, "Gallery");
    const first = page.locator(".gallery li").first();
    const name = await first.locator("b").textContent();
    await first.getByRole("button", { name: `Add ${name}` }).click();
    await first.getByRole("button", { name: `Added ${name}` }).waitFor();
    assert.deepEqual(await serverNames(page), ["pasted", name]);
  });
});

test("what other clients send beyond it is said where there is such a part", async () => {
  await withPage(stage, { hash: "#/overview" }, async (page) => {
    const unreached = { Nobody: { type: "object", title: "y".repeat(4000) } };
    const list = (defs) => JSON.stringify([{ ...tool("kept"), inputSchema: { type: "object", properties: {}, ...defs } }]);
    await dropFiles(page, [{ name: "plain.json", text: list({}) }]);
    await hasTools(page, 1);
    assert.doesNotMatch(await page.locator(".basis").innerText(), /Other clients/);
    await dropFiles(page, [{ name: "large.json", text: list({ $defs: unreached }) }]);
    await hasTools(page, 2);
    assert.match(await page.locator(".basis").innerText(), /Other clients send 1,0\d\d tokens more/);
  });
});

test("a list of thousands of tools stays usable", async () => {
  await withPage(stage, {}, async (page) => {
    const many = Array.from({ length: 5000 }, (_, index) => tool(`tool_${index}`, `Handles case ${index} of many.`));
    await dropFiles(page, [{ name: "many.json", text: JSON.stringify(many) }]);
    await hasTools(page, "5,000");
    await search(page, "case 4321 ");
    await page.locator("[data-row=tool_4321] .state.revealed").waitFor();
  });
});
