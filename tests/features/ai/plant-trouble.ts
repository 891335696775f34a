import { FIRST, HOURS, type HourCall } from './demo-hours.ts';

/** What was planted: an anomaly of this measure and value must cover the hour. */
type Trouble = {
  readonly kind: string;
  readonly measure: string;
  readonly dimension: 'all' | 'model' | 'user';
  readonly value: string | null;
  readonly hour: number;
  readonly calls: readonly HourCall[];
};

type Below = (max: number) => number;
const pick = <T>(all: readonly T[], below: Below): T => {
  const one = all[below(all.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
};

/** Hours that are judged in which a line has enough calls. */
function busyHour(calls: readonly HourCall[], least: number, below: Below): number {
  const counts = new Map<number, number>();
  for (const { hour } of calls) counts.set(hour, (counts.get(hour) ?? 0) + 1);
  return pick(
    Array.from({ length: HOURS - FIRST }, (_, at) => FIRST + at).filter(
      (at) => (counts.get(at) ?? 0) >= least,
    ),
    below,
  );
}

/** A model with at least 40 calls an hour takes six to twelve times as long for one or two hours. */
export function slowModel(calls: readonly HourCall[], below: Below): Trouble {
  const models = [...Map.groupBy(calls, ({ model }) => model)].filter(
    ([model, own]) => own.length > HOURS * 8 && !model.includes('embedding'),
  );
  const [model, own] = pick(models, below);
  const hour = busyHour(own, 40, below);
  const [factor, last] = [6 + below(7), hour + below(2)];
  return {
    kind: 'slow model',
    measure: 'latencyP95',
    dimension: 'model',
    value: model,
    hour,
    calls: calls.map((call) =>
      call.model === model && call.hour >= hour && call.hour <= last && call.ms !== null
        ? { ...call, ms: call.ms * factor }
        : call,
    ),
  };
}

/** A user runs a loop: 60 to 160 more calls of an expensive model in an hour. */
export function spendingUser(calls: readonly HourCall[], below: Below): Trouble {
  const user = pick(
    [...Map.groupBy(calls, (call) => call.user)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, 8)
      .flatMap(([name]) => name ?? []),
    below,
  );
  const hour = FIRST + below(HOURS - FIRST);
  const one = {
    hour,
    model: 'gpt-4o',
    user,
    agent: null,
    usd: 0.03 + below(5) / 100,
    ms: 3_000,
    failed: false,
  };
  return {
    kind: 'spending user',
    measure: 'cost',
    dimension: 'user',
    value: user,
    hour,
    calls: [...calls, ...Array.from({ length: 60 + below(101) }, () => one)],
  };
}

/** A third to two thirds of the calls of an hour fail. */
export function errorBurst(calls: readonly HourCall[], below: Below): Trouble {
  const hour = busyHour(calls, 25, below);
  const share = (33 + below(34)) / 100;
  return {
    kind: 'error burst',
    measure: 'errors',
    dimension: 'all',
    value: null,
    hour,
    calls: calls.map((call) =>
      call.hour === hour && below(1_000) < share * 1_000 ? { ...call, failed: true } : call,
    ),
  };
}
