/** What stands on the page, as numbers and texts. */

/** The rows of the table of turns. */
export async function turnsOf(page) {
  return page.locator(".turn-table tbody tr").evaluateAll((rows) =>
    rows.map((row) => {
      const cell = (name) => row.querySelector(`[data-cell=${name}]`)?.textContent ?? "";
      const number = (name) => Number(cell(name).replace(/\D/g, ""));
      return {
        after: row.children[1]?.textContent ?? "",
        tools: Number(row.children[2]?.textContent?.replace(/\D/g, "")),
        tokens: number("tokens"),
        full: number("full"),
        saved: cell("saved"),
        prefix: cell("prefix"),
      };
    }),
  );
}

/** Heights of the parts of each bar, from the bottom up. */
export async function barsOf(page) {
  return page.locator(".chart svg g:has(> rect.part)").evaluateAll((bars) => {
    const heights = (bar) => [...bar.querySelectorAll("rect.part")].map((part) => Number(part.getAttribute("height")));
    return bars.map(heights);
  });
}

export async function catalogSize(page) {
  return Number((await page.locator(".tally").innerText()).replace(/\D/g, ""));
}

/** Texts whose contrast with what lies behind them is below 4.5 to 1 (3 to 1 for large ones). */
export async function faintTexts(page) {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (colour) => {
      const [r, g, b] = colour.map((value) => {
        const share = value / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = rgba(getComputedStyle(at).backgroundColor);
        if (colour[3] === 255) return colour;
      }
      return [255, 255, 255, 255];
    };
    const faint = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (!texts.currentNode.textContent.trim() || !element?.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const colour = rgba(element instanceof SVGElement ? style.fill : style.color);
      const [light, dark] = [luminance(colour), luminance(ground(element))].sort((a, b) => b - a);
      const large = parseFloat(style.fontSize) >= 24;
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < (large ? 3 : 4.5)) {
        const text = texts.currentNode.textContent.trim().slice(0, 40);
        faint.add(`${contrast.toFixed(2)} ${element.tagName}.${element.getAttribute("class")}: ${text}`);
      }
    }
    return [...faint];
  });
}
