import type { JSX } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { bucketSearch } from '../../../dashboard/shell/scope/scope.ts';
import type { TimeRange } from '../../../dashboard/shell/scope/time-range.ts';
import { timeText, UTC } from '../../../dashboard/ui/format.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import { DAY_MS, floorToDay, formatInstant, HOUR_MS } from '../../../lib/time.ts';
import type { ErrorsReply } from '../contract.ts';
import css from './rate-limit-heatmap.module.css';

/** Days shown: the newest of a long range. */
const MOST_DAYS = 31;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

type Props = { readonly hours: ErrorsReply['rateLimitHeatmap']; readonly range: TimeRange };

/** Days by hours of UTC; a field with refusals leads to them. */
export function RateLimitHeatmap({ hours, range }: Props): JSX.Element {
  if (hours.length === 0) return <Notice icon="check" title="No rate-limited calls in this time" />;
  const counts = new Map(hours.map(({ hour, rate_limited_count }) => [Date.parse(hour), rate_limited_count]));
  const top = Math.max(...counts.values());
  const last = floorToDay(range.to ?? Date.now());
  const first = Math.max(floorToDay(range.from), last - (MOST_DAYS - 1) * DAY_MS);
  const days = Array.from(
    { length: Math.round((last - first) / DAY_MS) + 1 },
    (_, place) => last - place * DAY_MS,
  );
  return (
    <section className={css.heatScroll} tabIndex={0} aria-label="Rate limited calls by day and hour">
      <div className={css.heat}>
        <span className="heat-corner dim">UTC</span>
        {HOURS.map((hour) => (
          <span key={hour} className={`${css.heatHour} dim`}>
            {hour % 3 === 0 ? String(hour).padStart(2, '0') : ''}
          </span>
        ))}
        {days.map((day) => (
          <Day key={day} day={day} counts={counts} top={top} range={range} />
        ))}
      </div>
    </section>
  );
}

const Day = ({
  day,
  counts,
  top,
  range,
}: {
  day: number;
  counts: ReadonlyMap<number, number>;
  top: number;
  range: TimeRange;
}): JSX.Element => (
  <>
    <span className={`${css.heatDay} dim`}>{timeText.day(day, UTC)}</span>
    {HOURS.map((hour) => {
      const at = day + hour * HOUR_MS;
      const count = counts.get(at) ?? 0;
      if (count === 0) return <span key={hour} className={css.heatCell} />;
      const text = `${timeText.minute(at, UTC)} UTC: ${numberText(count)} rate limited`;
      return (
        <ProjectLink
          key={hour}
          page="events"
          className={`${css.heatCell} ${css[`heat${Math.max(1, Math.ceil((count / top) * 4))}`]}`}
          title={text}
          search={{ ...bucketSearch(formatInstant(at), 'hour', range), status: 'rate_limited' }}
        >
          <span className="sr">{text}</span>
        </ProjectLink>
      );
    })}
  </>
);
