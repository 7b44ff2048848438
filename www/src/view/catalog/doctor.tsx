import { proxy } from "comlink";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import type { Diagnosis, Told } from "../../core/workshop.ts";
import { gradeOf } from "../../model/card.ts";
import { causesOf, type Cause } from "../../model/causes.ts";
import { count, plural } from "../../model/numbers.ts";
import { CopyButton } from "../lib/copy-button.tsx";
import { saveFile } from "../lib/save-file.ts";
import { VirtualList } from "../lib/virtual-list.tsx";

type Level = Told["level"];

const LEVELS: Record<Level, { one: string; meaning: string }> = {
  error: { one: "error", meaning: "A vendor refuses the whole request." },
  warning: { one: "warning", meaning: "The model is misled, or does not find the tool." },
  note: { one: "note", meaning: "It could be better." },
};

/** What is wrong with the tools, and what to do about it. */
export function Doctor({ onTool }: { onTool: (name: string) => void }) {
  const store = useStore();
  const { edition, tools } = store.snapshot;
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const [progress, setProgress] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  useLayoutEffect(() => {
    let wanted = true;
    setDiagnosis(null);
    setProblem(null);
    const told = proxy((text: string) => wanted && setProgress(text));
    store.core
      .workshop()
      .examine(told)
      .then((made) => {
        if (!wanted) return;
        setDiagnosis(made);
        store.say(`The doctor has ${plural(made.findings.length, "finding")}.`);
      })
      .catch((error: unknown) => wanted && setProblem(error instanceof Error ? error.message : String(error)));
    return () => void (wanted = false);
  }, [edition]);
  return (
    <section class="card doctor" aria-label="Findings of the doctor">
      {problem && <p class="problem">{problem}</p>}
      {!diagnosis && !problem && (
        <p class="hint" role="status">
          The doctor examines {plural(tools.length, "tool")} … {progress}
        </p>
      )}
      {diagnosis && <Findings diagnosis={diagnosis} onTool={onTool} />}
    </section>
  );
}

