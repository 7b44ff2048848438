/** Findings of the doctor by their cause: what is to be done about them is the same. */
import type { Told } from "../core/workshop.ts";

export interface Cause {
  /** For an address: the check, and the beginning of the advice. */
  id: string;
  level: Told["level"];
  title: string;
  advice: string;
  findings: Told[];
  /** How many tools are named. */
  tools: number;
  servers: string[];
}

/** The causes in the order of the findings, the gravest first; of those of a level, what most tools have. */
export function causesOf(findings: readonly Told[]): Cause[] {
  const byCause = new Map<string, Told[]>();
  for (const finding of findings) {
    // Advice names tools: what is said of another tool is the same cause.
    const said = finding.advice.replaceAll(/"[^"]*"/g, "");
    const id = `${finding.check} ${finding.level} ${said.split(/\s+/).slice(0, 6).join(" ")}`
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, "-");
    const own = byCause.get(id);
    if (own) own.push(finding);
    else byCause.set(id, [finding]);
  }
  const causes = [...byCause].map(([id, own]): Cause => {
    const { level, title, advice } = own[0] as Told;
    const tools = new Set(own.flatMap((finding) => finding.tools.map((tool) => `${finding.server}\n${tool}`)));
    const servers = new Set(own.map(({ server }) => server).filter((server) => server !== null));
    return { id, level, title, advice, findings: own, tools: tools.size, servers: [...servers] };
  });
  const levels = [...new Set(findings.map(({ level }) => level))];
  return causes.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level) || b.tools - a.tools);
}
