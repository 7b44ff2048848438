import { proxy } from "comlink";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import type { Diagnosis, Told } from "../../core/workshop.ts";
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
  useEffect(() => {
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
  const { tools } = useStore().snapshot;
  const { findings, markdown, json } = diagnosis;
  const [level, setLevel] = useState<Level | "all">("all");
  const [check, setCheck] = useState("all");
  const checks = useMemo(() => [...new Map(findings.map((one) => [one.check, one.title]))], [findings]);
  const shown = useMemo(
    () => findings.filter((one) => (level === "all" || one.level === level) && (check === "all" || one.check === check)),
    [findings, level, check],
  );
  const nameOf = useMemo(() => {
    const names = new Map(tools.map(({ name, server, originalName }) => [`${server}\n${originalName}`, name]));
    return ({ server, tools: own }: Told) => (own.length === 1 ? (names.get(`${server}\n${own[0]}`) ?? null) : null);
  }, [tools]);
  const of = (one: Level) => findings.filter((finding) => finding.level === one).length;
  return (
    <>
      <div class="doctor-head">
        <div class="segments" role="radiogroup" aria-label="Level of the findings">
          {(["all", "error", "warning", "note"] as const).map((one) => (
            <label key={one} class="segment" title={one === "all" ? undefined : LEVELS[one].meaning}>
              <input type="radio" name="level" checked={level === one} onChange={() => setLevel(one)} />
              <span>{one === "all" ? `All ${count(findings.length)}` : plural(of(one), LEVELS[one].one)}</span>
            </label>
          ))}
        </div>
        <label class="inline-field">
          <span>Check</span>
          <select value={check} onChange={(event) => setCheck(event.currentTarget.value)}>
            <option value="all">every check</option>
            {checks.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
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
      {findings.length === 0 && <p class="good">Nothing found: these tools can be found, told apart and sent.</p>}
      {findings.length > 0 && shown.length === 0 && <p class="hint">No finding of this kind.</p>}
      <VirtualList
        label="Findings"
        class="findings"
        items={shown}
        keyOf={(one) => `${one.check} ${one.subject} ${one.message}`}
        estimate={() => 74}
        row={(one) => <FindingRow finding={one} name={nameOf(one)} onTool={onTool} />}
      />
    </>
  );
}

function FindingRow({ finding, name, onTool }: { finding: Told; name: string | null; onTool: (name: string) => void }) {
  const { level, title, subject, message, advice } = finding;
  return (
    <article class={`finding ${level}`} data-check={finding.check}>
      <p class="finding-head">
        <span class={`level ${level}`}>{LEVELS[level].one}</span>
        {name === null ? (
          <b class="mono">{subject}</b>
        ) : (
          <button type="button" class="link mono" data-row-button title="Show the tool" onClick={() => onTool(name)}>
            {subject}
          </button>
        )}
        <span class="hint">{title}</span>
      </p>
      <p class="finding-text">{message}.</p>
      <p class="advice">{advice}</p>
    </article>
  );
}
