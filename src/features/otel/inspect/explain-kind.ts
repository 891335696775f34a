import { isCallKind, type Kind } from '../map/kind-of.ts';
import type { Links } from '../map/link-spans.ts';
import type { Span } from '../read/span.ts';

const NAMES = {
  llm: 'a call of a model',
  embedding: 'a call for embeddings',
  tool: 'a tool',
  agent: 'an agent or a step of one',
  chain: 'a chain, task or workflow',
  retrieval: 'a retrieval',
  guardrail: 'a guardrail',
  span: 'a plain span',
} as const;

/** Why a span is read as what it is, in words. */
export function explainKind(span: Span, { kind, by }: Kind): string {
  const what = NAMES[kind];
  if (by === null) {
    return isCallKind(kind)
      ? `No attribute says what it is; provider, model or tokens make it ${what}`
      : 'No attribute makes it a call: a plain span';
  }
  const said = `${by} is ${JSON.stringify(String(span.attributes.get(by)).slice(0, 100))}`;
  if (isCallKind(kind)) return `${said}: ${what}`;
  if (kind === 'span') return `${said}, which is no kind of call that is known: ${what}`;
  return `${said}: ${what}, which costs nothing itself; its tokens, if it has any, are those of its calls`;
}

/** What `explainCount` looks at: a call, and whether it counts. */
type Counted = { readonly operation: string; readonly isCall: boolean; readonly counted: boolean };

/** Why a call does not count, in words; null where it does. */
export function explainCount(place: number, spans: readonly Counted[], { parents }: Links): string | null {
  const span = spans[place];
  if (span === undefined || !span.isCall || span.counted) return null;
  for (let up = parents[place] ?? -1; up >= 0; up = parents[up] ?? -1) {
    const outer = spans[up];
    if (outer?.isCall && outer.counted)
      return `The span around it, ${quote(outer)}, is the same call and counts`;
  }
  return 'A span inside it is the same call, has its tokens or its failure, and counts';
}

const quote = ({ operation }: Counted): string => JSON.stringify(operation.slice(0, 80));
