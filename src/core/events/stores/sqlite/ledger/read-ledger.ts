import type { Reader } from '../../../../../db/reader.ts';
import { type AppliedPrice, readyPrice } from '../../../../pricing/index.ts';
import type { LedgerQuery } from '../../../ledger.ts';
import { type Accounts, type PackedLedger, packLedger, type Ready } from '../../shared/ledger/accounts.ts';
import { refuseLost } from '../metrics/gaps.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { matchesOf } from '../scan/match.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import { addCalls } from './add-calls.ts';

/** The accounts of stored calls, and the totals of all calls. */
export function readLedger(
  reader: Reader,
  { window, environment, byTags = false }: LedgerQuery,
): PackedLedger {
  const filters = environment === null ? {} : { environment };
  const accounts: Accounts = new Map();
  for (const project of reader.projects) {
    const prices = readPrices(reader, project);
    refuseLost(reader, project, window);
    for (const ref of chunksOf(reader, project, window, { keep: false })) {
      const chunk = ref.open();
      const mask = matchesOf(chunk, { filters, calls: true }, window);
      if (mask !== null) addCalls(accounts, chunk, mask, { prices, byTags });
    }
  }
  const models = queryMetrics(reader, {
    measures: ['cost', 'requests', 'unpriced'],
    groupBy: ['provider', 'model'],
    window,
    filters,
  });
  return packLedger(accounts, models);
}

export function readPrices(reader: Reader, project: number): Map<number, Ready> {
  const rows = reader.rows('SELECT id, json FROM event_prices WHERE project = ?', [project]);
  return new Map(
    rows.map(([id, json]) => [
      Number(id),
      { id: Number(id), ...readyPrice(JSON.parse(String(json)) as AppliedPrice) },
    ]),
  );
}
