import { catalog, run, text, type } from "../app/state.ts";
import { LONGEST } from "../model/link.ts";

/** The first request in the input field. It has no word in common with its tool. */
export const REQUEST = "report that the login page is broken";

/** Other requests to try. No tool of the page fits the last one. */
const OTHERS = [
  "catch up on what people said yesterday",
  "the new release is broken, go back",
  "note that Ada prefers tea",
  "book a flight to Lisbon",
];

/** The input field: typing searches, Enter plays the request. */
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
