"""Every bound of Casebook with its unit and its reason; code and documentation read it from here.

A field's comment of three parts: the unit, the reason and the requirement it comes from. `docs/settings.md` lists them.
"""

from dataclasses import dataclass, field, fields
from typing import Any


def bound(value: int | float, unit: str, reason: str) -> Any:
    return field(default=value, metadata={"unit": unit, "reason": reason})


@dataclass(frozen=True)
class Limits:
    """All bounds; one instance, `LIMITS`."""

    # Requests
    json_body_bytes: int = bound(12 * 1024 * 1024, "bytes", "a case of the largest fields fits; a flood does not")
    form_files_bytes: int = bound(
        20 * 1024 * 1024, "bytes", "files of one form, an import's and some more to refuse it"
    )
    json_depth: int = bound(32, "levels", "deeper nesting is a fault or an attack, and breaks parsers (DS-D44)")
    page_size: int = bound(50, "rows", "a page of a list (DS-D6)")
    page_size_max: int = bound(200, "rows", "the most one request may ask of a list (DS-D6)")
    idempotency_key_characters: int = bound(255, "characters", "what clients of other APIs send as a key")
    idempotency_hours: int = bound(24, "hours", "how long a repeated request gets the first answer again")
    wrong_keys_a_minute: int = bound(30, "requests", "with a wrong API key, that one address may send in a minute")

    # Accounts
    invitation_kept_days: int = bound(30, "days", "an expired invitation stays listed, then it is deleted")
    invitation_days: int = bound(7, "days", "an invitation link expires (PL-1)")
    external_id_characters: int = bound(255, "characters", "an integrator's id of a person")
    person_export_days: int = bound(7, "days", "a person's exported data can be fetched, then it is deleted (ACC-D43)")
    name_characters: int = bound(120, "characters", "names of organisations, members, keys and datasets (DS-D10)")

    # Agents
    url_characters: int = bound(500, "characters", "an address that the server calls (PL-20)")
    model_name_characters: int = bound(200, "characters", "what a provider calls a model (PL-20)")
    api_version_characters: int = bound(40, "characters", "the API version of an Azure endpoint (PL-20)")
    model_price: int = bound(100_000, "USD", "a model's price of a million tokens (PL-20)")
    context_tokens: int = bound(2_000_000_000, "tokens", "a model's context, as far as the databases count (PL-20)")
    key_characters: int = bound(1_000, "characters", "a provider's key (PL-20)")
    rate_a_minute: int = bound(2_000_000_000, "requests or tokens", "that a connection may be told to send (EV-D22)")
    instructions_characters: int = bound(50_000, "characters", "an agent's instructions, a skill's text (PL-21, PL-24)")
    agent_tools: int = bound(100, "tools", "of one agent (PL-22)")
    agent_skills: int = bound(20, "skills", "of one agent, each read at every answer (PL-24)")
    agent_knowledge_bases: int = bound(20, "knowledge bases", "of one agent (PL-24)")
    tool_description_characters: int = bound(1_024, "characters", "of a tool, as the OpenAI API takes (PL-22)")
    secret_name_characters: int = bound(64, "characters", "name of an agent's secret (PL-22)")
    agent_secrets: int = bound(20, "secrets", "of one agent (PL-22)")
    agent_steps: int = bound(50, "steps", "an agent may take for one answer at the most (PL-23)")
    agent_seconds: int = bound(600, "seconds", "an agent may take for one answer at the most (PL-23)")
    tool_result_characters: int = bound(100_000, "characters", "of a tool's result that the model reads (PL-22)")
    tool_calls_at_once: int = bound(8, "calls", "of tools that one answer makes side by side; others wait (PL-22)")
    tool_calls_a_step: int = bound(64, "calls", "of tools that a model may ask for in one step; others fail (PL-22)")
    monthly_budget: int = bound(9_999_999_999, "USD", "a monthly budget, as far as the column holds it (PL-25)")

    # Knowledge
    document_bytes: int = bound(10 * 1024 * 1024, "bytes", "a document of a knowledge base, as sent (PL-24)")
    document_characters: int = bound(5_000_000, "characters", "of text in one document, a shelf of books (PL-24)")
    document_pages: int = bound(3_000, "pages", "of one PDF (PL-24)")
    document_name_characters: int = bound(200, "characters", "a document's name, as files have them")
    documents: int = bound(1_000, "documents", "of one knowledge base (PL-24)")
    documents_a_request: int = bound(20, "documents", "sent at once in the console")
    passage_characters: int = bound(1_200, "characters", "of one passage, so that a model reads several (PL-24)")
    passage_overlap: int = bound(200, "characters", "that a passage repeats of the one before, in whole sentences")
    heading_characters: int = bound(300, "characters", "of the headings that a passage stands under")
    passages_found: int = bound(8, "passages", "that one search of an agent brings (PL-24)")
    pdf_seconds: float = bound(30, "seconds", "time a PDF may take to be read (PL-24)")
    pdf_bytes: int = bound(768 * 1024 * 1024, "bytes", "memory for reading a PDF (PL-24)")
    question_words: int = bound(32, "words", "of a question that a search looks for")

    # Conversations and runs
    conversation_title_characters: int = bound(200, "characters", "the beginning of its first question, for lists")
    run_question_characters: int = bound(500, "characters", "the beginning of a run's question, for lists (PL-31)")
    runs_a_request: int = bound(500, "runs", "in one request of the ingest API (PL-32)")
    messages_a_run: int = bound(1_000, "messages", "of one run of the ingest API (PL-32)")
    message_characters: int = bound(1_000_000, "characters", "of one message (PL-32)")
    chat_characters: int = bound(50_000, "characters", "of one question typed in the chat, as a case holds (DS-D20)")
    run_error_characters: int = bound(10_000, "characters", "why a run did not complete, as an integrator says it")
    feedback_comment_characters: int = bound(5_000, "characters", "what a person says about an answer (PL-32)")
    otlp_body_bytes: int = bound(16 * 1024 * 1024, "bytes", "traces of one request, unpacked (PL-33)")
    otlp_spans: int = bound(10_000, "spans", "in one request of traces (PL-33)")
    span_hours: int = bound(24, "hours", "spans of a trace wait for its outermost one, and are completed (PL-33)")
    retention_days: int = bound(3_650, "days", "production runs are kept at the most when a bound is set (PL-34)")

    # Datasets
    description_characters: int = bound(2_000, "characters", "a dataset's description (DS-D10)")
    new_dataset_days: int = bound(14, "days", "a dataset's page leads through the four steps even with cases (DS-25)")
    members_offered: int = bound(20, "members", "found by one search when sharing or handing over")
    cases: int = bound(10_000, "cases", "what one dataset may hold (DS-75)")
    import_bytes: int = bound(10 * 1024 * 1024, "bytes", "an import file, as sent (DS-76, DS-D36)")
    text_characters: int = bound(50_000, "characters", "input, reference answer, counter-example, each turn (DS-D20)")
    note_characters: int = bound(2_000, "characters", "a case's note (DS-D20)")
    history_turns: int = bound(100, "turns", "a case's earlier conversation (DS-D20)")
    tags: int = bound(20, "tags", "on one case (DS-D20)")
    tag_characters: int = bound(50, "characters", "of one tag (DS-D20)")
    tool_calls: int = bound(50, "calls", "expected by one case (DS-D20)")
    tool_args_characters: int = bound(20_000, "characters", "arguments of one call as JSON (DS-D20)")
    checks: int = bound(50, "checks", "on one case (DS-D20)")
    pattern_characters: int = bound(500, "characters", "value of a regex check (SC-64)")
    pattern_seconds: float = bound(1, "seconds", "time a pattern or a schema may take to be read (SC-D28)")
    pattern_bytes: int = bound(256 * 1024 * 1024, "bytes", "memory for reading a pattern or a schema (SC-D28)")
    check_value_characters: int = bound(10_000, "characters", "value of a text rule (SC-D27)")
    check_path_characters: int = bound(200, "characters", "path of a check (SC-D24)")
    check_path_segments: int = bound(32, "segments", "path of a check (SC-D24)")
    schema_characters: int = bound(20_000, "characters", "schema of a json_schema check, as JSON (SC-D29)")
    criterion_characters: int = bound(1_000, "characters", "criterion of a judge check (SC-D17)")
    answer_characters: int = bound(100_000, "characters", "of an answer that a rule reads (SC-78)")
    tool_name_characters: int = bound(200, "characters", "name of an expected tool")
    search_characters: int = bound(200, "characters", "what one search may ask for")
    versions_listed: int = bound(100, "versions", "shown in the list of versions (DS-62)")
    twins_listed: int = bound(10, "cases", "returned by the twins check (DS-D1)")

    # Grading
    criteria: int = bound(20, "criteria", "of a dataset's rubric (SC-D17)")
    default_checks: int = bound(20, "checks", "that a dataset gives to every case (SC-D17)")
    criterion_name_characters: int = bound(80, "characters", "name of a criterion (SC-D17)")
    judge_instructions_characters: int = bound(20_000, "characters", "instructions of a dataset's judge (SC-D17)")
    scale: int = bound(10, "grades", "of the judge's scale at the most; 2 at the least (SC-D17)")
    pattern_match_seconds: float = bound(0.1, "seconds", "time a pattern may take on one answer (SC-79)")
    schema_seconds: float = bound(1, "seconds", "time a schema may take on one answer (SC-D29)")
    answer_json_depth: int = bound(100, "levels", "of an answer that is read as JSON; deeper is an error (SC-D29)")
    judge_quotes: int = bound(12, "quotes", "that a judge's grade may rest on; further ones are cut (SC-109)")
    judge_quote_characters: int = bound(1_000, "characters", "of one quote; a longer one is dropped (SC-D41)")
    judge_rule_characters: int = bound(300, "characters", "of the rule that a grade follows from (SC-112)")
    judge_reason_characters: int = bound(2_000, "characters", "of a judge's reason (SC-D41)")
    unreadable_reply_characters: int = bound(2_000, "characters", "kept of a reply that cannot be read (SC-131)")
    calls_reason_characters: int = bound(2_000, "characters", "of what is said about expected calls (SC-D35)")
    score_answer_characters: int = bound(8_000, "characters", "of the answer that a score keeps (SC-148)")
    score_calls_characters: int = bound(50_000, "characters", "of JSON, of the tool calls that a score keeps (SC-148)")
    grading_claim_seconds: int = bound(180, "seconds", "without a sign of life, and another worker grades the answers")
    grading_claims: int = bound(3, "tries", "at grading one answer that workers die of, then it is given up")
    answers_a_grading_job: int = bound(100, "answers", "graded by one job, which leaves the rest to the next")
    scores_again_a_request: int = bound(10, "scores", "graded again in one request (SC-136)")
    scores_again_at_once: int = bound(500, "scores", "of a test run that the console grades again at once (RV-D8)")
    scores_a_review_request: int = bound(500, "scores", "sent to review or taken out of it in one request (RV-35)")
    review_note_characters: int = bound(2_000, "characters", "note of a decision (RV-D32)")
    agreement_decisions: int = bound(5_000, "decisions", "the newest of a dataset that agreement looks at (RV-D34)")
    agreement_answers: int = bound(1_000, "answers", "of one judge, the newest, whose grading agreement reads (RV-D34)")
    judge_calls_at_once: int = bound(8, "calls", "of the judge that one worker has in flight while it grades a set")
    stored_answers_a_request: int = bound(500, "answers", "that were stored elsewhere, in one request")
    stored_answers_a_file: int = bound(10_000, "answers", "in one file of answers, as many as a dataset has cases")
    stored_answers_calls: int = bound(200, "calls", "of tools that one stored answer may name")

    # Test runs
    eval_label_characters: int = bound(100, "characters", "label of a test run (EV-D1)")
    eval_repeats: int = bound(5, "attempts", "of each case at the most (EV-D1)")
    eval_gate_reasons: int = bound(20, "regressed cases", "that a gate or a summary names")

    # Outgoing calls
    outgoing_seconds: float = bound(60, "seconds", "time one outgoing call may take (PL-26)")
    model_seconds: float = bound(120, "seconds", "time one try of asking a model may take (SC-D43)")
    outgoing_bytes: int = bound(10 * 1024 * 1024, "bytes", "size of one outgoing call's reply (PL-26)")


LIMITS = Limits()


def rows() -> list[tuple[str, str, str, str]]:
    """Name, value, unit and reason of each limit, for the documentation."""
    return [(f.name, f"{getattr(LIMITS, f.name):,}", f.metadata["unit"], f.metadata["reason"]) for f in fields(LIMITS)]
