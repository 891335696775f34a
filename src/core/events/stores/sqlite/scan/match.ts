import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import { withSpellings } from '../../../filter/with-spellings.ts';
import { type EventFilters, FAILED_STATUSES, type Window } from '../../../selection.ts';
import { maskBytes, maskCode } from '../codecs/mask.ts';
import { costStatusByte, FILTERED_TEXTS, FLAG, KIND, STATUS, type TextColumn } from '../columns.ts';
import { costOf, testOf } from '../filters/condition-tests.ts';
import type { RowCondition } from '../filters/row-condition.ts';
import { hasNoTarget } from '../filters/score-test.ts';
import type { Chunk } from './chunk.ts';
import type { RowSelection } from './row-selection.ts';

/**
 * The events of a chunk that match: 1 or 0 per place; null if there is none. A selection by key or tag must contain
 * `labels`.
 */
export function matchesOf(chunk: Chunk, selection: RowSelection, window: Window): Uint8Array | null {
  if (chunk.last < window.from || chunk.first >= window.to) return null;
  const mask = chunk.present();
  const named = { ...selection, filters: withSpellings(selection.filters) };
  for (const narrow of narrowings(chunk, named, window)) if (!narrow(mask)) return null;
  return mask;
}

/** Clears places in a mask; false if none is left. */
type Narrow = (mask: Uint8Array) => boolean;

/** Cheap and selective columns come first: each is decoded only if the previous ones left something. */
function* narrowings(
  chunk: Chunk,
  { filters, calls, guardrails, inSession }: RowSelection,
  window: Window,
): Generator<Narrow> {
  const { model, provider, environment, userId, sessionId, kind, status, errorCode, costStatus, labels } =
    filters;
  const where = (filters.where ?? []).toSorted((a, b) => costOf(a) - costOf(b));
  if (labels === undefined && (filters.keyId ?? filters.tag) !== undefined)
    throw new Error('labels were not looked up');
  if (chunk.first < window.from || chunk.last >= window.to) yield inWindow(chunk, window);
  for (const [column, value] of Object.entries({
    user_id: userId,
    session_id: sessionId,
    provider,
    model,
    environment,
  }))
    if (value !== undefined) yield ofText(chunk, column as TextColumn, value);
  if (kind !== undefined) yield ofBytes(chunk, 'kind', [EVENT_KINDS.indexOf(kind)]);
  if (status !== undefined) yield ofBytes(chunk, 'status', statusBytes(status));
  if (guardrails && costStatus === undefined) yield callsAndGuardrails(chunk);
  else if (calls || costStatus !== undefined) yield countedCalls(chunk);
  if (costStatus !== undefined) yield ofBytes(chunk, 'cost_status', [costStatusByte(costStatus)]);
  if (errorCode !== undefined) yield inErrorGroup(chunk, errorCode);
  if (inSession) yield withText(chunk, 'session_id');
  if (labels !== undefined) yield withLabel(chunk, labels);
  for (const condition of where) yield fulfilling(chunk, condition);
}

const statusBytes = (status: NonNullable<EventFilters['status']>): number[] =>
  (typeof status === 'string' ? [status] : status).map((name) => EVENT_STATUSES.indexOf(name));

const inWindow =
  (chunk: Chunk, { from, to }: Window): Narrow =>
  (mask) => {
    const ts = chunk.numbers('ts');
    return keep(mask, (place) => (ts[place] as number) >= from && (ts[place] as number) < to);
  };

const ofText =
  (chunk: Chunk, column: TextColumn, value: string): Narrow =>
  (mask) => {
    const filtered = FILTERED_TEXTS.find((name) => name === column);
    if (filtered !== undefined && chunk.likelyTexts(filtered, [value]).length === 0) return false;
    const texts = chunk.texts(column);
    const code = texts.codeOf(value);
    if (code === 0) return false;
    return maskCode(texts.codes, code, mask);
  };

const withText =
  (chunk: Chunk, column: TextColumn): Narrow =>
  (mask) => {
    const { codes } = chunk.texts(column);
    return keep(mask, (place) => codes[place] !== 0);
  };

const ofBytes =
  (chunk: Chunk, column: 'kind' | 'status' | 'cost_status', wanted: readonly number[]): Narrow =>
  (mask) => {
    const values = chunk.bytes(column);
    const isWanted = new Uint8Array(256);
    for (const value of wanted) isWanted[value] = 1;
    return maskBytes(values, isWanted, mask);
  };

const countedCalls =
  (chunk: Chunk): Narrow =>
  (mask) =>
    maskBytes(chunk.bytes('flags'), IS_CALL, mask);
const IS_CALL = Uint8Array.from({ length: 256 }, (_, flags) => Number((flags & FLAG.call) !== 0));

const callsAndGuardrails =
  (chunk: Chunk): Narrow =>
  (mask) => {
    const flags = chunk.bytes('flags');
    const kinds = chunk.bytes('kind');
    return keep(mask, (place) => IS_CALL[flags[place] as number] === 1 || kinds[place] === KIND.guardrail);
  };

/** Failed events with the code, or without a code and with the status of that name. */
const inErrorGroup =
  (chunk: Chunk, errorCode: string): Narrow =>
  (mask) => {
    const texts = chunk.texts('error_code');
    const { codes } = texts;
    const code = texts.codeOf(errorCode);
    const isEmpty = texts.codeOf('');
    const statuses = chunk.bytes('status');
    const failed = new Set(statusBytes(FAILED_STATUSES));
    const named = FAILED_STATUSES.find((name: EventStatus) => name === errorCode);
    const status = named === undefined ? -1 : STATUS[named];
    return keep(mask, (place) => {
      if (!failed.has(statuses[place] as number)) return false;
      const own = codes[place] as number;
      const hasNone = own === 0 || own === isEmpty;
      return (code !== 0 && own === code) || (hasNone && statuses[place] === status);
    });
  };

const fulfilling =
  (chunk: Chunk, condition: RowCondition): Narrow =>
  (mask) => {
    if (isSurelyAbsent(chunk, condition)) return false;
    const test = testOf(chunk, condition);
    return keep(mask, (place) => test(place) !== condition.not);
  };

/** Whether a filter of the chunk tells that it has none of the wanted users, sessions or traces. */
function isSurelyAbsent(chunk: Chunk, { field, not, values, globs, sought }: RowCondition): boolean {
  if (sought !== undefined && !not) {
    const own = sought.get(chunk.project);
    return own === undefined || hasNoTarget(chunk, own);
  }
  if (not || globs !== undefined || values === undefined) return false;
  const column = field === 'user' ? 'user_id' : field === 'session' ? 'session_id' : null;
  return column !== null && chunk.likelyTexts(column, values).length === 0;
}

const withLabel =
  (chunk: Chunk, wanted: readonly number[]): Narrow =>
  (mask) => {
    const labels = chunk.numbers('label');
    const set = new Set(wanted);
    return keep(mask, (place) => set.has(labels[place] as number));
  };

function keep(mask: Uint8Array, test: (place: number) => boolean): boolean {
  let left = false;
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    if (test(place)) left = true;
    else mask[place] = 0;
  }
  return left;
}

/** Whether an event can be a call by its kind. */
export const isCallKind = (kind: number): boolean => kind === KIND.llm || kind === KIND.embedding;

/** The cost status of a stored number; null for 0. */
export const costStatusOf = (byte: number): (typeof COST_STATUSES)[number] | null =>
  COST_STATUSES[byte - 1] ?? null;
