import { z } from 'zod';
import { operatorOrganization } from '../../src/core/tenancy/index.ts';
import {
  type Drift,
  type DriftLine,
  driftEndpoint,
} from '../../src/features/reconcile/connectors/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { money } from '../format.ts';
import { readOfOrganization } from '../organization.ts';
import type { Column, Output } from '../output.ts';
import { orgOption } from '../prices/fields.ts';
import { facts, section } from '../report/pieces.ts';

const day = z.iso.date('expected a day such as 2026-10-31');

export const connectorsDrift = defineCommand({
  name: 'connectors drift',
  summary: "Compare the providers' own figures with the ledger, by day and model",
  options: {
    ...orgOption,
    from: { value: 'DAY', summary: 'First day; 30 days before the last by default', type: day },
    to: { value: 'DAY', summary: 'Last day; yesterday by default', type: day },
    connector: { value: 'ID', summary: 'Only this connector' },
  },
  examples: [
    'spanledger connectors drift',
    'spanledger connectors drift --from 2026-10-01 --to 2026-10-31 --json',
  ],
  run: async (ctx) => {
    const { reportDrift } = await import('../../src/features/reconcile/index.ts');
    const { from, to, connector } = ctx.options;
    const doc = await readOfOrganization<Drift>(ctx, ctx.options.org, {
      file: (app, { id }) => reportDrift(app, operatorOrganization(id), { from, to, connector }),
      server: (server, { id: organizationId }) =>
        server.get(driftEndpoint, { query: { organizationId, from, to, connector } }),
    });
    ctx.output.result(doc, () => {
      if (doc.connectors.length > 0) return print(ctx.output, doc);
      ctx.output.info('No connectors: set CONNECTORS_FILE as the README describes');
    });
  },
});

const MOST_LINES = 30;

const columns: readonly Column<DriftLine>[] = [
  { header: 'day', value: (line) => line.day, fixed: true },
  { header: 'model', value: ({ model }) => model },
  { header: 'provider', value: ({ providerUsd }) => money(providerUsd) },
  { header: 'ledger', value: ({ ledgerUsd }) => money(ledgerUsd) },
  {
    header: 'drift',
    value: ({ driftUsd, over }) => ({ ...money(driftUsd), tone: over ? 'bad' : 'plain' }),
  },
  {
    header: '%',
    value: ({ driftPercent }) =>
      driftPercent === null ? null : { text: driftPercent.toFixed(1), align: 'right' },
  },
  {
    header: 'reason',
    value: ({ reasons, restatedAt }) =>
      [...reasons.map(({ text }) => text), ...(restatedAt === null ? [] : ['restated'])].join('; '),
  },
];

function print(output: Output, doc: Drift): void {
  const { total, counts, threshold } = doc;
  facts(output, [
    { label: 'Provider', value: money(total.providerUsd), note: `${doc.from} – ${doc.to}` },
    { label: 'Ledger', value: money(total.ledgerUsd), note: '' },
    {
      label: 'Drift',
      value: money(total.driftUsd),
      note: total.driftPercent === null ? '' : `${total.driftPercent.toFixed(1)} %`,
    },
  ]);
  if (doc.lines.length === 0) output.info('No figures of these days');
  else {
    section(output, 'By day and model', 'largest difference first');
    output.table(columns, doc.lines.slice(0, MOST_LINES));
    if (doc.lines.length > MOST_LINES) output.info(`and ${counts.lines - MOST_LINES} more lines: see --json`);
  }
  if (counts.over > 0)
    output.warn(
      `${countText(counts.over, 'line')} reach the threshold of ${threshold.percent} % and $${threshold.usd}`,
    );
  for (const { id, error } of doc.connectors) if (error !== null) output.warn(`${id}: ${error}`);
}
