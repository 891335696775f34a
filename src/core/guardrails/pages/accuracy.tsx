import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { ReplyOf } from '../../../http/endpoint.ts';
import { toAccuracy } from '../../../lib/detect/accuracy.ts';
import { percentText } from '../../../lib/figures.ts';
import type { detectorsEndpoint } from '../contract.ts';
import { detectorsApi } from './guardrails-api.ts';

type Detector = ReplyOf<typeof detectorsEndpoint>['detectors'][number];

const share = (value: number | null): string => (value === null ? '–' : percentText(value));

/** How precise the detectors are, measured on their examples. */
export function Accuracy(): JSX.Element {
  const detectors = useApi(detectorsApi, {});
  const [isWhole, setIsWhole] = useState(false);
  return (
    <Panel
      title="Accuracy of the detectors"
      detail="measured on the examples that come with the product"
      actions={
        <Button size="compact-xs" variant="default" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show checks' : 'Show all types'}
        </Button>
      }
      flush
    >
      <Loaded of={detectors} loading={<LoadingRows rows={6} />}>
        {(data) => (
          <DataTable
            label="Accuracy of the detectors"
            rows={isWhole ? data.detectors : byCheck(data.detectors)}
            rowKey={({ check, type }) => `${check} ${type}`}
            columns={withCells<Detector>([
              { id: 'check', header: 'Check', value: ({ check }) => check },
              { id: 'type', header: 'Type', wide: true, value: ({ type }) => type },
              { id: 'examples', header: 'Examples', align: 'right', value: ({ examples }) => examples },
              {
                id: 'precision',
                header: 'Precision',
                align: 'right',
                value: ({ precision }) => precision ?? -1,
                cell: ({ precision }) => share(precision),
              },
              {
                id: 'recall',
                header: 'Recall',
                align: 'right',
                value: ({ recall }) => recall ?? -1,
                cell: ({ recall }) => share(recall),
              },
            ])}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** The figures of all types of a check together. */
function byCheck(detectors: readonly Detector[]): Detector[] {
  return [...Map.groupBy(detectors, ({ check }) => check)].map(([check, own]) => {
    const sum = (name: 'examples' | 'found' | 'missed' | 'wrong'): number =>
      own.reduce((all, one) => all + one[name], 0);
    const counts = {
      examples: sum('examples'),
      found: sum('found'),
      missed: sum('missed'),
      wrong: sum('wrong'),
    };
    const type = own.length === 1 ? 'all' : `${own.length} types`;
    return toAccuracy(check, type, counts);
  });
}
