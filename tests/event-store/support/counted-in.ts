import type { PricedEvent } from '../../../src/core/events/event.ts';
import { linkedEventId } from '../../../src/lib/linked-event-id.ts';

/** The calls of some traces that count, by the rule span by span: by walking up from each. */
export function countedIn<E extends PricedEvent>(forest: readonly E[]): E[] {
  const byId = new Map(forest.map((one) => [one.trace_id + one.span_id, one]));
  const parentOf = (one: E): E | undefined =>
    one.parent_span_id === null ? undefined : byId.get(one.trace_id + one.parent_span_id);
  /** The earliest of a ring has no parent. */
  const isCut = (one: E): boolean => {
    const ring: E[] = [one];
    for (let up = parentOf(one); up !== one; up = parentOf(up)) {
      if (up === undefined || ring.includes(up)) return false;
      ring.push(up);
    }
    const order = (a: E, b: E): number => a.ts - b.ts || (a.span_id < b.span_id ? -1 : 1);
    return ring.toSorted(order)[0] === one;
  };
  const above = (one: E): E[] => {
    const parent = isCut(one) ? undefined : parentOf(one);
    return parent === undefined ? [] : [parent, ...above(parent)];
  };
  const tells = ({ buckets, status }: E): boolean => buckets.fresh > 0 || status !== 'success';
  const callsAbove = (one: E): E[] => above(one).filter(({ kind }) => kind === one.kind);
  /** An event of the SDK is preferred to an OTLP span, and either to a span that tells nothing. */
  const rank = (one: E): number =>
    tells(one) ? (one.event_id === linkedEventId(one.trace_id, one.span_id) ? 2 : 1) : 0;
  const calls = forest.filter(({ is_call }) => is_call);
  return calls.filter((one) => {
    const below = calls.filter((other) => callsAbove(other).includes(one));
    return (
      !callsAbove(one).some((outer) => rank(outer) >= rank(one)) &&
      !below.some((inner) => rank(inner) > rank(one))
    );
  });
}

/** The spans as they are stored: those that do not count are no calls. */
export function countedOnce<E extends PricedEvent>(forest: readonly E[]): E[] {
  const counted = new Set(countedIn(forest));
  return forest.map((one) => (counted.has(one) ? one : { ...one, is_call: false }));
}
