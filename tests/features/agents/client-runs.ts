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
/** A client's traces, the nanosecond at which its recording starts, and where its agents and tools are named. */
type Client = { readonly traces: readonly Recorded[][]; readonly start: bigint; readonly called: RegExp };

/** Clients whose programs run agents, and what they call them and their tools. */
const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  mastra: ['support', 'get_weather'],
  'openai-agents-openinference': ['planner', 'get_weather'],
  'vercel-ai-7': ['fn-1', 'get_weather'],
  voltagent: ['support', 'get_weather'],
};
/** Programs of each client, with names of their own: a project has about fifty agents and as many tools. */
const PROGRAMS = 12;
/** Runs of a client that are in progress at once, so that their spans come mixed. */
const AT_ONCE = 50;
const NANOS = 1_000_000;

function readClient([name, called]: [string, readonly string[]]): Client {
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
  return {
    traces: [...Map.groupBy(recorded, ({ span }) => span.traceId).values()],
    start,
    called: new RegExp(`"stringValue":"(${called.join('|')})"`, 'g'),
  };
}

/** The spans of a trace with other ids, times and names, as another run of such a program sends them. */
function runAgain({ traces, start, called }: Client, at: number, random: () => number): Recorded[] {
  const int = (below: number): number => Math.floor(random() * below);
  const digits = (length: number): string => Array.from({ length }, () => int(16).toString(16)).join('');
  const trace = traces[int(traces.length)] ?? [];
  const ids = new Map(trace.map(({ span }) => [span.spanId, digits(16)]));
  ids.set(trace[0]?.span.traceId ?? '', digits(32));
  const anyId = new RegExp([...ids.keys()].join('|'), 'g');
  const later = BigInt(Math.round(at)) * BigInt(NANOS) - start;
  const program = int(PROGRAMS);
  return trace.map((one) => ({
    ...one,
    end: one.end + at,
    json: one.json
      .replace(anyId, (id) => ids.get(id) ?? id)
      .replace(called, `"stringValue":"$1-${program}"`)
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
  const clients = Object.entries(CLIENTS).map(readClient);
  const waiting: Recorded[][] = clients.map(() => []);
  const bodies: string[] = [];
  for (let turn = 0; bodies.length * size < spans; turn = (turn + 1) % clients.length) {
    const own = waiting[turn] as Recorded[];
    const at = since + bodies.length * 100;
    while (own.length < size)
      own.push(
        ...Array.from({ length: AT_ONCE }, (_, i) => runAgain(clients[turn] as Client, at + i * 20, random))
          .flat()
          .sort((a, b) => a.end - b.end),
      );
    bodies.push(bodyOf(own.splice(0, size)));
  }
  return bodies;
}
