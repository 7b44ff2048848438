import { useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { chosenOptions } from "../../model/chosen.ts";
import { addCommand, CLIENTS, gatewayCommand, notInGateway, type ClientId } from "../../model/clients.ts";
import { plural } from "../../model/numbers.ts";
import { blanksIn, codeFor, installLine, SDKS, serversFile, type CodeServer, type Sdk } from "../../model/usage.ts";
import { condition } from "../../model/waiting.ts";
import { pricesOf } from "../lib/figure.tsx";
import { CodeView } from "../lib/code-view.tsx";
import { CopyButton } from "../lib/copy-button.tsx";
import { Tabs } from "../lib/tabs.tsx";
import { useTab } from "../lib/use-tab.ts";

const WAYS = { code: "In your agent", config: "In an MCP client" };

/** What to paste: the code for an SDK, or the configuration of a client, with the settings of the page. */
export function UseIt() {
  const store = useStore();
  const { inForce, profiles, sources, profile } = store.snapshot;
  const [way, setWay] = useTab(WAYS);
  const options = chosenOptions(inForce, profiles);
  return (
    <section class="use-it" aria-labelledby="use-title">
      <header class="view-head">
        <h1 id="use-title">Use it</h1>
        <Tabs name="way" label="Where to use it" choices={WAYS} value={way} onChoose={setWay} />
      </header>
      <p class="use-note">
        Profile <code>{profile.name}</code>
        {Object.keys(options).length > 0 ? (
          <> with the options that you see below.</>
        ) : (
          <>, the default: no options are needed.</>
        )}{" "}
        {options.activation === undefined && profile.activation === "auto" && (
          <>It defers tools when {condition(profile, inForce.contextWindow)}.</>
        )}
      </p>
      {way === "code" ? (
        <Program options={options} servers={sources} format={inForce.format} />
      ) : (
        <Configuration options={options} servers={sources} />
      )}
    </section>
  );
}

interface Given {
  options: ReturnType<typeof chosenOptions>;
  servers: readonly CodeServer[];
}

function Program({ options, servers, format }: Given & { format: string }) {
  const store = useStore();
  const [sdk, setSdk] = useState<Sdk>("ai-sdk");
  const code = codeFor(sdk, options, servers, format);
  return (
    <div class="card use-card">
      <Tabs name="sdk" label="SDK" choices={SDKS} value={sdk} onChoose={setSdk} />
      <Snippet title="Install" label="Install command" language="text" text={installLine(sdk)} />
      <Snippet title="agent.ts" label="Code" language="ts" text={code} />
      {sdk === "fetch" ? (
        <p class="hint">
          For an agent that has its tools and its loop. The clients of Anthropic, Google and AI SDK take the same{" "}
          <code>fetch</code>. In other languages, set the base URL of{" "}
          <code>npx toolsift proxy --upstream https://api.openai.com</code>.
        </p>
      ) : (
        <>
          <p class="hint">
            These are all servers of the catalog. Fill in what stands in <code>&lt;…&gt;</code>, such as tokens. Prompt and
            model are examples: this page computes with {pricesOf(store.prices)}.
          </p>
          <Blanks servers={servers} />
        </>
      )}
    </div>
  );
}

function Configuration({ options, servers }: Given) {
  const [client, setClient] = useState<ClientId>("claude-code");
  const { file, language, text, title } = CLIENTS[client];
  const left = notInGateway(options);
  const titles = Object.fromEntries(Object.entries(CLIENTS).map(([id, one]) => [id, one.title])) as Record<ClientId, string>;
  return (
    <div class="card use-card">
      <Tabs name="client" label="Client" choices={titles} value={client} onChoose={setClient} />
      <Snippet
        title={`One command moves the servers of ${title} behind toolsift`}
        label="Command"
        language="text"
        text={addCommand(client)}
      />
      <Snippet
        title={`Or by hand: ${file}`}
        label="Configuration"
        language={language}
        text={text(gatewayCommand(options))}
      />
      <Snippet title="servers.json" label="Servers of the gateway" language="json" text={serversFile(servers)} />
      <Blanks servers={servers} />
      {left.length > 0 && (
        <p class="hint">
          The gateway has no flag for <code>{left.join(", ")}</code>: {left.length === 1 ? "it is" : "they are"} left out
          here.
        </p>
      )}
    </div>
  );
}

/** What the reader has to fill in. */
function Blanks({ servers }: { servers: readonly CodeServer[] }) {
  const blanks = blanksIn(servers);
  if (blanks.length === 0) return null;
  return (
    <p class="hint" data-testid="blanks">
      Fill in how {blanks.length === 1 ? <code>{blanks[0]}</code> : plural(blanks.length, "server")}{" "}
      {blanks.length === 1 ? "is" : "are"} started: the tools came from a file that does not say it. Each place is marked{" "}
      <code>&lt;the package of …&gt;</code>.
    </p>
  );
}

interface SnippetProps {
  title: string;
  label: string;
  language: "ts" | "json" | "toml" | "text";
  text: string;
}

function Snippet({ title, label, language, text }: SnippetProps) {
  return (
    <div class="snippet">
      <div class="snippet-head">
        <h2>{title}</h2>
        <CopyButton text={() => text} label={`Copy: ${title}`} />
      </div>
      <CodeView text={text} label={label} language={language} />
    </div>
  );
}
