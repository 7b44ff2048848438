import { useState } from "preact/hooks";
import { catalog, taken } from "../app/state.ts";
import { CLIENTS, type ClientId, codeFor, commandFor, installLine, type SdkId, SDKS } from "../model/usage.ts";
import { CopyButton } from "./copy-button.tsx";

/** The servers of the sample in the snippet. */
const SHOWN = ["filesystem", "memory"];

/** The code to paste: a program for an SDK, or a command for a client. */
export function UseIt() {
  const [way, setWay] = useState<SdkId | ClientId>("ai-sdk");
  const { own, servers } = catalog.value;
  const { unknown = [] } = taken.value ?? {};
  const used = own ? servers : servers.filter(({ server }) => SHOWN.includes(server));
  const code = way in SDKS ? codeFor(way as SdkId, used) : commandFor(way as ClientId);
  const blank = code.includes('"<');
  const choice = (id: SdkId | ClientId, title: string) => (
    <label key={id} class="choice">
      <input type="radio" name="way" checked={way === id} onChange={() => setWay(id)} />
      <span>{title}</span>
    </label>
  );
  return (
    <section class="band" aria-labelledby="use">
      <h2 id="use">Use it</h2>
      <div class="choices">
        <fieldset>
          <legend>In your agent</legend>
          {Object.entries(SDKS).map(([id, { title }]) => choice(id as SdkId, title))}
        </fieldset>
        <fieldset>
          <legend>In an MCP client</legend>
          {Object.entries(CLIENTS).map(([id, title]) => choice(id as ClientId, title))}
        </fieldset>
      </div>
      <div class="snippet">
        {way in SDKS && (
          <p class="install">
            <code>{installLine(way as SdkId)}</code> <CopyButton text={() => installLine(way as SdkId)} label="Copy" />
          </p>
        )}
        <div class="copied">
          <pre class="code" tabIndex={0} role="region" aria-label="What to paste">
            {code}
          </pre>
          <CopyButton text={() => code} label="Copy" />
        </div>
      </div>
      <p class="hint">
        {way in CLIENTS
          ? "It moves the client’s servers behind toolsift. It shows the change and asks before it writes."
          : own
            ? `These are your servers.${unknown.length > 0 ? ` Left out: ${unknown.join(", ")}.` : ""}`
            : "Replace these two with your own servers."}
        {blank && " Fill in the parts in <…>."}
      </p>
    </section>
  );
}
