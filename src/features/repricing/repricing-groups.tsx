import type { JSX } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { bucketSearch } from '../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { numberText } from '../../lib/figures.ts';
import { moneyColumn, signed } from '../../lib/money-column.ts';
import { formatInstant } from '../../lib/time.ts';
import type { RepricingGroup, RepricingRow } from './contract.ts';

type Sums = Pick<RepricingGroup, 'events' | 'unpricedBefore' | 'unpricedAfter' | 'before' | 'after'>;
type Row = Sums & { readonly key: string; readonly name: JSX.Element; readonly text: string };

type Props = { readonly groups: readonly RepricingGroup[]; readonly request: RepricingRow['request'] };

const DECIMALS = 4;
/** The server's name for all models beyond those that it lists. */
const OTHERS = 'others';
/** A missing price is not shown as $0. */
const NO_PRICE = <span className="badge warn">unpriced</span>;

/** What changes, by model and by day. */
export function RepricingGroups({ groups, request }: Props): JSX.Element {
  const range = { from: Date.parse(request.start), to: Date.parse(request.end) - 1, label: '' };
  const asked: EventsSearch = {
    start: formatInstant(range.from),
    end: formatInstant(range.to),
    range: undefined,
    live: undefined,
    environment: request.environment,
    provider: request.provider,
    model: request.model,
  };
  const byModel = addUp(
    groups,
    ({ provider, model }) => JSON.stringify([provider, model]),
    ({ provider, model }) => ({
      text: model ?? '',
      name:
        model === null ? (
          <span className="dim">no model</span>
        ) : provider === null && model === OTHERS ? (
          <span className="dim">others</span>
        ) : (
          <>
            <ProjectLink
              page="events"
              search={{ ...asked, model, provider: provider ?? undefined }}
              title={model}
            >
              {model}
            </ProjectLink>
            {provider !== null && <span className="dim"> {provider}</span>}
          </>
        ),
    }),
  );
  const byDay = addUp(
    groups,
    ({ day }) => day,
    ({ day }) => ({
      text: day,
      name: (
        <ProjectLink page="events" search={{ ...asked, ...bucketSearch(`${day}T00:00:00Z`, 'day', range) }}>
          {timeText.date(day, UTC)}
        </ProjectLink>
      ),
    }),
  );
  return (
    <div className="columns">
      <Panel title="By model" flush>
        <Sides
          label="What changes by model"
          header="Model"
          rows={byModel}
          sort={{ id: 'difference', desc: true }}
        />
      </Panel>
      <Panel title="By day" detail="UTC" flush>
        <Sides label="What changes by day" header="Day" rows={byDay} sort={{ id: 'name', desc: true }} />
      </Panel>
    </div>
  );
}

function addUp(
  groups: readonly RepricingGroup[],
  keyOf: (group: RepricingGroup) => string,
  show: (group: RepricingGroup) => Pick<Row, 'name' | 'text'>,
): Row[] {
  const rows = new Map<string, Row>();
  for (const group of groups) {
    const key = keyOf(group);
    const known = rows.get(key) ?? {
      key,
      events: 0,
      unpricedBefore: 0,
      unpricedAfter: 0,
      before: 0,
      after: 0,
      ...show(group),
    };
    rows.set(key, {
      ...known,
      events: known.events + group.events,
      unpricedBefore: known.unpricedBefore + group.unpricedBefore,
      unpricedAfter: known.unpricedAfter + group.unpricedAfter,
      before: known.before + group.before,
      after: known.after + group.after,
    });
  }
  return [...rows.values()];
}

type SidesProps = {
  readonly label: string;
  readonly header: string;
  readonly rows: readonly Row[];
  readonly sort: { readonly id: string; readonly desc: boolean };
};

function Sides({ label, header, rows, sort }: SidesProps): JSX.Element {
  const write = moneyColumn(
    rows.flatMap(({ before, after }) => [before, after]),
    DECIMALS,
  );
  const difference = signed(write);
  const columns: Column<Row>[] = [
    { id: 'name', header, wide: true, value: ({ text }) => text, cell: ({ name }) => name },
    {
      id: 'events',
      header: 'Events',
      align: 'right',
      value: ({ events }) => events,
      cell: ({ events }) => numberText(events),
    },
    {
      id: 'unpriced',
      header: 'Unpriced',
      align: 'right',
      value: ({ unpricedBefore }) => unpricedBefore,
      cell: ({ unpricedBefore, unpricedAfter }) =>
        unpricedBefore === 0 && unpricedAfter === 0 ? (
          <span className="dim">–</span>
        ) : (
          `${numberText(unpricedBefore)} → ${numberText(unpricedAfter)}`
        ),
    },
    {
      id: 'before',
      header: 'Before',
      align: 'right',
      value: ({ before }) => before,
      cell: ({ before, unpricedBefore, events }) => (unpricedBefore === events ? NO_PRICE : write(before)),
    },
    {
      id: 'after',
      header: 'After',
      align: 'right',
      value: ({ after }) => after,
      cell: ({ after, unpricedAfter, events }) => (unpricedAfter === events ? NO_PRICE : write(after)),
    },
    {
      id: 'difference',
      header: 'Difference',
      align: 'right',
      value: ({ before, after }) => Math.abs(after - before),
      cell: ({ before, after }) => difference(after - before),
    },
  ];
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ key }) => key} sort={sort} />;
}
