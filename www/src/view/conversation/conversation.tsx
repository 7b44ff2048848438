import { Sessions } from "./sessions.tsx";

export function ConversationView() {
  return (
    <section class="card">
      <Sessions />
    </section>
  );
}
