import type { StoredEvent } from '../../src/core/events/contract.ts';
import type { Cell } from '../format.ts';
import { money, number } from '../format.ts';
import type { ListColumn } from '../list/columns.ts';
import { exactTime } from '../moment.ts';
import { compact, duration, tinted } from '../report/figures.ts';

/** Failures are red, cancelled calls dim. */
export const statusCell = (status: StoredEvent['status']): Cell =>
  tinted(status, status === 'success' ? 'good' : status === 'cancelled' ? 'dim' : 'bad');

/** The model of a call, the name of another span. */
export const subjectOf = ({ model, name, tool, agent, operation }: StoredEvent): string =>
  model ?? name ?? tool ?? agent ?? operation;

/** The cost of a call; a dash for other spans, a warning for calls without a price. */
export const costCell = ({ counted, cost_usd }: StoredEvent): Cell =>
  counted && cost_usd === null ? { text: 'no price', tone: 'warn', align: 'right' } : money(cost_usd);

/** Columns of lists of events. At 80 characters only those without a rank have room. */
export const eventColumns: readonly ListColumn<StoredEvent>[] = [
  {
    header: 'time',
    value: ({ timestamp }) => tinted(exactTime(Date.parse(timestamp)), 'dim'),
    fixed: true,
  },
  { header: 'id', value: ({ event_id }) => event_id, id: true, rank: 1 },
  { header: 'kind', value: ({ kind }) => kind, rank: 8 },
  { header: 'provider', value: ({ provider }) => provider, rank: 9 },
  { header: 'model', value: subjectOf },
  { header: 'status', value: ({ status }) => statusCell(status), fixed: true },
  { header: 'error', value: ({ error_code }) => error_code, rank: 2 },
  { header: 'latency', value: ({ latency_ms }) => (latency_ms === null ? null : duration(latency_ms)) },
  { header: 'ttft', value: ({ ttft_ms }) => (ttft_ms === null ? null : duration(ttft_ms)), rank: 10 },
  { header: 'input', value: ({ input_tokens }) => number(input_tokens), rank: 11 },
  { header: 'output', value: ({ output_tokens }) => number(output_tokens), rank: 12 },
  { header: 'tokens', value: ({ input_tokens, output_tokens }) => compact(input_tokens + output_tokens) },
  { header: 'cost', value: costCell },
  { header: 'user', value: ({ user_id }) => user_id, rank: 3 },
  { header: 'environment', value: ({ environment }) => environment, rank: 4 },
  { header: 'session', value: ({ session_id }) => session_id, rank: 5 },
  { header: 'trace', value: ({ trace_id }) => trace_id, id: true, rank: 6 },
  { header: 'name', value: ({ name }) => name, rank: 7 },
  { header: 'release', value: ({ release }) => release, rank: 13 },
  { header: 'key', value: ({ key_id }) => key_id, id: true, rank: 14 },
];
