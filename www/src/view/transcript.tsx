import type { Outcome } from "toolsift";
import type { Exchange } from "../model/conversation.ts";
import { pretty } from "../model/json.ts";
import type { Lab } from "../model/lab.ts";
import { plural, signed, tokensOf } from "../model/numbers.ts";
import { CopyButton } from "./copy-button.tsx";
import { JsonView } from "./json-view.tsx";

/** Earlier calls past these are in the table of turns, without their answers. */
const SHOWN = 30;

/** Every call and what the model gets for it, to the letter; the newest first and open. */
export function Transcript({ lab }: { lab: Lab }) {
  const exchanges = lab.current.exchanges.slice(-SHOWN).reverse();
  return (
    <div class="transcript">
      <h3>What the model gets back</h3>
      {exchanges.length === 0 && <p class="hint">Nothing yet: call a tool, or take one of the queries to try.</p>}
      <ol reversed>
        {exchanges.map((exchange, index) => (
          <li key={exchange.turn}>
            <ExchangeView exchange={exchange} open={index === 0} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function ExchangeView({ exchange, open }: { exchange: Exchange; open: boolean }) {
  const { outcome, turn, tool, args } = exchange;
  const answer = answerOf(outcome);
  const unwrapped = outcome.kind === "dispatch" && outcome.modelName !== tool;
  const change = exchange.after - exchange.before;
  return (
    <details class="exchange" open={open}>
      <summary>
        <span class="exchange-turn">{turn}</span>
        <code class="exchange-call">
          {tool}({JSON.stringify(args)})
        </code>
        <span class={`verdict ${verdictOf(outcome)}`}>
          {VERDICTS[verdictOf(outcome)]}
          {unwrapped && ` ${outcome.name}`}
        </span>
        <span class="cost">
          {change === 0 ? "unchanged" : `${signed(change)} tokens`}
        </span>
      </summary>
      <div class="answer">
        <div class="answer-head">
          <p class="hint">{noteOf(tool, outcome)}</p>
          <CopyButton text={() => answer} label={`Copy the answer to ${tool}`} />
        </div>
        <JsonView text={answer} label={`Answer to ${tool}`} />
      </div>
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
      return `To the letter, as the content of the tool’s answer, ${plural(tokensOf(outcome.content), "token")}:`;
    case "refused":
      return `Not run. The model is told (${outcome.error.code}):`;
    case "dispatch":
      if (outcome.modelName !== tool) return `Unwrapped from ${tool}: the host sees the real tool only. It gets:`;
      return "A real tool, and it may run. The host gets:";
  }
}
