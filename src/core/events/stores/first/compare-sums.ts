import type { Connection } from '../../../../db/connection.ts';
import type { Reader } from '../../../../db/reader.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import { FLAG } from '../sqlite/columns.ts';
import { adderOf, createSums, S, type SumArray } from '../sqlite/scan/call-sums.ts';
import type { Chunk } from '../sqlite/scan/chunk.ts';
import { segmentsOf } from '../sqlite/scan/open-chunks.ts';

/** Sums of the events of a day and model in both files, where they differ. Cost in nano-dollars. */
export type SumDifference = {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly before: DaySums;
  readonly after: DaySums;
};
export type DaySums = {
  readonly events: number;
  readonly calls: number;
  readonly costNano: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** Sums by the key of a day and model. */
export type Sums = Map<string, number[]>;
const NOTHING = [0, 0, 0, 0, 0];
const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Compares the events of a project before and after an upgrade: each side is summed from its own events, by UTC day,
 * provider and model. Empty if nothing was lost or changed.
 */
export function compareSums(before: Connection, after: Reader, project: number): SumDifference[] {
  return differencesOf(sumsOfFirst(before, project), sumsOfSegments(after, project));
}

/** Where two sums differ. */
export function differencesOf(first: Sums, second: Sums): SumDifference[] {
  const keys = [...new Set([...first.keys(), ...second.keys()])].sort();
  return keys.flatMap((key) => {
    const [old, now] = [first.get(key) ?? NOTHING, second.get(key) ?? NOTHING];
    if (old.every((value, i) => value === now[i])) return [];
    const [day, provider, model] = JSON.parse(key) as [number, string | null, string | null];
    const name = new Date(day * DAY_MS).toISOString().slice(0, 10);
    return [{ day: name, provider, model, before: named(old), after: named(now) }];
  });
}

const named = ([
  events = 0,
  calls = 0,
  costNano = 0,
  inputTokens = 0,
  outputTokens = 0,
]: number[]): DaySums => ({
  events,
  calls,
  costNano,
  inputTokens,
  outputTokens,
});

/** The key of a UTC day (days since the epoch) and model in `Sums`. */
export const keyOf = (day: number, provider: string | null, model: string | null): string =>
  JSON.stringify([day, provider, model]);

function sumsOfFirst(connection: Connection, project: number): Sums {
  const rows = connection
    .prepare(
      `SELECT ts / ${DAY_MS}, provider, model, count(*), total(is_call), total(iif(is_call, cost_nano, 0)),
         total(iif(is_call, fresh_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens, 0)),
         total(iif(is_call, output_tokens + reasoning_tokens, 0))
       FROM events WHERE project = ? GROUP BY 1, 2, 3`,
    )
    .raw(true)
    .all([project]) as [number, string | null, string | null, ...number[]][];
  return new Map(rows.map(([day, provider, model, ...sums]) => [keyOf(day, provider, model), sums]));
}

function sumsOfSegments(reader: Reader, project: number): Sums {
  const sums: Sums = new Map();
  for (const ref of segmentsOf(reader, project, ALWAYS)) addChunk(sums, ref.open());
  return sums;
}

/** Adds the events of a chunk to sums. */
export function addChunk(sums: Sums, chunk: Chunk): void {
  const [ts, flags] = [chunk.numbers('ts'), chunk.bytes('flags')];
  const [providers, models] = [chunk.texts('provider'), chunk.texts('model')];
  const add = adderOf(chunk);
  const groups = new Map<number, { readonly key: string; events: number; readonly calls: SumArray }>();
  const present = chunk.present();
  for (let place = 0; place < chunk.events; place++) {
    if (present[place] === 0) continue;
    const day = Math.floor((ts[place] as number) / DAY_MS);
    const [provider, model] = [providers.codes[place] as number, models.codes[place] as number];
    const id = (day * 65_536 + provider) * 65_536 + model;
    const known = groups.get(id) ?? {
      key: keyOf(day, providers.strings[provider - 1] ?? null, models.strings[model - 1] ?? null),
      events: 0,
      calls: createSums(),
    };
    groups.set(id, known);
    known.events++;
    if (((flags[place] as number) & FLAG.call) !== 0) add(known.calls, place);
  }
  for (const { key, events, calls } of groups.values()) {
    const known = sums.get(key) ?? [...NOTHING];
    const own = [S.requests, S.cost_nano, S.input_tokens, S.output_tokens].map((sum) => calls[sum] ?? 0);
    sums.set(
      key,
      [events, ...own].map((value, i) => (known[i] ?? 0) + value),
    );
  }
}
