import type { JSX } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { stretchSearch } from '../../../dashboard/shell/scope/scope.ts';
import type { TimeRange } from '../../../dashboard/shell/scope/time-range.ts';
import { timeText, UTC, type Zone, zoneText } from '../../../dashboard/ui/format.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import { DAY_MS, floorToDay, HOUR_MS } from '../../../lib/time.ts';
import { wallClock } from '../../../lib/time-zone.ts';
import type { ErrorsReply } from '../contract.ts';
import { type ClockHour, toClockHours } from './clock-hours.ts';
import css from './rate-limit-heatmap.module.css';

/** Days shown: the newest of a long range. */
const MOST_DAYS = 31;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

type Props = {
  readonly hours: ErrorsReply['rateLimitHeatmap'];
  readonly range: TimeRange;
  readonly zone: Zone;
};

/** Days by hours of the person's zone; a field with refusals leads to them. */
export function RateLimitHeatmap({ hours, range, zone }: Props): JSX.Element {
  if (hours.length === 0) return <Notice icon="check" title="No rate-limited calls in this time" />;
  const counts = toClockHours(hours, zone);
  const top = Math.max(...[...counts.values()].map(({ count }) => count));
  const dayOf = (ms: number): number => floorToDay(wallClock(ms, zone));
  const last = dayOf(range.to ?? Date.now());
  const first = Math.max(dayOf(range.from), last - (MOST_DAYS - 1) * DAY_MS);
  const days = Array.from(
    { length: Math.round((last - first) / DAY_MS) + 1 },
    (_, place) => last - place * DAY_MS,
  );
  return (
    <section className={css.heatScroll} tabIndex={0} aria-label="Rate limited calls by day and hour">
      <div className={css.heat}>
        <span className="heat-corner dim">{zoneText(zone)}</span>
        {HOURS.map((hour) => (
          <span key={hour} className={`${css.heatHour} dim`}>
            {hour % 3 === 0 ? String(hour).padStart(2, '0') : ''}
          </span>
        ))}
        {days.map((day) => (
          <Day key={day} {...{ day, counts, top, range, zone }} />
        ))}
      </div>
    </section>
  );
}

type DayProps = Omit<Props, 'hours'> & {
  /** As a wall clock shows it. */
  readonly day: number;
  readonly counts: ReadonlyMap<number, ClockHour>;
  readonly top: number;
};

const Day = ({ day, counts, top, range, zone }: DayProps): JSX.Element => (
  <>
    <span className={`${css.heatDay} dim`}>{timeText.day(day, UTC)}</span>
    {HOURS.map((hour) => {
      const clock = day + hour * HOUR_MS;
      const found = counts.get(clock);
      if (found === undefined) return <span key={hour} className={css.heatCell} />;
      const { count, from, to } = found;
      const text = `${timeText.minute(clock, UTC)} ${zoneText(zone)}: ${numberText(count)} rate limited`;
      return (
        <ProjectLink
          key={hour}
          page="events"
          className={`${css.heatCell} ${css[`heat${Math.max(1, Math.ceil((count / top) * 4))}`]}`}
          title={text}
          search={{ ...stretchSearch(from, to, range), status: 'rate_limited' }}
        >
          <span className="sr">{text}</span>
        </ProjectLink>
      );
    })}
  </>
);
