import type { Span } from '../read/span.ts';

/** What to set so that a client's spans name their user and session, and contain prompts. */
export type Sender = {
  readonly name: string;
  /** Whether a span is of this client. */
  readonly made: (span: Span) => boolean;
  readonly user: string;
  readonly session: string;
  readonly prompts: string;
};

const scope =
  (pattern: RegExp) =>
  ({ scope: { name } }: Span): boolean =>
    pattern.test(name);

const AROUND =
  'set user.id and session.id on a span around it; spans take them from above if both are in one request';
const both = (hint: string) => ({ user: hint, session: hint });
const OTEL_CONTENT =
  'it sends prompts as log events, which a trace does not contain; use OpenInference or OpenLLMetry if you need them';

/** The clients that are known. The first that fits counts. */
export const SENDERS: readonly Sender[] = [
  {
    name: 'LangGraph through OpenInference',
    made: (span) =>
      scope(/openinference.*langchain/)(span) && /langgraph/.test(String(span.attributes.get('metadata'))),
    user: 'pass metadata: { user_id } in the config of invoke or stream',
    session: 'pass configurable: { thread_id } or metadata: { session_id } in the config of invoke or stream',
    prompts: 'OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS must not be true',
  },
  {
    name: 'LangChain through OpenInference',
    made: scope(/openinference.*langchain/),
    user: 'pass metadata: { user_id } in the config of invoke or stream',
    session: 'pass metadata: { session_id } in the config of invoke or stream',
    prompts: 'OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS must not be true',
  },
  {
    name: 'OpenInference',
    made: (span) => scope(/openinference/)(span) || span.attributes.has('openinference.span.kind'),
    user: 'run the calls in context.with(setUser(context.active(), { userId }), …) of @arizeai/openinference-core; in Python using_user(user_id)',
    session:
      'run the calls in context.with(setSession(context.active(), { sessionId }), …) of @arizeai/openinference-core; in Python using_session(session_id)',
    prompts: 'OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS must not be true',
  },
  {
    name: 'OpenLLMetry (Traceloop)',
    made: scope(/^@traceloop\/|^opentelemetry\.instrumentation\.|^traceloop/),
    ...both(
      'run the calls in withAssociationProperties({ user_id, session_id }, …); in Python Traceloop.set_association_properties({…})',
    ),
    prompts: 'TRACELOOP_TRACE_CONTENT must not be false',
  },
  {
    name: 'OpenLIT',
    made: scope(/^@openlit\//),
    ...both("run the calls in openlit.usingAttributes({ 'user.id': …, 'session.id': … }, …)"),
    prompts: 'captureMessageContent of init must not be false',
  },
  {
    name: "Anthropic's SDK",
    made: scope(/^com\.anthropic\./),
    user: AROUND,
    session: 'pass openTelemetry: { conversationId } in the options of the request',
    prompts: 'set ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content',
  },
  {
    name: 'Vercel AI SDK',
    made: (span) => scope(/^ai$/)(span) || span.attributes.has('ai.operationId'),
    ...both('pass experimental_telemetry: { isEnabled: true, metadata: { userId, sessionId } } in each call'),
    prompts: 'recordInputs and recordOutputs of experimental_telemetry must not be false',
  },
  {
    name: 'Vercel AI SDK 7',
    made: scope(/^gen_ai$/),
    ...both(AROUND),
    prompts: 'recordInputs and recordOutputs of its telemetry must not be false',
  },
  {
    name: 'Mastra',
    made: scope(/^@mastra\//),
    ...both('pass tracingOptions: { metadata: { userId, sessionId } } to generate or stream'),
    prompts: 'hideInput and hideOutput of tracingOptions must not be true',
  },
  {
    name: 'VoltAgent',
    made: scope(/^@voltagent\//),
    ...both('pass { userId, conversationId } to generateText or streamText'),
    prompts: 'it always sends them',
  },
  {
    name: 'Genkit',
    made: scope(/^genkit-tracer$/),
    ...both(`Genkit names neither: ${AROUND}`),
    prompts: 'disableTraceLogs and redaction of the exporter must be off',
  },
  {
    name: "Google's ADK",
    made: scope(/^gcp\.vertex\.agent$|^google\.adk/),
    user: AROUND,
    session: 'it sends the session of the runner; pass session_id to run or run_async',
    prompts: 'ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS must not be false',
  },
  {
    name: 'Strands Agents',
    made: (span) =>
      scope(/^strands/)(span) || /^strands/.test(String(span.attributes.get('gen_ai.system') ?? '')),
    ...both('pass trace_attributes={"user.id": …, "session.id": …} to Agent'),
    prompts: 'it sends them as span events, which are not read',
  },
  {
    name: 'Langfuse SDK',
    made: scope(/^langfuse-sdk$/),
    ...both('run the calls in propagateAttributes({ userId, sessionId }, …)'),
    prompts: 'a mask or LANGFUSE_TRACING settings must not remove them',
  },
  {
    name: 'LangSmith',
    made: ({ attributes }) => [...attributes.keys()].some((name) => name.startsWith('langsmith.')),
    ...both('pass metadata: { user_id, session_id } in the config of the run'),
    prompts: 'LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS must not be true',
  },
  {
    name: 'Sentry',
    made: (span) =>
      scope(/sentry/)(span) || /sentry/.test(String(span.attributes.get('sentry.origin') ?? '')),
    ...both(AROUND),
    prompts: 'set recordInputs and recordOutputs of the integration, or sendDefaultPii: true',
  },
  {
    name: "OpenTelemetry's instrumentation of openai",
    made: scope(/^@opentelemetry\/instrumentation-openai$|^opentelemetry\.instrumentation\.openai_v2$/),
    ...both(AROUND),
    prompts: OTEL_CONTENT,
  },
];

/** Hints for a client that is not known: the names of the conventions. */
export const UNKNOWN_SENDER: Omit<Sender, 'name' | 'made'> = {
  user: 'set user.id on the spans, or on a span around them in the same request',
  session:
    'set session.id or gen_ai.conversation.id on the spans, or on a span around them in the same request',
  prompts: 'set gen_ai.input.messages and gen_ai.output.messages',
};
