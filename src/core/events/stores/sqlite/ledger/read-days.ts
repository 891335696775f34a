import { collectAllGarbage, collectYoungGarbage } from '../../../../../db/collect-garbage.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { LedgerDay, LedgerDayQuery, LedgerDayState, LedgerDaysQuery } from '../../../ledger.ts';
import { createPartyRows } from '../../shared/ledger/party-rows.ts';
import { gapsOf, lostOf } from '../metrics/gaps.ts';
import { matchesOf } from '../scan/match.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import { addPartyCalls } from './add-party-calls.ts';
import { partyCodesOf } from './party-codes.ts';
import { readPrices } from './read-ledger.ts';

/** The state of each day of a range, of one project. */
export function readLedgerDays(reader: Reader, { from, to }: LedgerDaysQuery): LedgerDayState[] {
  const [project] = reader.projects;
  const length = Math.max(0, to - from);
  const parts: string[][] = Array.from({ length }, () => []);
  if (project === undefined || length === 0) return [];
  const window = { from: from * DAY_MS, to: to * DAY_MS };
  for (const [part, first, last] of partsOf(reader, project, window)) {
    const end = Math.min(to - 1, Math.floor(last / DAY_MS));
    for (let day = Math.max(from, Math.floor(first / DAY_MS)); day <= end; day++)
      parts[day - from]?.push(part);
  }
  const { complete } = gapsOf(reader, project);
  const lost = lostOf(reader, project);
  return parts.map((own, i) => {
    const [start, end] = [(from + i) * DAY_MS, (from + i + 1) * DAY_MS];
    return {
      day: from + i,
      stamp: own.length === 0 ? '' : Bun.hash(own.join()).toString(36),
      complete: start >= complete && !lost.some((hole) => hole.from < end && hole.to >= start),
    };
  });
}

/**
 * What events of a window are stored in, with the times of the first and last: segments by number and version, batches
 * by number, which never change but for the events that begin or cease to count as calls.
 */
function* partsOf(
  reader: Reader,
  project: number,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<[part: string, first: number, last: number]> {
  const segments = reader.rows(
    `SELECT no, version, ready, first_ts, last_ts, (SELECT places FROM event_segment_flips AS f WHERE f.no = s.no)
     FROM event_segments AS s
     WHERE ready > 0 AND project = ? AND last_ts >= ? AND last_ts < ? AND first_ts < ? ORDER BY no`,
    [project, from, to + DAY_MS, to],
  );
  for (const [no, version, ready, first, last, flips] of segments)
    yield [`s${no}.${version}.${ready}.${flips ?? ''}`, Number(first), Number(last)];
  const batches = reader.rows(
    `SELECT seq, first_ts, last_ts, (SELECT places FROM event_log_flips AS f WHERE f.seq = l.seq)
     FROM event_log AS l WHERE project = ? AND last_ts >= ? AND first_ts < ? ORDER BY seq`,
    [project, from, to],
  );
  for (const [seq, first, last, flips] of batches)
    yield [`b${seq}.${flips ?? ''}`, Number(first), Number(last)];
}

/** Events after which the garbage of their columns is collected. */
const COLLECTED = 50_000;

/** A day on its way from the reader: its rows as base64. */
export type PackedDay = Omit<LedgerDay, 'rows'> & { readonly rows: string };

/** The stored calls of a day by party, of one project. */
export function readLedgerDay(
  reader: Reader,
  { day, by, projectId }: LedgerDayQuery & { readonly projectId: string },
): PackedDay {
  const sums = createPartyRows(by);
  let [unread, isLarge] = [COLLECTED, false];
  const [state] = readLedgerDays(reader, { from: day, to: day + 1 });
  const window = { from: day * DAY_MS, to: (day + 1) * DAY_MS };
  for (const project of reader.projects.slice(0, 1)) {
    const prices = readPrices(reader, project);
    const partiesIn = partyCodesOf(reader, by, projectId);
    for (const ref of chunksOf(reader, project, window, { keep: false })) {
      const chunk = ref.open();
      const mask = matchesOf(chunk, { filters: {}, calls: true }, window);
      if (mask !== null) addPartyCalls(sums, chunk, mask, { prices, parties: partiesIn(chunk) });
      unread -= ref.events;
      if (unread > 0) continue;
      collectYoungGarbage();
      unread = COLLECTED;
      isLarge = true;
    }
  }
  if (isLarge) collectAllGarbage();
  const { rows, ...found } = sums.toDay();
  const { stamp = '', complete = true } = state ?? {};
  return { stamp, complete, ...found, rows: rows.toBase64() };
}
