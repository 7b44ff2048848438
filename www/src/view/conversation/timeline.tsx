import { useState } from "preact/hooks";
import type { Outcome } from "toolsift";
import { useStore } from "../../app/use-store.ts";
import type { Exchange, Turn } from "../../core/types.ts";
import { requestName } from "../../model/bill.ts";
import { pretty } from "../../model/json.ts";
import { count, plural, signed } from "../../model/numbers.ts";
import { CopyButton } from "../lib/copy-button.tsx";
import { JsonView } from "../lib/json-view.tsx";

interface Props {
  turn: number;
  onTurn: (turn: number) => void;
}

/** Every request and what the model did with it, oldest first. */
export function Timeline({ turn, onTurn }: Props) {
  const { turns, skipped } = useStore().snapshot.current;
  return (
    <>
      <ol class="timeline" aria-label="Requests and calls, oldest first">
        {turns.map((row, index) => (
          <TurnView
            key={row.number}
            row={row}
            before={turns[index - 1] ?? null}
            chosen={row.number === turn}
            onTurn={onTurn}
          />
        ))}
      </ol>
      {skipped.length > 0 && (
        <details class="skipped">
          <summary>{plural(skipped.length, "step")} of the script needed no call</summary>
          <ul>
            {skipped.map(({ step, why }) => (
              <li key={step} class="hint">
                Step {step + 1}: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface TurnProps extends Pick<Props, "onTurn"> {
  row: Turn;
  before: Turn | null;
  chosen: boolean;
}

function TurnView({ row, before, chosen, onTurn }: TurnProps) {
  const { does, number, said, size, change, words } = row;
  const changed = before === null ? 0 : size.request.tokens - before.size.request.tokens;
  return (
    <li
      class={`turn ${chosen ? "chosen" : ""}`}
      data-turn={number}
      data-after={row.after ?? (number === 1 ? "start" : "user")}
    >
      {said !== null && (
        <p class="said">
          <b>User</b> {said}
        </p>
      )}
      <button type="button" class="turn-head" aria-pressed={chosen} onClick={() => onTurn(number)}>
        <span class="turn-number">{requestName(row)}</span>
        <span class="cost">
          <span data-cell="tools">{count(size.request.tools)}</span>
          {size.request.tools === 1 ? " tool, " : " tools, "}
          <span data-cell="tokens">{count(size.request.tokens)}</span> tokens instead of{" "}
          <span data-cell="full">{count(size.full.tokens)}</span>
          {changed !== 0 && <b class={changed > 0 ? "more" : "less"}> {signed(changed)}</b>}
        </span>
        {change.added.length > 0 && <span class="tag new">{plural(change.added.length, "new tool")}</span>}
        {change.rewritten.length > 0 && <span class="tag new">{change.rewritten.length} rewritten</span>}
      </button>
      {does === "answer" && words === null && <p class="answered">The model answers the user.</p>}
      {words !== null && (
        <p class="said">
          <b>Model</b> {words}
        </p>
      )}
      {does !== null && does !== "answer" && <ExchangeView key={does.tool} exchange={does} />}
      {does === null && number > 1 && <p class="answered quiet">The model has not answered yet.</p>}
    </li>
  );
}

function ExchangeView({ exchange }: { exchange: Exchange }) {
  const { outcome, tool, args } = exchange;
  const [open, setOpen] = useState(false);
  const answer = answerOf(outcome);
  const unwrapped = outcome.kind === "dispatch" && outcome.modelName !== tool;
  return (
    <details class="exchange" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code class="exchange-call">
          {tool}({JSON.stringify(args)})
        </code>
        <span class={`verdict ${verdictOf(outcome)}`}>
          {VERDICTS[verdictOf(outcome)]}
          {unwrapped && ` ${outcome.name}`}
        </span>
        <span class="cost" data-cell="answer">
          {exchange.answerTokens === null ? "the host’s result" : `${count(exchange.answerTokens)} tokens of answer`}
        </span>
      </summary>
      {open && (
        <div class="answer">
          <div class="answer-head">
            <p class="hint">{noteOf(tool, outcome)}</p>
            <CopyButton text={() => answer} label={`Copy the answer to ${tool}`} />
          </div>
          <JsonView text={answer} label={`Answer to ${tool}`} />
        </div>
      )}
    </details>
  );
}

type Verdict = "result" | "wrong" | "dispatch" | "refused";

const VERDICTS: Record<Verdict, string> = {
  result: "answered",
  wrong: "wrong call",
  dispatch: "runs",
  refused: "refused",
};

function verdictOf(outcome: Outcome): Verdict {
  return outcome.kind === "result" && outcome.isError ? "wrong" : outcome.kind;
}

function answerOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case "result":
      return outcome.content;
    case "refused":
      return outcome.error.message;
    case "dispatch":
      return pretty({ server: outcome.server, name: outcome.name, arguments: outcome.arguments });
  }
}

function noteOf(tool: string, outcome: Outcome): string {
  switch (outcome.kind) {
    case "result":
      if (outcome.errorCode !== null) return `A wrong call (${outcome.errorCode}). The answer, to the letter:`;
      return "The answer that the model reads, to the letter:";
    case "refused":
      return `Not run. The model is told (${outcome.error.code}):`;
    case "dispatch":
      if (outcome.modelName !== tool) return `Unwrapped from ${tool}: the host sees the real tool only. It gets:`;
      return "A real tool, and it may run. The host gets:";
  }
}