function Findings({ diagnosis, onTool }: { diagnosis: Diagnosis; onTool: (name: string) => void }) {
  const store = useStore();
  const { tools, sources } = store.snapshot;
  const { findings, markdown, json } = diagnosis;
  const [level, setLevel] = useState<Level | "all">("all");
  const [only, setOnly] = useState<string | null>(null);
  const examined = useMemo(() => findings.filter(({ server }) => only === null || server === only), [findings, only]);
  const of = (one: Level | "all") => examined.filter((finding) => one === "all" || finding.level === one);
  const shown = of(level);
  const causes = useMemo(() => causesOf(shown), [examined, level]);
  const { at } = store.place;
  const rows = causes.flatMap((cause): Row[] => [
    { cause, finding: null },
    ...(cause.id === at ? cause.findings.map((finding) => ({ cause, finding })) : []),
  ]);
  const nameOf = useMemo(() => {
    const names = new Map(tools.map(({ name, server, originalName }) => [`${server}\n${originalName}`, name]));
    return ({ server, tools: own }: Told) => (own.length === 1 ? (names.get(`${server}\n${own[0]}`) ?? null) : null);
  }, [tools]);
  const grades = useMemo(() => {
    const own = (server: string) => findings.filter((finding) => finding.server === server);
    const graded = sources.map(({ server, registered }) => ({ server, grade: gradeOf(own(server), registered) }));
    return graded.toSorted((a, b) => b.grade.localeCompare(a.grade));
  }, [sources, findings]);
  return (
    <>
      <div class="doctor-head">
        <div class="segments" role="radiogroup" aria-label="Level of the findings">
          {(["all", "error", "warning", "note"] as const).map((one) => (
            <label key={one} class="segment" title={one === "all" ? undefined : LEVELS[one].meaning}>
              <input type="radio" name="level" checked={level === one} onChange={() => setLevel(one)} />
              <span>{one === "all" ? `All ${count(of(one).length)}` : plural(of(one).length, LEVELS[one].one)}</span>
            </label>
          ))}
        </div>
        <div class="actions export">
          <CopyButton text={() => markdown} label="Copy all findings as Markdown" />
          <button
            type="button"
            class="button small"
            onClick={() => saveFile("toolsift-doctor.md", markdown, "text/markdown")}
          >
            Markdown
          </button>
          <button
            type="button"
            class="button small"
            onClick={() => saveFile("toolsift-doctor.json", json, "application/json")}
          >
            JSON
          </button>
        </div>
      </div>
      <div class="grades" role="group" aria-label="Grade of each server">
        {grades.map(({ server, grade }) => (
          <button
            key={server}
            type="button"
            class="grade"
            aria-pressed={only === server}
            title={`Only ${server}`}
            onClick={() => setOnly(only === server ? null : server)}
          >
            <b class={`grade-${grade}`}>{grade}</b> {server}
          </button>
        ))}
      </div>
      <p class="hint">
        A grade is the share of a server’s tools with an error or a warning: A none, B below 5&nbsp;%, C below 20&nbsp;%, D
        below 50&nbsp;%.
      </p>
      {findings.length === 0 && <p class="good">Nothing found by these checks.</p>}
      {findings.length > 0 && shown.length === 0 && <p class="hint">No finding of this kind.</p>}
      <VirtualList
        label="Findings by cause"
        class="findings"
        items={rows}
        keyOf={({ cause, finding }) => (finding ? `${finding.subject} ${finding.message}` : cause.id)}
        estimate={({ finding }) => (finding ? 52 : 74)}
        row={({ cause, finding }) =>
          finding ? (
            <FindingRow finding={finding} name={nameOf(finding)} onTool={onTool} />
          ) : (
            <CauseRow
              cause={cause}
              open={cause.id === at}
              onToggle={() => store.showPart({ at: cause.id === at ? "" : cause.id })}
            />
          )
        }
      />
    </>
  );
}

/** A cause, or below an open one a finding of it. */
interface Row {
  cause: Cause;
  finding: Told | null;
}

function CauseRow({ cause, open, onToggle }: { cause: Cause; open: boolean; onToggle: () => void }) {
  const { level, title, advice, findings, tools, servers } = cause;
  const fix = findings.find((finding) => finding.fix !== null)?.fix;
  const where = servers.length === 1 ? servers[0] : plural(servers.length, "server");
  const of = [tools > 0 && plural(tools, "tool"), servers.length > 0 && where].filter(Boolean).join(", ");
  return (
    <article class={`cause ${level}`} data-cause={cause.id}>
      <button type="button" class="cause-head" data-row-button aria-expanded={open} onClick={onToggle}>
        <span class={`level ${level}`}>
          {findings.length === 1 ? LEVELS[level].one : plural(findings.length, LEVELS[level].one)}
        </span>
        <b>{findings.length === 1 ? findings[0]?.message : title}</b>
        <span class="hint">{of || "all servers together"}</span>
      </button>
      <p class="advice">{advice}</p>
      {fix && (
        <p class="fix">
          <span class="visually-hidden">before</span> <del class="mono">{fix.before}</del>{" "}
          <span class="visually-hidden">after</span> <ins class="mono">{fix.after}</ins>{" "}
          <span class="hint">examined again: nothing is left of it</span>
        </p>
      )}
    </article>
  );
}

function FindingRow({ finding, name, onTool }: { finding: Told; name: string | null; onTool: (name: string) => void }) {
  const { subject, message } = finding;
  return (
    <p class="finding" data-check={finding.check}>
      {name === null ? (
        <b class="mono">{subject}</b>
      ) : (
        <button type="button" class="link mono" data-row-button title="Show the tool" onClick={() => onTool(name)}>
          {subject}
        </button>
      )}{" "}
      {message}.
    </p>
  );
}
