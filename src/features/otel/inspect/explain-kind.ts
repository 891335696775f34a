import { isCallKind, type Kind } from '../map/kind-of.ts';
import type { Links } from '../map/link-spans.ts';
import type { Span } from '../read/span.ts';

const NAMES = {
  llm: 'a model call',
  embedding: 'an embeddings call',
  tool: 'a tool',
  agent: 'an agent or an agent step',
  chain: 'a chain, task or workflow',
  retrieval: 'a retrieval',
  guardrail: 'a guardrail',
  span: 'a plain span',
} as const;

/** Explains the kind of a span. */
export function explainKind(span: Span, { kind, by }: Kind): string {
  const what = NAMES[kind];
  if (by === null) {
    return isCallKind(kind)
      ? `No attribute names its kind; provider, model or tokens make it ${what}`
      : 'No attribute makes it a call: a plain span';
  }
  const said = `${by} is ${JSON.stringify(String(span.attributes.get(by)).slice(0, 100))}`;
  if (isCallKind(kind)) return `${said}: ${what}`;
  if (kind === 'span') return `${said}, which is not a known kind of call: ${what}`;
  return `${said}: ${what}, which costs nothing itself; its tokens, if any, belong to its calls`;
}

/** The input of `explainCount`: a call, and whether it is counted. */
type Counted = { readonly operation: string; readonly isCall: boolean; readonly counted: boolean };

/** Explains why a call is not counted; null if it is. */
export function explainCount(place: number, spans: readonly Counted[], { parents }: Links): string | null {
  const span = spans[place];
  if (span === undefined || !span.isCall || span.counted) return null;
  for (let up = parents[place] ?? -1; up >= 0; up = parents[up] ?? -1) {
    const outer = spans[up];
    if (outer?.isCall && outer.counted)
      return `The span around it, ${quote(outer)}, reports the same call and is counted`;
  }
  return 'A span inside it reports the same call with its tokens or failure, and is counted';
}

const quote = ({ operation }: Counted): string => JSON.stringify(operation.slice(0, 80));
