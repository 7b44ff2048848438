/** Formats tables as text, and numbers with their units. */

import { colours } from "./print.js";

/** One column: its heading, and whether it holds numbers. */
export interface Column {
  title: string;
  isNumber?: boolean;
}

/** Returns a table with a line of headings. Numbers are aligned right. The caller must escape foreign text in cells. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, at) => Math.max(lengthOf(title), ...rows.map((row) => lengthOf(row[at] ?? ""))));
  const line = (cells: readonly string[]) => {
    const padded = columns.map(({ isNumber }, at) => pad(cells[at] ?? "", widths[at]!, isNumber === true));
    return padded.join("  ").trimEnd();
  };
  return [colours.bold(line(columns.map(({ title }) => title))), ...rows.map(line)].join("\n");
}

function pad(cell: string, width: number, isNumber: boolean): string {
  const space = " ".repeat(Math.max(0, width - lengthOf(cell)));
  return isNumber ? `${space}${cell}` : `${cell}${space}`;
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** Formats a number, such as `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Formats a share from 0 to 1, such as `12.3 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Formats a number with its noun, such as `1 tool` or `2 tools`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}
