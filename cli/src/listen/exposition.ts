/** Counters, histograms and gauges, and their text in the format of Prometheus. */

/** The labels of a series: names and values, in the order of the output. */
export type Labels = Readonly<Record<string, string>>;

/** A number that only grows, one for each set of labels. */
export class Counter {
  readonly #about: readonly string[];
  readonly #name: string;
  readonly #values = new Map<string, number>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#about = about(name, help, "counter");
  }

  add(value = 1, labels: Labels = {}): void {
    const key = inBraces(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + value);
  }

  get lines(): string[] {
    return [...this.#about, ...[...this.#values].map(([labels, value]) => `${this.#name}${labels} ${value}`)];
  }
}

/** A distribution of times in seconds, one for each set of labels. */
export class Histogram {
  readonly #about: readonly string[];
  readonly #name: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();

  /** @param bounds the upper bounds of the buckets in seconds, in ascending order */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#bounds = bounds;
    this.#about = about(name, help, "histogram");
  }

  /** Adds a series with zero counts, so that it appears before its first time is recorded. */
  begin(labels: Labels = {}): { counts: number[]; sum: number; count: number } {
    const key = inBraces(labels);
    const series = this.#series.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(key, series);
    return series;
  }

  take(seconds: number, labels: Labels = {}): void {
    const series = this.begin(labels);
    for (const [at, bound] of this.#bounds.entries()) if (seconds <= bound) series.counts[at]! += 1;
    series.sum += seconds;
    series.count += 1;
  }

  get lines(): string[] {
    const lines = [...this.#series.values()].flatMap(({ labels, counts, sum, count }) => [
      ...this.#bounds.map((bound, at) => `${this.#name}_bucket${inBraces({ ...labels, le: String(bound) })} ${counts[at]}`),
      `${this.#name}_bucket${inBraces({ ...labels, le: "+Inf" })} ${count}`,
      `${this.#name}_sum${inBraces(labels)} ${sum}`,
      `${this.#name}_count${inBraces(labels)} ${count}`,
    ]);
    return [...this.#about, ...lines];
  }
}

/** Returns the lines of a gauge: current values, one for each set of labels. */
export function gauge(name: string, help: string, values: readonly (readonly [Labels, number])[]): string[] {
  return [...about(name, help, "gauge"), ...values.map(([labels, value]) => `${name}${inBraces(labels)} ${value}`)];
}

/** Returns the HTTP response with these lines of metrics. */
export function exposed(lines: readonly string[]): Response {
  const headers = { "content-type": "text/plain; version=0.0.4", "cache-control": "no-store" };
  return new Response(`${lines.join("\n")}\n`, { headers });
}

const about = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];

function inBraces(labels: Labels): string {
  const written = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${written(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
