/** Prints a row for every runtime as a Markdown table. */

const HEAD = ["runtime", "version", "loader", "same answers", "cold start", "code, gzip"];

const cells = ({ runtime, version, loader, ok, cold, bytes }) => [
  runtime,
  version ?? "",
  loader,
  ok ? "yes" : "NO",
  cold === null ? "" : `${Math.round(cold)} ms`,
  bytes === null ? "" : `${Math.round(bytes / 1000)} KB`,
];

/** Returns the table, with numbers aligned on the right. */
export function table(rows) {
  const all = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const isNumber = (column) => column >= 4;
  const pad = (text, column) => (isNumber(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]));
  const line = (row) => `| ${row.map(pad).join(" | ")} |`;
  const rule = widths.map((width, column) => (isNumber(column) ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2)));
  return [line(HEAD), `|${rule.join("|")}|`, ...rows.map(cells).map(line)].join("\n");
}
