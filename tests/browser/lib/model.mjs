/** How does a test act on the page? Through the bar, and as the model in the conversation. */

/** Goes to a view by its link in the bar. */
export async function goTo(page, view) {
  await page.locator(".views").getByRole("link", { name: view }).click();
  await page.locator(".views").locator("[aria-current=page]", { hasText: view }).waitFor();
}

/** Goes where an address leads, as Back and Forward do it. */
export const follow = (page, hash) => page.evaluate((to) => void (location.hash = to), hash);

/** Opens a menu of the bar, unless it is open. */
export async function openMenu(page, name) {
  const button = page.locator(`[data-menu=${name}] .menu-button`);
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  await page.locator(`[data-menu=${name}] .menu-panel`).waitFor();
}

export async function closeMenus(page) {
  if ((await page.locator(".menu-panel").count()) === 0) return;
  await page.keyboard.press("Escape");
  await page.locator(".menu-panel").waitFor({ state: "detached" });
}

/** Puts a profile to work. */
export async function chooseProfile(page, name) {
  await openMenu(page, "profile");
  await page
    .locator(".profile-choices")
    .getByRole("radio", { name: new RegExp(`^${name} (modelled on|toolsift)`) })
    .check();
  await page.locator("[data-menu=profile] .menu-main", { hasText: new RegExp(`^${name}$`) }).waitFor();
  await closeMenus(page);
}

/** Changes settings in their form, and waits until the page has taken them. */
export async function withSettings(page, change) {
  await openMenu(page, "profile");
  await change(page.locator(".settings"));
  await closeMenus(page);
}

/** Does what makes the model call, and waits for the request that follows. */
export async function act(page, does) {
  const before = await page.locator(".turn").count();
  await does();
  await page.locator(`[data-turn='${before + 1}']`).waitFor();
}

/** Has a conversation played by this button, with pauses between its steps that nobody has to wait for. */
export async function play(page, name = "Play") {
  await page.evaluate(() => {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (does, after, ...given) => setTimeout(does, Math.min(after, 20), ...given);
  });
  await page.getByRole("button", { name, exact: true }).click();
}

/** Searches in words, with the search tool of the profile. */
export async function search(page, query, tool = "search_tools") {
  await act(page, async () => {
    await page.locator(".call").getByLabel("query").fill(query);
    await page
      .locator(".call")
      .getByRole("button", { name: `Call ${tool}`, exact: true })
      .click();
  });
}

/** What the model was answered last. */
export async function newestAnswer(page) {
  return answerOf(page, (await page.locator(".exchange").count()) - 1);
}

export async function answerOf(page, index) {
  const exchange = page.locator(".exchange").nth(index);
  if ((await exchange.getAttribute("open")) === null) await exchange.locator("summary").click();
  return exchange.locator(".code").textContent();
}
