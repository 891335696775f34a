import { ActionIcon, Button, Menu, Popover, Skeleton, Tooltip } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import { timeText, type Zone, zoneText } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { type Scope, useScope, useSetSearch } from './scope.ts';
import { widerRange } from './time-range.ts';
import { useFacets } from './use-facets.ts';

/** Environment, time range and live: what all figures of a page are about. */
export function ScopeControls(): JSX.Element {
  const scope = useScope();
  return (
    <>
      <EnvironmentMenu scope={scope} />
      <RangeControl scope={scope} />
      <LiveButton on={scope.search.live === '1'} disabled={scope.range.to !== null} />
    </>
  );
}

/** Which environment the figures are of. */
export function EnvironmentMenu({ scope }: { scope: Scope }): JSX.Element {
  const { search } = scope;
  const setSearch = useSetSearch();
  const named = useFacets(scope)?.environments ?? [];
  const chosen = search.environment;
  const choose = (environment: string | undefined) => () => setSearch({ environment });
  return (
    <Menu position="bottom-end" width={220} shadow="md">
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="chevron" size={14} />} className="control">
          <span className="clip">{chosen ?? 'All environments'}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={choose(undefined)}
          rightSection={chosen === undefined && <Icon name="check" size={14} />}
        >
          All environments
        </Menu.Item>
        {named.map(({ value, calls }) => (
          <Menu.Item
            key={value}
            onClick={choose(value)}
            rightSection={chosen === value ? <Icon name="check" size={14} /> : <Count of={calls} />}
          >
            {value}
          </Menu.Item>
        ))}
        {named.length === 0 && <Menu.Label>No events in this time</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}

const Count = ({ of }: { of: number }): JSX.Element => (
  <span className="dim num">{of.toLocaleString('en-US')}</span>
);

/** Time range and zone; the zone is in sight, because it decides when a day begins. */
function RangeControl({ scope }: { scope: Scope }): JSX.Element {
  const { search, range, zone } = scope;
  const setSearch = useSetSearch();
  const [opened, setOpened] = useState(false);
  const isCustom = search.start !== undefined;
  return (
    <>
      {isCustom && (
        <Tooltip label="Zoom out">
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Zoom out"
            onClick={() => setSearch(widerRange(range, Date.now()))}
          >
            <Icon name="zoomOut" size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      <Popover
        position="bottom-end"
        width={300}
        shadow="md"
        opened={opened}
        onChange={setOpened}
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant="default"
            className="control"
            leftSection={<Icon name="calendar" size={14} />}
            rightSection={<Icon name="chevron" size={14} />}
            onClick={() => setOpened(!opened)}
          >
            <span className="clip num">
              {isCustom ? customLabel(range, zone) : range.label}{' '}
              <span className="dim">{zoneText(zone)}</span>
            </span>
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Time range">
          <Suspense fallback={<Skeleton height={420} />}>
            <RangePanel scope={scope} onDone={() => setOpened(false)} />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

const RangePanel = lazy(async () => ({ default: (await import('./range-panel.tsx')).RangePanel }));

const customLabel = ({ from, to }: Scope['range'], zone: Zone): string =>
  to === null
    ? `Since ${timeText.minute(from, zone)}`
    : `${timeText.minute(from, zone)} – ${isSameDay(from, to, zone) ? timeText.clock(to, zone) : timeText.minute(to, zone)}`;

const isSameDay = (from: number, to: number, zone: Zone): boolean =>
  timeText.date(from, zone) === timeText.date(to, zone);

function LiveButton({ on, disabled }: { on: boolean; disabled: boolean }): JSX.Element {
  const setSearch = useSetSearch();
  const label = disabled
    ? 'Live updates need a range that ends now'
    : on
      ? 'Stop live updates'
      : 'Live (refreshes every 5 s)';
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={on ? 'light' : 'default'}
        size={30}
        aria-label={label}
        aria-pressed={on}
        disabled={disabled}
        onClick={() => setSearch({ live: on ? undefined : '1' })}
      >
        <Icon name="live" size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
