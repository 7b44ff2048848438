import { catalog, run, text, type } from "../app/state.ts";
import { LONGEST } from "../model/link.ts";

/** What stands in the box first. It shares no word with its tool. */
export const REQUEST = "report that the login page is broken";

/** Others to try; the last one asks for what no tool of the page does. */
const OTHERS = [
  "catch up on what people said yesterday",
  "the new release is broken, go back",
  "note that Ada prefers tea",
  "book a flight to Lisbon",
];

/** The box: typing searches, Enter plays. */
export function Ask() {
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <label for="request">What should the agent do?</label>
      <div class="box">
        <input
          id="request"
          type="text"
          autocomplete="off"
          enterkeyhint="go"
          maxLength={LONGEST}
          value={text.value}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <button type="submit">
          Run <kbd aria-hidden="true">↵</kbd>
        </button>
      </div>
      {!catalog.value.own && (
        <ul class="chips" aria-label="Requests to try">
          {OTHERS.map((request) => (
            <li key={request}>
              <button type="button" class="chip" aria-pressed={request === text.value} onClick={() => void run(request)}>
                {request}
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
