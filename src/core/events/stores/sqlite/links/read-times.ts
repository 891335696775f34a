import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { LinkTimes } from '../../../links.ts';
import { ALL_TIME } from '../scan/open-chunks.ts';
import { linksOfProject } from './read-links.ts';
import { unsealedLinks } from './unsealed-links.ts';

const HOURS_PER_DAY = 24;

/** The hours in which each agent, tool and model of some projects was first and last seen. */
export function readLinkTimes(reader: Reader, projects: readonly number[]): LinkTimes[] {
  const found = new Map<string, { first: number; last: number } & Pick<LinkTimes, 'kind' | 'name'>>();
  for (const project of projects) {
    const hours = hoursOf(reader, project);
    for (const [id, { kind, name, caller, root }] of linksOfProject(reader, project)) {
      const own = hours.get(id);
      if (own === undefined) continue;
      const seen = [
        { kind, name },
        ...(caller === null ? [] : [caller]),
        ...(root === null ? [] : [{ kind: 'agent' as const, name: root }]),
      ];
      for (const one of seen) {
        const key = JSON.stringify([one.kind, one.name]);
        const known = found.get(key) ?? { ...one, ...own };
        const [first, last] = [Math.min(known.first, own.first), Math.max(known.last, own.last)];
        found.set(key, { ...known, first, last });
      }
    }
  }
  return [...found.values()].map(({ kind, name, first, last }) => ({
    kind,
    name,
    first: first * HOUR_MS,
    last: last * HOUR_MS,
  }));
}

type Hours = { first: number; last: number };

/** The first and last hour of each link: by days first, then by the hours of these days only. */
function hoursOf(reader: Reader, project: number): Map<number, Hours> {
  const found = new Map<number, Hours>();
  const note = (link: number, first: number, last: number): void => {
    const known = found.get(link);
    found.set(link, {
      first: Math.min(first, known?.first ?? first),
      last: Math.max(last, known?.last ?? last),
    });
  };
  const days = reader
    .rows('SELECT edge, min(day), max(day) FROM rollup_edges WHERE project = ? GROUP BY edge', [project])
    .map((row) => row.map(Number) as [number, number, number]);
  for (const day of new Set(days.flatMap(([, first, last]) => [first, last]))) {
    const rows = reader.rows(
      `SELECT edge, min(hour), max(hour) FROM rollup_edge_hours
       WHERE project = ? AND hour >= ? AND hour < ? GROUP BY edge`,
      [project, day * HOURS_PER_DAY, (day + 1) * HOURS_PER_DAY],
    );
    for (const [link, first, last] of rows) note(Number(link), Number(first), Number(last));
  }
  for (const { hour, dimensions } of unsealedLinks(reader, project, ALL_TIME))
    note(dimensions[0], hour, hour);
  return found;
}
