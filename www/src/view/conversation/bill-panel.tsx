import { Fragment } from "preact";
import { useStore } from "../../app/use-store.ts";
import { type Bill, billOf, fullBillOf, spanText } from "../../model/bill.ts";
import { cheaperSurface } from "../../model/cheaper-surface.ts";
import { IN_FULL } from "../../model/labels.ts";
import { count, dollars, percent } from "../../model/numbers.ts";
import { CONSTANT, useRuns } from "../compare/use-runs.ts";
import { WithCode } from "../lib/with-code.tsx";
import { PriceSource, PricesForm } from "./prices-form.tsx";

interface Props {
  turn: number;
  onTurn: (turn: number) => void;
}

/** What the conversation costs, request by request and in total, against everything in full. */
export function BillPanel({ turn, onTurn }: Props) {
  const store = useStore();
  const { current, inForce } = store.snapshot;
  const { turns, script, excluded } = current;
  // Sessions of the bench see every server.
  const variants =
    script.length > 0 && excluded.length === 0 ? [{ name: "constant", settings: inForce, more: CONSTANT }] : [];
  const constant = useRuns(store, script, variants).get("constant");
  const cheaper = constant && "turns" in constant ? cheaperSurface(turns, constant.turns, store.prices) : null;
  const [ours, full] = [billOf(turns, store.prices), fullBillOf(turns, store.prices)];
  const fullOf = new Map(full.rows.map((row) => [row.turn, row]));
  return (
    <div class="bill">
      <p class="bill-span">{spanText(turns)}</p>
      <table class="bill-total">
        <caption class="visually-hidden">All of it, with tool search and with {IN_FULL}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Requests</th>
            <th scope="col">Input</th>
            <th scope="col">Cached</th>
            <th scope="col">Output</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          <Total name="with tool search" bill={ours} />
          <Total name={IN_FULL} bill={full} />
        </tbody>
      </table>
      <PriceSource />
      {cheaper !== null && (
        <p class="hint" data-testid="cheaper-surface">
          <WithCode text={cheaper} />
        </p>
      )}
      <div class="bill-rows" tabIndex={0} role="region" aria-label="The bill, request by request">
        <table>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col" class="does">
                Call
              </th>
              <th scope="col">Price</th>
              <th scope="col">All tools</th>
              <th scope="col">Input</th>
              <th scope="col">Cached</th>
              <th scope="col">Output</th>
            </tr>
          </thead>
          <tbody>
            {ours.rows.map((row, index) => {
              const does = turns[index]?.does;
              const other = fullOf.get(row.turn);
              return (
                <tr key={row.turn} data-bill={row.turn} class={row.turn === turn ? "chosen" : ""}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => onTurn(row.turn)}>
                      {row.turn}
                    </button>
                  </th>
                  <td class="mono does">
                    {does === null || does === "answer" || !does ? "answers" : <Breakable name={does.tool} />}
                  </td>
                  <td data-cell="price">{dollars(row.price)}</td>
                  <td data-cell="full" title={other ? undefined : "Nobody needs this search where every tool is sent"}>
                    {other ? dollars(other.price) : "–"}
                  </td>
                  <td data-cell="input">{count(row.input)}</td>
                  <td data-cell="cached">{count(row.cached)}</td>
                  <td data-cell="output">{count(row.output)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <PricesForm />
    </div>
  );
}

/** A name that may be broken after its underscores. */
function Breakable({ name }: { name: string }) {
  return (
    <>
      {name.split(/(?<=_)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}

function Total({ name, bill }: { name: string; bill: Bill }) {
  return (
    <tr data-total={name}>
      <th scope="row" class="bill-name">
        {name}
      </th>
      <td>{count(bill.requests)}</td>
      <td>{count(bill.input)}</td>
      <td>{bill.input > 0 ? percent(bill.cached / bill.input) : "–"}</td>
      <td>{count(bill.output)}</td>
      <td class="strong">{dollars(bill.price)}</td>
    </tr>
  );
}
