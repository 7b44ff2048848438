/** What stands on the page, as numbers and texts. */

/** The requests of the conversation. */
export async function turnsOf(page) {
  return page.locator(".turn").evaluateAll((rows) =>
    rows.map((row) => {
      const number = (name) => Number(row.querySelector(`[data-cell=${name}]`)?.textContent.replace(/\D/g, ""));
      return { after: row.dataset.after, tools: number("tools"), tokens: number("tokens"), full: number("full") };
    }),
  );
}

/** The bill, request by request, in tokens. */
export async function billOf(page) {
  return page.locator("[data-bill]").evaluateAll((rows) =>
    rows.map((row) => {
      const text = (name) => row.querySelector(`[data-cell=${name}]`).textContent;
      const number = (name) => Number(text(name).replace(/\D/g, ""));
      return { input: number("input"), cached: number("cached"), output: number("output"), price: text("price") };
    }),
  );
}

export async function catalogSize(page) {
  return Number((await page.locator("[data-menu=catalog] .menu-main").innerText()).replace(/\D/g, ""));
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
    /** The shape of a picture that a text of it stands on. */
    const shape = (text) => {
      const { x, y, width, height } = text.getBBox();
      const middle = new DOMPoint(x + width / 2, y + height / 2);
      const shapes = [...text.ownerSVGElement.querySelectorAll("path.cell, rect.cell")];
      return shapes.findLast((one) => getComputedStyle(one).fill !== "none" && one.isPointInFill(middle));
    };
    const faint = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (!texts.currentNode.textContent.trim() || !element?.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const drawn = element instanceof SVGElement;
      const below = drawn ? shape(element.closest("text")) : undefined;
      const colour = rgba(drawn ? style.fill : style.color);
      const behind = below ? rgba(getComputedStyle(below).fill) : ground(element);
      const [light, dark] = [luminance(colour), luminance(behind)].sort((a, b) => b - a);
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
