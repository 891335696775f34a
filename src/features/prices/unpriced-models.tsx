import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { ModelLink } from '../../core/events/widgets/model-link.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { compactText, numberText } from '../../lib/figures.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import type { PriceFor } from './asked-price.tsx';
import type { UnpricedReply } from './contract.ts';
import { labelOf } from './rate-labels.ts';

type Model = UnpricedReply['models'][number];
type Props = {
  readonly models: readonly Model[];
  readonly zone: Zone;
  /** Null for those who may not set prices. */
  readonly onSet: ((of: PriceFor) => void) | null;
};

/** Models that were called without a price, and what to do about each. */
export function UnpricedModels({ models, zone, onSet }: Props): JSX.Element {
  if (models.length === 0) return <Notice icon="check" title="Every call in this time has a price" />;
  const columns: Column<Model>[] = [
    {
      id: 'model',
      header: 'Model',
      wide: true,
      cell: ({ model, provider, reason, missingRate }) => (
        <span className="marked">
          <ModelLink model={model} search={{ provider: provider ?? undefined }} />
          {missingRate !== null && (
            <span className="badge warn badge-after">no rate: {labelOf(missingRate)}</span>
          )}
          {reason === 'no_usage' && (
            <a
              href="/docs/events"
              className="badge warn badge-after"
              title="The calls succeeded, but their sender reported no tokens. A price changes nothing: send token counts."
            >
              no token counts
            </a>
          )}
          {reason !== null ? null : onSet === null ? (
            <span className="badge good badge-after">now priced</span>
          ) : (
            <ProjectLink
              page="costs/repricing"
              search={{ model, provider: provider ?? undefined, costStatus: 'unpriced' }}
              className="badge good badge-after"
              title="New calls are priced. Re-price past calls."
            >
              now priced: re-price
            </ProjectLink>
          )}
        </span>
      ),
    },
    { id: 'provider', header: 'Provider', cell: ({ provider }) => provider ?? '–' },
    { id: 'calls', header: 'Calls', align: 'right', cell: ({ unpriced }) => numberText(unpriced) },
    { id: 'input', header: 'Input', align: 'right', cell: ({ inputTokens }) => compactText(inputTokens) },
    {
      id: 'output',
      header: 'Output',
      align: 'right',
      cell: ({ outputTokens }) => compactText(outputTokens),
    },
    { id: 'last', header: 'Last seen', cell: ({ lastSeen }) => timeText.minute(lastSeen, zone) },
    {
      id: 'actions',
      header: '',
      cell: ({ provider, model, missingRate, reason }) =>
        onSet === null || model === NO_MODEL || reason === 'no_usage' ? null : (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => onSet({ provider, model, rate: missingRate ?? undefined })}
          >
            {missingRate === null ? 'Set price' : 'Add rate'}
          </Button>
        ),
    },
  ];
  return (
    <DataTable
      label="Models without a price"
      phone={['model', 'provider', 'calls', 'actions']}
      columns={columns}
      rows={models}
      rowKey={({ provider, model }) => `${provider} ${model}`}
    />
  );
}
