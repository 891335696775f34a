import type { JSX } from 'react';
import { timeText, UTC } from '../../../dashboard/ui/format.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { AgentVersion } from '../contract.ts';
import css from './agents.module.css';

/** The days on which a version was in use. */
export const daysText = ({ from, to }: Pick<AgentVersion, 'from' | 'to'>): string =>
  from === to ? timeText.date(from, UTC) : `${timeText.date(from, UTC)} to ${timeText.date(to, UTC)}`;

/** When each version was in use: one bar per version. The table below says it in figures. */
export function VersionLine({ versions }: { readonly versions: readonly AgentVersion[] }): JSX.Element {
  const first = Math.min(...versions.map(({ from }) => Date.parse(from)));
  const end = Math.max(...versions.map(({ to }) => Date.parse(to))) + DAY_MS;
  const share = (ms: number): string => `${(ms / (end - first)) * 100}%`;
  return (
    <ol className={css.line} aria-label="Versions over time">
      {versions.toReversed().map(({ id, version, release, from, to }) => (
        <li
          key={`${id} ${from}`}
          title={`${version ?? `${release ?? 'no release'} ${id}`}: ${daysText({ from, to })}`}
        >
          <span
            className={css.bar}
            style={{
              marginLeft: share(Date.parse(from) - first),
              width: share(Date.parse(to) + DAY_MS - Date.parse(from)),
            }}
          >
            {version ?? release ?? id}
          </span>
        </li>
      ))}
    </ol>
  );
}
