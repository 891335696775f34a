import { Popover, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { JSX } from 'react';
import { MarkList, markKey, type ShownMark } from './mark-list.tsx';
import css from './marks.module.css';
import { shownMarks, shownRanges } from './marks.ts';
import { groupNear, placeInTime } from './place-in-time.ts';
import { type ChartProps, endOf, PLOT } from './time-series.ts';

const TONES = {
  neutral: 'var(--mantine-color-dimmed)',
  warn: 'var(--sl-warn)',
  bad: 'var(--sl-bad)',
};
const toneOf = ({ tone = 'neutral' }: ShownMark): { color: string } => ({ color: TONES[tone] });
const percent = (fraction: number): string => `${fraction * 100}%`;

/** Handles nearer to each other than this become one. */
const APART_PX = 26;

/** Marks and ranges over a chart, with handles that name them and lead to them. */
export function Marks({ points, bucket, zone, marks = [], ranges = [] }: ChartProps): JSX.Element {
  const { ref, width } = useElementSize();
  const starts = points.map(({ time }) => Date.parse(time));
  const end = endOf(points, bucket);
  const within = { start: starts[0] ?? 0, end, zone };
  const placeOf = (at: number): number => placeInTime(at, starts, end);
  const areas = shownRanges(ranges, within);
  const lines = shownMarks(marks, within);
  const handles = [
    ...areas.map((area) => ({ ...area, place: (placeOf(area.start) + placeOf(area.end)) / 2 })),
    ...lines.map((line) => ({ ...line, place: placeOf(line.start) })),
  ];
  return (
    <div
      ref={ref}
      className={css.over}
      style={{ left: PLOT.left, right: PLOT.right, bottom: PLOT.bottom + PLOT.below }}
    >
      {areas.map((area) => (
        <i
          key={markKey(area)}
          className={css.area}
          style={{
            ...toneOf(area),
            left: percent(placeOf(area.start)),
            width: percent(placeOf(area.end) - placeOf(area.start)),
          }}
        />
      ))}
      {lines.map((line) => (
        <i
          key={markKey(line)}
          className={css.line}
          style={{ ...toneOf(line), left: percent(placeOf(line.start)) }}
        />
      ))}
      {groupNear(handles, APART_PX / Math.max(1, width)).map((group) => (
        <Handle key={group.map(markKey).join()} group={group} />
      ))}
    </div>
  );
}

type Placed = ShownMark & { readonly place: number };

/** What a person points at, tabs to and opens: one thing at once, several as a list. */
function Handle({ group }: { group: readonly Placed[] }): JSX.Element | null {
  const [first] = group;
  if (first === undefined) return null;
  const place = group.reduce((sum, one) => sum + one.place, 0) / group.length;
  const worst =
    group.find(({ tone }) => tone === 'bad') ?? group.find(({ tone }) => tone === 'warn') ?? first;
  const style = { left: percent(place) };
  if (group.length > 1)
    return (
      <div className={css.handle} style={style}>
        <Popover position="top" shadow="md" withinPortal trapFocus returnFocus>
          <Popover.Target>
            <button
              type="button"
              aria-label={`${group.length} marks: ${group.map(({ name }) => name).join(', ')}`}
            >
              <span className={css.count} style={toneOf(worst)}>
                {group.length}
              </span>
            </button>
          </Popover.Target>
          <Popover.Dropdown aria-label="Marks">
            <MarkList marks={group} />
          </Popover.Dropdown>
        </Popover>
      </div>
    );
  const content = (
    <>
      <span className={css.shape} style={toneOf(first)} />
      <span className="sr">
        {first.name}, {first.when}
      </span>
    </>
  );
  return (
    <Tooltip label={`${first.name} · ${first.when}`} events={{ hover: true, focus: true, touch: true }}>
      <div className={css.handle} style={style}>
        {first.link === undefined ? <span>{content}</span> : first.link(content)}
      </div>
    </Tooltip>
  );
}
