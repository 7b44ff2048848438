/** How does a test act as the model? By the panel of the page that stands for it. */

/** Searches in words. */
export async function search(page, query) {
  await page.locator(".call").getByLabel("query").fill(query);
  await page.getByRole("button", { name: "Call search_tools" }).click();
}

/** What the model was answered last. */
export const newestAnswer = (page) => page.locator(".exchange .code").first().textContent();
