import { useLayoutEffect, useRef } from "preact/hooks";
import { bringing, catalog, linkHere, restore, take, taken, tools } from "../app/state.ts";
import { count, plural } from "../model/numbers.ts";
import { CopyButton } from "./copy-button.tsx";

/** The buttons and the dialog for the visitor's own servers, and the result of reading them. */
export function Bring() {
  const { own } = catalog.value;
  return (
    <div class="bring">
      <p class="actions">
        <button type="button" class="quiet-button" onClick={() => (bringing.value = true)}>
          Use my servers
        </button>
        {own && (
          <button type="button" class="quiet-button" onClick={() => void restore()}>
            Back to the sample
          </button>
        )}
        <CopyButton text={linkHere} label="Copy link" />
      </p>
      <div role="status">
        <Where />
      </div>
      <Dialog />
    </div>
  );
}

/** Describes the shown tools, and how exactly they are known. */
function Where() {
  const { own, servers } = catalog.value;
  if (!own && taken.value === null) {
    return (
      <p class="hint">
        These are {plural(tools.value.length, "tool")} of {plural(servers.length, "real server")}. Drop an{" "}
        <code>mcp.json</code> anywhere to see your own.
      </p>
    );
  }
  const by = (known: string) => servers.filter((one) => one.known === known).length;
  const [measured, typical, link] = [by("measured"), by("typical"), by("link")];
  return (
    <>
      {own && (
        <p class="hint">
          Your {plural(servers.length, "server")} with {plural(tools.value.length, "tool")}.
          {measured === servers.length && " Names and sizes come from our data."}
          {measured > 0 &&
            measured < servers.length &&
            ` For ${count(measured)} of them, names and sizes come from our data.`}
          {typical > 0 && ` For ${count(typical)}, only the names are known: each tool counts as one of typical size.`}
          {link > 0 && " The link holds names and sizes, not the definitions."}
        </p>
      )}
      {taken.value !== null && <Problems {...taken.value} />}
    </>
  );
}

/** The maximum number of problems that are shown. Further problems are counted. */
const MOST = 3;

function Problems({ problems, unknown, file }: { problems: string[]; unknown: string[]; file: string }) {
  const command = `npx toolsift tools ${/^[\w./-]+$/.test(file) ? file : "mcp.json"} > tools.json`;
  return (
    <>
      {unknown.length > 0 && (
        <p class="hint" data-testid="unknown">
          Not known here: {unknown.join(", ")}. This command writes all lists to a file. Drop the file here:{" "}
          <code>{command}</code> <CopyButton text={() => command} label="Copy" />
        </p>
      )}
      {problems.slice(0, MOST).map((problem) => (
        <p key={problem} class="problem">
          {problem}
        </p>
      ))}
      {problems.length > MOST && <p class="problem">And {plural(problems.length - MOST, "more problem")}.</p>}
    </>
  );
}

function Dialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (bringing.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [bringing.value]);
  useDrop();
  const paste = () => void take([{ name: "mcp.json", text: area.current?.value ?? "" }]);
  return (
    <dialog ref={dialog} aria-labelledby="bring-title" onClose={() => (bringing.value = false)}>
      <h2 id="bring-title">Use my servers</h2>
      <p>
        Paste an <code>mcp.json</code>, or the answer to <code>tools/list</code>. You can also drop files anywhere on the
        page. Nothing leaves your browser.
      </p>
      <label for="paste">Configuration or tool list</label>
      <textarea ref={area} id="paste" rows={9} spellcheck={false} placeholder='{ "mcpServers": { … } }' />
      <div role="alert">{taken.value !== null && <Problems {...taken.value} />}</div>
      <p class="actions">
        <button type="button" class="primary" onClick={paste}>
          Use these
        </button>
        <label class="quiet-button">
          Choose files
          <input
            type="file"
            class="visually-hidden"
            multiple
            accept=".json,.jsonl,.txt,application/json"
            onChange={({ currentTarget }) => void take([...(currentTarget.files ?? [])])}
          />
        </label>
        <button type="button" class="quiet-button" onClick={() => (bringing.value = false)}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}

/** Accepts files that are dropped anywhere on the page. */
function useDrop() {
  useLayoutEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      document.documentElement.toggleAttribute("data-over", event.type === "dragover");
    };
    const drop = (event: DragEvent) => {
      over(event);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) void take(files);
    };
    const listeners = { dragover: over, dragleave: over, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name as "drop", listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name as "drop", listener);
    };
  }, []);
}
