/**
 * Settings, and the address that holds them:
 *
 * 1. A change takes effect at once; the conversation is played again under it, and it survives a reload.
 * 2. A refused setting is named with its code, and the one before stays in force.
 * 3. Scope and pins; a pinned name that no tool has is told.
 * 4. With tool search off everything is sent, and nothing is there to search with.
 * 5. A pasted address is taken, also one of before there were views; what it gets wrong is told and leaves the address.
 * 6. View, settings, script and query are in the address, and Back works.
 * 7. Settings that cannot work together are refused beside the setting.
 * 8. From when on tools are deferred is one sentence.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { followed, ready, withPage } from "./lib/browser.mjs";
import { chooseProfile, goTo, openMenu, search, withSettings } from "./lib/model.mjs";
import { turnsOf } from "./lib/reading.mjs";
import { onStage } from "./lib/stage.mjs";

const stage = onStage();

const DISCLOSURE = "What the model sees of a deferred tool";

test("settings take effect at once, and the conversation is played again under them", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await search(page, "send_message");
    const before = await turnsOf(page);
    await withSettings(page, async (form) => {
      await form.getByLabel(DISCLOSURE).selectOption("names");
      await page.locator("[data-testid=announcement]", { hasText: "1\u00a0step played again" }).waitFor();
    });
    const after = await turnsOf(page);
    assert.equal(after.length, 2);
    assert.ok(after[0].tokens > before[0].tokens, "the names are in the prompt");
    assert.ok(after[1].tokens > after[0].tokens, "the reveal is kept");
    assert.match(page.url(), /disclosure=names/);
    await page.reload();
    await ready(page);
    await openMenu(page, "profile");
    assert.equal(await page.getByLabel(DISCLOSURE).inputValue(), "names");
  });
});

test("a refused setting is named with its code, and the one before stays in force", async () => {
  await withPage(stage, {}, async (page) => {
    const before = await turnsOf(page);
    await openMenu(page, "profile");
    const window = page.getByLabel("Context window of the model");
    await window.fill("-5");
    await window.press("Enter");
    const problem = page.locator("[data-setting=contextWindow] .problem");
    await problem.waitFor();
    assert.match(await problem.innerText(), /limit_out_of_range .*-5/);
    assert.deepEqual(await turnsOf(page), before);
    await window.fill("100000");
    await window.press("Enter");
    await problem.waitFor({ state: "detached" });

    await chooseProfile(page, "select-load");
    await withSettings(page, async (form) => {
      await form.getByLabel("What reveals a tool").selectOption("never");
      const conflict = form.locator("[data-setting=reveal] .problem");
      await conflict.waitFor();
      assert.match(await conflict.innerText(), /option_conflict reveal never .* could never be called/);
      await form.getByLabel("A call to a deferred tool is").selectOption("allow");
      await conflict.waitFor({ state: "detached" });
      await form.getByText("How a search is made").click();
      await form.getByLabel("Hits at the most").fill("0");
      await page.keyboard.press("Enter");
      await form.locator("[data-setting=maxHits] .problem", { hasText: "limit_out_of_range" }).waitFor();
    });
    await chooseProfile(page, "stub");
    await openMenu(page, "profile");
    assert.equal(await page.locator(".settings .problem").count(), 0, "another profile has its own values");
  });
});

test("from when on tools are deferred is said alike in the menu and beside the code", async () => {
  await withPage(stage, { hash: "#/use", example: true }, async (page) => {
    const sentence = (text) =>
      text.match(/defers tools when their definitions take [\d,]+ tokens or more: fewer are cheaper in full\./)[0];
    const beside = sentence(await page.locator(".use-note").innerText());
    await withSettings(page, async (form) => {
      assert.equal(sentence(await form.locator("[data-setting=activation] .hint").innerText()), beside);
    });
  });
});

test("scope, pins, and pinned names that no tool has", async () => {
  await withPage(stage, { example: true }, async (page) => {
    const [{ full }] = await turnsOf(page);
    await withSettings(page, async (form) => {
      // Without weather there are few enough to send them all.
      await form.getByLabel("Tool search is").selectOption("on");
      await form.getByRole("checkbox", { name: "weather" }).uncheck();
      await page.locator("[data-testid=announcement]", { hasText: "no longer sees weather" }).waitFor();
    });
    assert.ok((await turnsOf(page))[0].full < full);
    await search(page, "tides");
    assert.equal(await page.locator(".results .row", { hasText: "weather" }).count(), 0);
    await withSettings(page, async (form) => {
      await form.getByLabel("Pinned: every session starts with").fill("mcp__slack__send_message, no_such_tool");
      await page.keyboard.press("Enter");
      await form.locator("[data-setting=preDiscovered] .problem", { hasText: "No tool is called no_such_tool" }).waitFor();
    });
    await page.getByRole("tab", { name: "Request" }).click();
    await page.locator(".parts .swatch.eager").waitFor();
    await goTo(page, "Catalog & doctor");
    assert.equal(await page.locator(".state.pinned").count(), 1);
  });
});

test("a control keeps its new value until the core answers", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await openMenu(page, "profile");
    const meanwhile = await page.evaluate(async () => {
      const [profile, server] = [".profile-choice:nth-of-type(6) input", ".scope label:first-of-type input"].map((one) =>
        document.querySelector(one),
      );
      profile.click();
      server.click();
      // The page is drawn anew, which no answer of a worker can come before.
      const tab = document.querySelector("[role=tab][aria-selected=false]");
      tab.click();
      for (let task = 0; task < 10; task += 1) await null;
      const drawn = tab.getAttribute("aria-selected") === "true";
      const shown = document.querySelector("[data-menu=profile] .menu-main").textContent;
      return { drawn, shown, profile: profile.checked, server: server.checked };
    });
    assert.deepEqual(meanwhile, { drawn: true, shown: "sift", profile: true, server: false });
    await page.locator("[data-menu=profile] .menu-main", { hasText: /^bridge$/ }).waitFor();
    await openMenu(page, "profile");
    assert.ok(await page.getByRole("radio", { name: /^bridge/ }).isChecked());
    assert.equal(await page.locator(".scope input:not(:checked)").count(), 1);
  });
});

test("with tool search off everything is sent, and nothing is there to search with", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await withSettings(page, async (form) => {
      await form.getByLabel("Tool search is").selectOption("off");
      await page.getByText("Nothing is deferred with these settings").waitFor();
    });
    assert.equal(await page.locator("#composer .segment").count(), 2);
    const [{ tokens, full }] = await turnsOf(page);
    assert.equal(tokens, full);
    await withSettings(page, (form) => form.getByRole("button", { name: "Defaults" }).click());
    await page.locator("#composer .segment").nth(4).waitFor();
  });
});

test("a pasted address is taken; what it gets wrong is told and leaves it", async () => {
  await withPage(stage, { hash: "#profile=bridge&disclosure=everything&hits=many&colour=red" }, async (page) => {
    assert.equal(await page.locator("[data-menu=profile] .menu-main").innerText(), "bridge");
    const told = await page.locator(".notice-line").allInnerTexts();
    assert.equal(told.length, 3, told.join());
    for (const part of [/disclosure cannot be “everything”/, /hits cannot be “many”/, /no setting “colour”/]) {
      assert.ok(
        told.some((text) => part.test(text)),
        `${part} of ${told}`,
      );
    }
    assert.match(page.url(), /#\/overview\?profile=bridge$/);
    await page
      .getByRole("button", { name: /^Dismiss/ })
      .first()
      .click();
    assert.equal(await page.locator(".notice-line").count(), 2);

    // Pasted while the page is open.
    await page.evaluate(() => void (location.hash = "#/compare?profile=slect"));
    await page.locator(".notice-line", { hasText: "no profile “slect”" }).waitFor();
    assert.match(page.url(), /#\/compare$/);
    await page.evaluate(() => void (location.hash = "#/conversation?profile=stub&maxHits=0"));
    await page.locator(".notice-line", { hasText: "limit_out_of_range" }).waitFor();
    assert.ok(!page.url().includes("maxHits"));
    await page.evaluate(() => void (location.hash = "#/nowhere"));
    await page.locator(".notice-line", { hasText: "no view “nowhere”" }).waitFor();
  });
});

test("view, settings, script and query are in the address, and Back works", async () => {
  await withPage(stage, {}, async (page) => {
    await chooseProfile(page, "bridge");
    await search(page, "send message", "tool_search");
    const turns = await turnsOf(page);
    await goTo(page, "Search lab");
    await page.locator("[data-view=search]").waitFor();
    await page.goBack();
    await page.locator("[data-view=conversation]").waitFor();
    assert.deepEqual(await turnsOf(page), turns);
    const address = page.url();
    assert.match(address, /#\/conversation\?profile=bridge&script=/);
    assert.deepEqual(await followed(page, address, turnsOf), turns, "a shared link shows the same conversation");
  });
});

test("a conversation that is too long for an address survives Back, and a link to it says so", async () => {
  await withPage(stage, {}, async (page) => {
    await page.getByRole("radio", { name: "the user" }).check();
    for (let count = 1; count <= 3; count += 1) {
      await page.getByLabel("What the user says").fill(`${count} ${"words ".repeat(300)}`);
      await page.getByRole("button", { name: "Say it" }).click();
      await page
        .locator(".said")
        .nth(count - 1)
        .waitFor();
    }
    const turns = await turnsOf(page);
    await goTo(page, "Compare");
    await page.goBack();
    await page.locator("[data-view=conversation] .said").nth(2).waitFor();
    assert.deepEqual(await turnsOf(page), turns);
    const address = page.url();
    assert.ok(address.length < 1000);
    await followed(page, address, (tab) => tab.locator(".notice-line", { hasText: "too long for an address" }).waitFor());
  });
});

test("what the page sets so that a profile is at work is said and taken back", async () => {
  await withPage(stage, { example: true }, async (page) => {
    await chooseProfile(page, "bridge");
    await openMenu(page, "profile");
    assert.match(await page.locator(".profile-notice").innerText(), /20,000 tokens.*activation: "on"/s);
    await page.getByRole("button", { name: "See it by itself" }).click();
    await page.getByRole("button", { name: "Show it at work" }).click();
    await page.getByRole("button", { name: "See it by itself" }).waitFor();
    await chooseProfile(page, "select");
    await openMenu(page, "profile");
    assert.match(await page.locator(".profile-notice").innerText(), /deferral: "opt-out"/);
    await page.getByRole("button", { name: "See it by itself" }).click();
    await page.locator(".profile-notice", { hasText: "Nothing is deferred" }).waitFor();
    assert.match(page.url(), /deferral=(&|$)/);
    await page.reload();
    await ready(page);
    await openMenu(page, "profile");
    assert.match(await page.locator(".profile-notice").innerText(), /Nothing is deferred/);
  });
});
