import { type Condition, parseFilter } from '../../../src/core/events/filter/contract.ts';
import type { SentEvent } from './random-events.ts';
import { inputOf, isFailure, outputOf } from './recount.ts';

type Meaning = (event: SentEvent) => boolean;
const group = (event: SentEvent): string | null =>
  isFailure(event) ? (event.error_code ?? event.status) : null;
const costOf = ({ is_call, cost_nano }: SentEvent): number | null => (is_call ? cost_nano : null);
const has = (text: string | null | undefined, part: string): boolean =>
  text?.toLowerCase().includes(part) ?? false;

/** Parts of filters, and what each means by definition. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  'model:gpt-4o': ({ model }) => model === 'gpt-4o',
  'model:gpt-4o,claude-haiku-4-5': ({ model }) => model === 'gpt-4o' || model === 'claude-haiku-4-5',
  'model:GPT-*': ({ model }) => model?.startsWith('gpt-') ?? false,
  'model:*-4*': ({ model }) => model?.includes('-4') ?? false,
  'model:*': ({ model }) => model !== null,
  'provider:azure,nobody': ({ provider }) => provider === 'azure',
  'provider:a*': ({ provider }) => provider?.startsWith('a') ?? false,
  'env:production': ({ environment }) => environment === 'production',
  'environment:*ing': ({ environment }) => environment === 'staging',
  // Called later: both modules import each other.
  'status:failed': (event) => isFailure(event),
  'status:success,cancelled': ({ status }) => status === 'success' || status === 'cancelled',
  'kind:llm,tool': ({ kind }) => kind === 'llm' || kind === 'tool',
  'error:server_error': (event) => group(event) === 'server_error',
  'error:timeout,overloaded': (event) => ['timeout', 'overloaded'].includes(group(event) ?? ''),
  'error:*': (event) => isFailure(event),
  'error:*er*': (event) => group(event)?.includes('er') ?? false,
  'guardrail:block,flag': ({ kind, error_code }) =>
    kind === 'guardrail' && ['guardrail_blocked', 'guardrail_flagged'].includes(error_code ?? ''),
  'guardrail:allow': ({ kind, error_code }) => kind === 'guardrail' && error_code === null,
  'guardrail:*': ({ kind }) => kind === 'guardrail',
  'user:user-1,user-2': ({ user_id }) => user_id === 'user-1' || user_id === 'user-2',
  'user:*': ({ user_id }) => user_id !== null,
  'session:SESSION-*': ({ session_id }) => session_id !== null,
  'key:key_1': ({ key_id }) => key_id === 'key_1',
  'key:*': ({ key_id }) => key_id !== null,
  'name:"step 1"': ({ name }) => name === 'step 1',
  'name:*2': ({ name }) => name === 'step 2',
  'tag.team:"team 1"': ({ tags }) => tags?.team === 'team 1',
  // An empty value is none.
  'tag.tier:*': ({ tags }) => tags?.tier !== undefined && tags.tier !== '',
  'tag.tier:""': () => false,
  'tag.tier>0': ({ tags }) => tags?.tier === 1,
  'metadata.note:*1*': ({ metadata }) => has(metadata?.note as string | undefined, '1'),
  'latency>1s': ({ latency_ms }) => latency_ms !== null && latency_ms > 1000,
  'latency:0..50': ({ latency_ms }) => latency_ms !== null && latency_ms <= 50,
  'ttft:*': ({ ttft_ms }) => ttft_ms !== null,
  'cost>0.001': (event) => (costOf(event) ?? 0) > 1_000_000,
  'cost:0': (event) => costOf(event) === 0,
  'costStatus:unpriced': ({ is_call, cost_status }) => is_call && cost_status === 'unpriced',
  'input>=1k': (event) => inputOf(event) >= 1000,
  'output<100': (event) => outputOf(event) < 100,
  'tokens:500..1500': (event) =>
    inputOf(event) + outputOf(event) >= 500 && inputOf(event) + outputOf(event) <= 1500,
  'stream:true': ({ stream }) => stream,
  '"step"': ({ name }) => has(name, 'step'),
  SERVER: ({ error_code }) => has(error_code, 'server'),
  haiku: ({ model }) => has(model, 'haiku'),
};

const conditionOf = (text: string): Condition => {
  const [condition] = parseFilter(text);
  if (condition === undefined) throw new Error(`no condition: ${text}`);
  return condition;
};

const BY_CONDITION = new Map<string, Meaning>(
  Object.entries(MEANINGS).flatMap(([text, meaning]): [string, Meaning][] => [
    [JSON.stringify(conditionOf(text)), meaning],
    [JSON.stringify(conditionOf(`-${text}`)), (event) => !meaning(event)],
  ]),
);

/** All parts, each also excluded. */
export const FILTER_TEXTS = Object.keys(MEANINGS).flatMap((text) => [text, `-${text}`]);

/** Whether an event fulfils a condition, as its text's meaning says. */
export function fulfils(event: SentEvent, condition: Condition): boolean {
  const meaning = BY_CONDITION.get(JSON.stringify(condition));
  if (meaning === undefined) throw new Error(`unknown: ${JSON.stringify(condition)}`);
  return meaning(event);
}
