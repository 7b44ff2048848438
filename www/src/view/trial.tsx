/** The results of the trial in lab/REPORT.md, "What came out": means of 27 tasks. */
const ROWS = [
  {
    what: "Every tool in every request",
    called: "99 %",
    requests: "3.2",
    tokens: "372,198",
    priced: "143,620",
    warm: "38,660",
  },
  { what: "AI SDK’s toolSearch", called: "99 %", requests: "4.6", tokens: "25,311", priced: "13,538", warm: "13,350" },
  { what: "toolsift, with packs", called: "99 %", requests: "4.5", tokens: "6,929", priced: "4,682", warm: "4,158" },
];

export function Trial() {
  return (
    <section class="band" aria-labelledby="trial">
      <h2 id="trial">Does it work with a real model?</h2>
      <p class="lede">
        A large language model worked through 30 tasks in November 2026, with 500 tools of some 35 servers. It called the
        tools that it needed just as often, for a thirtieth of the price.
      </p>
      <div class="table" tabIndex={0} role="region" aria-label="Figures of the trial">
        <table>
          <thead>
            <tr>
              <th scope="col">What the model was given</th>
              <th scope="col">needed tools called</th>
              <th scope="col">requests a task</th>
              <th scope="col">tokens sent a task</th>
              <th scope="col">price, empty cache</th>
              <th scope="col">price, warm cache</th>
            </tr>
          </thead>
          <tbody>
            {ROWS.map(({ what, ...figures }, row) => (
              <tr key={what} class={row === ROWS.length - 1 ? "ours" : ""}>
                <th scope="row">{what}</th>
                {Object.entries(figures).map(([name, value]) => (
                  <td key={name}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul class="costs">
        <li>
          <b>What it costs:</b> 1.3 more requests a task, 4.5 instead of 3.2, for searching.
        </li>
        <li>
          <b>With a prompt cache</b> that already holds the full list, toolsift is nine times cheaper, not thirty.
        </li>
        <li>
          <b>OpenAI takes at most 128 tools</b> in a request. With more tools, you cannot send them all.
        </li>
      </ul>
      <p class="hint">
        Prices are in tokens of new input: a cached token counts as a tenth, an output token as five. Means over the 27 tasks
        that need a tool. One model, run by hand and started afresh for each row. No tool was executed: each answered with a
        placeholder. Packs hold what people say when they need a tool; they come with toolsift.
      </p>
    </section>
  );
}
