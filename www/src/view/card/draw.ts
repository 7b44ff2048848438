/** Draws shapes on a canvas. */
import { PICTURE, type Shape } from "../../model/picture.ts";

const SANS = "Geist, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

export function draw(canvas: HTMLCanvasElement, shapes: readonly Shape[]): void {
  canvas.width = PICTURE.width;
  canvas.height = PICTURE.height;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.setLineDash([5, 5]);
  for (const shape of shapes) {
    if (shape.kind === "area") {
      context.fillStyle = shape.fill;
      context.fill(new Path2D(shape.path));
    } else if (shape.kind === "outline") {
      context.strokeStyle = shape.stroke;
      context.stroke(new Path2D(shape.path));
    } else {
      context.font = `${shape.weight} ${shape.size}px ${SANS}`;
      context.fillStyle = shape.fill;
      context.textAlign = shape.align;
      context.fillText(shape.text, shape.x, shape.y);
    }
  }
}
