/** Draws a card on a canvas: the map of all tools, and what is sent of them. The same card gives the same picture everywhere. */
import { type Card, heaviestOf } from "../../model/card.ts";
import { count, dollars, percent } from "../../model/numbers.ts";
import { COLOURS, PICTURE } from "../../model/picture.ts";
import { treemap } from "../../model/treemap.ts";

const SANS = "Geist, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

export function drawCard(canvas: HTMLCanvasElement, card: Card): void {
  canvas.width = PICTURE.width;
  canvas.height = PICTURE.height;
  const context = canvas.getContext("2d");
  if (context === null) return;
  const text = (words: string, x: number, y: number, font: string, colour: string, room?: number) => {
    context.font = `${font} ${SANS}`;
    context.fillStyle = colour;
    context.fillText(words, x, y, room);
  };
  context.fillStyle = COLOURS.ground;
  context.fillRect(0, 0, PICTURE.width, PICTURE.height);
  const area = { x: 600, y: 40, width: 560, height: 550 };
  const rects = treemap(
    card.servers.map(({ tools }) => tools.reduce((all, one) => all + one, 0)),
    area,
  );
  context.fillStyle = COLOURS.block;
  for (const [index, { tools }] of card.servers.entries()) {
    const rect = rects[index];
    if (rect === undefined) continue;
    const inner = { x: rect.x + 2, y: rect.y + 2, width: Math.max(0, rect.width - 4), height: Math.max(0, rect.height - 4) };
    for (const { x, y, width, height } of treemap(tools, inner)) {
      context.fillRect(x, y, Math.max(0.5, width - 1), Math.max(0.5, height - 1));
    }
  }
  // What is sent, in the scale of the map: it fills as much of it from below.
  const share = card.full > 0 ? Math.min(1, card.request / card.full) : 0;
  context.fillStyle = COLOURS.sent;
  context.fillRect(area.x, area.y + area.height * (1 - share), area.width, Math.max(3, area.height * share));

  text("toolsift", 56, 92, "700 34px", COLOURS.soft);
  text(count(card.full), 56, 228, "740 104px", COLOURS.ink, 510);
  text("tokens of tools, in every request", 56, 268, "400 26px", COLOURS.soft, 510);
  text(`→ ${count(card.request)}`, 56, 388, "740 104px", COLOURS.sent, 510);
  text("tokens with tool search", 56, 428, "400 26px", COLOURS.soft, 510);
  const lines = [];
  if (card.price) {
    const { ours, full } = card.price;
    const by = full === 0 ? "" : ours <= full ? `, ${percent(1 - ours / full)} less` : `, ${percent(ours / full - 1)} more`;
    lines.push(`conversation: ${dollars(full)} → ${dollars(ours)}${by}`);
  }
  const heaviest = heaviestOf(card);
  if (heaviest) lines.push(`heaviest server: ${heaviest.name}, ${percent(heaviest.share)}`);
  if (card.grade) lines.push(`definitions: grade ${card.grade}`);
  for (const [index, line] of lines.entries()) text(line, 56, 496 + 40 * index, "500 26px", COLOURS.ink, 510);
}
