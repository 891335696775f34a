import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { type JSX, useState } from 'react';
import { timeText, type Zone } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { CustomRange } from './custom-range.tsx';
import { type Scope, useScope, useSetSearch } from './scope.ts';
import { DEFAULT_PRESET, isPreset, PRESETS } from './time-range.ts';
import { useFacets } from './use-facets.ts';

/** Environment, time range and live: what all figures of a page are about. */
export function ScopeControls(): JSX.Element {
  const scope = useScope();
  return (
    <>
      <EnvironmentMenu scope={scope} />
      <RangeMenu scope={scope} />
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

const customLabel = ({ from, to }: Scope['range'], zone: Zone): string =>
  to === null
    ? `Since ${timeText.minute(from, zone)}`
    : `${timeText.minute(from, zone)} – ${timeText.minute(to, zone)}`;

function RangeMenu({ scope }: { scope: Scope }): JSX.Element {
  const { search, range, zone } = scope;
  const setSearch = useSetSearch();
  const [opened, setOpened] = useState(false);
  const custom = search.start !== undefined;
  const current = custom ? undefined : isPreset(search.range) ? search.range : DEFAULT_PRESET;
  return (
    <Menu position="bottom-end" width={280} shadow="md" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button
          variant="default"
          className="control"
          leftSection={<Icon name="calendar" size={14} />}
          rightSection={<Icon name="chevron" size={14} />}
        >
          <span className="clip num">{custom ? customLabel(range, zone) : range.label}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(PRESETS).map(([name, { label }]) => (
          <Menu.Item
            key={name}
            onClick={() =>
              setSearch({
                range: name === DEFAULT_PRESET ? undefined : name,
                start: undefined,
                end: undefined,
              })
            }
            rightSection={current === name && <Icon name="check" size={14} />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <CustomRange
          range={range}
          zone={zone}
          onApply={(start, end) => {
            setSearch({ start, end, range: undefined, live: undefined });
            setOpened(false);
          }}
        />
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick={false}
          onClick={() => setSearch({ tz: zone === 'utc' ? 'local' : undefined })}
          rightSection={<span className="dim">{zone === 'utc' ? 'UTC' : localZone()}</span>}
        >
          Times in {zone === 'utc' ? 'UTC' : 'local time'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

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
