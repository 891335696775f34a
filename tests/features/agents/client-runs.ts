import { readRecording } from '../otel/replay.ts';

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
};
type Group = {
  readonly resource: unknown;
  readonly scopeSpans: readonly { readonly scope: unknown; readonly spans?: readonly Span[] }[];
};
/** A recorded span as JSON, the JSON of its resource and scope, and its end, in milliseconds after the recording's start. */
type Recorded = {
  readonly span: Span;
  readonly json: string;
  readonly head: string;
  readonly end: number;
};
/** A client's traces, and the nanosecond at which its recording starts. */
type Client = { readonly traces: readonly Recorded[][]; readonly start: bigint };

/** Clients whose programs run agents or call tools. */
const CLIENTS = [
  'langchain-openinference',
  'langchain-traceloop',
  'langfuse',
  'langgraph-openinference',
  'langsmith',
  'mastra',
  'openai-agents-openinference',
  'traceloop-0.14',
  'vercel-ai-5',
  'vercel-ai-7',
  'voltagent',
];
/** Runs of a client that are in progress at once, so that their spans come mixed. */
const AT_ONCE = 50;
const NANOS = 1_000_000;

function readClient(name: string): Client {
  const groups = readRecording(name).flatMap(({ resourceSpans }) => resourceSpans as unknown as Group[]);
  const spans = groups.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans: own = [] }) =>
      own.map((span) => ({
        span,
        head: `"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)}`,
      })),
    ),
  );
  const start = BigInt(spans.map(({ span }) => span.startTimeUnixNano).sort()[0] ?? 0);
  const recorded = spans.map(({ span, head }) => ({
    span,
    head,
    json: JSON.stringify(span),
    end: Number(BigInt(span.endTimeUnixNano) - start) / NANOS,
  }));
  return { traces: [...Map.groupBy(recorded, ({ span }) => span.traceId).values()], start };
}

/** The spans of a trace again, with other ids and times, as another run of the same program sends them. */
function runAgain(trace: readonly Recorded[], from: bigint, start: number, random: () => number): Recorded[] {
  const digits = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  const ids = new Map(trace.map(({ span }) => [span.spanId, digits(16)]));
  for (const { span } of trace) if (!ids.has(span.traceId)) ids.set(span.traceId, digits(32));
  const any = new RegExp([...ids.keys()].join('|'), 'g');
  const later = BigInt(Math.round(start)) * BigInt(NANOS) - from;
  return trace.map((one) => ({
    ...one,
    end: one.end + start,
    json: one.json
      .replace(any, (id) => ids.get(id) ?? id)
      .replace(/(imeUnixNano":")(\d+)/g, (_, key, nanos) => `${key}${BigInt(nanos) + later}`),
  }));
}

/** The spans of one request: those of a scope stand together. */
function bodyOf(spans: readonly Recorded[]): string {
  const groups = [...Map.groupBy(spans, ({ head }) => head)].map(
    ([head, own]) => `{${head},"spans":[${own.map(({ json }) => json).join(',')}]}]}`,
  );
  return `{"resourceSpans":[${groups.join(',')}]}`;
}

/**
 * At least so many spans as requests of real clients in turn: their recorded programs, run again and again at times after
 * `since` (epoch milliseconds). A request has the spans of one process, in the order in which they end.
 */
export function bodiesOfClients(spans: number, size: number, since: number, random: () => number): string[] {
  const clients = CLIENTS.map(readClient);
  const waiting: Recorded[][] = clients.map(() => []);
  const bodies: string[] = [];
  for (let round = 0; bodies.length * size < spans; round = (round + 1) % clients.length) {
    const { traces, start } = clients[round] as Client;
    const own = waiting[round] as Recorded[];
    const at = since + bodies.length * 100;
    while (own.length < size)
      own.push(
        ...Array.from({ length: AT_ONCE }, (_, i) =>
          runAgain(traces[Math.floor(random() * traces.length)] as Recorded[], start, at + i * 20, random),
        )
          .flat()
          .sort((a, b) => a.end - b.end),
      );
    bodies.push(bodyOf(own.splice(0, size)));
  }
  return bodies;
}
