import { useStore } from "../../app/use-store.ts";
import { plural } from "../../model/numbers.ts";

/** The conversations over this catalog: what one of them reveals, the others do not have. */
export function Sessions() {
  const store = useStore();
  const { conversations, current } = store.snapshot;
  return (
    <div class="sessions" role="group" aria-label="Sessions">
      {conversations.map(({ id, requests }) => (
        <button
          key={id}
          type="button"
          class="tab"
          aria-pressed={id === current.id}
          title={`Session ${id}: ${plural(requests, "request")}`}
          onClick={() => void store.run((engine) => engine.selectConversation(id))}
        >
          Session {id}
        </button>
      ))}
      <button type="button" class="button small plain" onClick={() => void store.run((engine) => engine.openConversation())}>
        New session
      </button>
      {conversations.length > 1 && (
        <button
          type="button"
          class="button small plain"
          onClick={() => void store.run((engine) => engine.closeConversation(current.id))}
        >
          Close {current.id}
        </button>
      )}
    </div>
  );
}
