import { failure } from "../app/state.ts";
import { Ask } from "./ask.tsx";
import { Bar } from "./bar.tsx";
import { Bring } from "./bring.tsx";
import { Headline, Numbers } from "./headline.tsx";
import { ToolMap } from "./tool-map.tsx";
import { Timeline } from "./timeline.tsx";
import { Trial } from "./trial.tsx";
import { UseIt } from "./use-it.tsx";

/** The page, from the headline to the code. */
export function App() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Bar />
      <main id="main" tabIndex={-1}>
        <section class="hero" aria-labelledby="claim">
          <div class="intro">
            <Headline />
            <Numbers />
          </div>
          <Ask />
          <ToolMap />
          <Bring />
        </section>
        {failure.value !== null && (
          <p class="problem" role="alert">
            Something went wrong: {failure.value}. Load the page again.
          </p>
        )}
        <Timeline />
        <Trial />
        <UseIt />
      </main>
      <footer>
        <p>
          Everything here runs in your browser: no model, no server, nothing is sent anywhere. Tokens are estimated as
          characters ÷ 4.
        </p>
      </footer>
    </>
  );
}
