/** Tools by which a framework leads its run: they end it, or hand it over. A model that has to search for them cannot finish. */

/**
 * The names that frameworks give them: `final_result` (Pydantic AI), `final_answer` (smolagents), `transfer_to_…` and
 * `handoff…` (OpenAI Agents, AutoGen, LangGraph, LlamaIndex, Strands), `delegate_…` and `ask_question_to_coworker` (CrewAI),
 * `exit_loop` and `set_model_response` (ADK), `attempt_completion` (Cline), `finish` (OpenHands), `submit` (SWE-agent).
 */
const NAMES =
  /^(final_(result|answer)(_.+)?|transfer_(back_)?to_.+|hand_?off(_.+)?|delegate_(work_)?to_.+|ask_question_to_coworker|exit_loop|set_model_response|attempt_completion|finish|submit)$/i;

/** Whether a tool has the name of one that ends a run or hands it over. */
export const isControl = (name: string): boolean => NAMES.test(name);
