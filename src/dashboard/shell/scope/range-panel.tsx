import { Button, Divider, Switch, UnstyledButton } from '@mantine/core';
import type { JSX } from 'react';
import { DEFAULT_PRESET, PRESETS } from '../../../lib/ranges/presets.ts';
import { timeText, zoneText } from '../../ui/format.ts';
import { CustomRange } from './custom-range.tsx';
import css from './range-panel.module.css';
import type { Scope } from './scope.ts';
import { useSetSearch } from './scope.ts';
import type { WindowSearch } from './search.ts';
import { besideRange, isPreset, widerRange } from './time-range.ts';
import { ZoneSelect } from './zone-select.tsx';

type Props = { readonly scope: Pick<Scope, 'search' | 'range' | 'zone'>; readonly onDone: () => void };

/** Ranges by name, steps from the one that is shown, a range of one's own, and the zone of all times. */
export function RangePanel({ scope: { search, range, zone }, onDone }: Props): JSX.Element {
  const setSearch = useSetSearch();
  const choose = (chosen: WindowSearch): void => {
    setSearch(chosen);
    onDone();
  };
  const isCustom = search.start !== undefined;
  const current = isCustom ? undefined : isPreset(search.range) ? search.range : DEFAULT_PRESET;
  const now = Date.now();
  return (
    <div className={css.panel}>
      <p className={`dim num ${css.window}`}>
        {timeText.minute(range.from, zone)} – {range.to === null ? 'now' : timeText.minute(range.to, zone)},{' '}
        {zoneText(zone)}
      </p>
      <div className={css.presets}>
        {Object.entries(PRESETS).map(([name, { label }]) => (
          <UnstyledButton
            key={name}
            aria-pressed={current === name}
            onClick={() =>
              choose({
                range: name === DEFAULT_PRESET ? undefined : name,
                start: undefined,
                end: undefined,
              })
            }
          >
            {label}
          </UnstyledButton>
        ))}
      </div>
      <div className={css.steps}>
        <Button variant="default" onClick={() => choose(besideRange(range, now, -1))}>
          Earlier
        </Button>
        <Button variant="default" onClick={() => choose(widerRange(range, now))}>
          Zoom out
        </Button>
        <Button
          variant="default"
          disabled={range.to === null || range.to >= now}
          onClick={() => choose(besideRange(range, now, 1))}
        >
          Later
        </Button>
      </div>
      <Divider />
      <CustomRange
        range={range}
        zone={zone}
        onApply={(start, end) => choose({ start, end, range: undefined, live: undefined })}
      />
      <Divider />
      <Switch
        label="Compare with the previous period"
        checked={search.compare === '1'}
        onChange={({ currentTarget: { checked } }) => setSearch({ compare: checked ? '1' : undefined })}
      />
      <ZoneSelect />
    </div>
  );
}
