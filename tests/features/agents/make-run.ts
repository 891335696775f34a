/** A span of a made-up run, as both benchmarks send it. Epoch milliseconds. */
export type RunSpan = {
  readonly trace: string;
  readonly span: string;
  readonly parent: string | null;
  readonly kind: 'agent' | 'tool' | 'llm';
  /** Name of the agent, tool or model. */
  readonly name: string;
  /** The agent that the span names. */
  readonly agent: string;
  readonly start: number;
  readonly end: number;
  readonly isFailed: boolean;
};

const MODELS = [
  'gpt-4o',
  'gpt-4o-mini',
  'o4-mini',
  'claude-sonnet-4-5',
  'claude-haiku-4-5',
  'gemini-2.5-flash',
];
const AGENTS = 14;
const TOOLS = 30;

/**
 * A run of an agent in ten spans: the agent, which calls models and tools and another agent that does so too. The
 * project has fifty agents, tools and models; each agent calls some of them.
 */
export function makeRun(start: number, random: () => number): RunSpan[] {
  const int = (below: number): number => Math.floor(random() * below);
  const hex = (digits: number): string =>
    Array.from({ length: digits / 8 }, () =>
      int(2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
  const trace = hex(32);
  const outer = int(AGENTS - 4);
  const inner = AGENTS - 4 + ((outer + int(2)) % 4);
  const [root, child] = [hex(16), hex(16)];
  let now = start;
  const call = (parent: string, agent: number): RunSpan => {
    const isTool = random() < 0.4;
    const from = now;
    now += isTool ? 20 + int(400) : 300 + int(4_000);
    return {
      trace,
      span: hex(16),
      parent,
      kind: isTool ? 'tool' : 'llm',
      name: isTool
        ? `tool-${(agent * 3 + int(4)) % TOOLS}`
        : (MODELS[(agent + int(2)) % MODELS.length] as string),
      agent: `agent-${agent}`,
      start: from,
      end: now,
      isFailed: random() < 0.03,
    };
  };
  const first = Array.from({ length: 3 }, () => call(root, outer));
  const from = now;
  const below = Array.from({ length: 4 }, () => call(child, inner));
  const own = { trace, kind: 'agent', isFailed: false } as const;
  const nested = { ...own, span: child, parent: root, name: `agent-${inner}`, agent: `agent-${inner}` };
  const sub: RunSpan = { ...nested, start: from, end: now };
  const last = call(root, outer);
  const head = { ...own, span: root, parent: null, name: `agent-${outer}`, agent: `agent-${outer}` };
  // Spans end, and are sent, before those above them.
  return [...first, ...below, sub, last, { ...head, start, end: now, isFailed: random() < 0.05 }];
}
