import type { LinkRow } from '../../../core/events/index.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { AgentVersion } from '../contract.ts';
import { isMadeBy, runFiguresOf, usedBy } from './agent-figures.ts';
import { promptOf, textOf } from './read-figures.ts';

/**
 * The versions of an agent, newest first. A version is a release with the models, tools and prompt versions that it
 * has used so far: another release is another version, and so is the same release from the UTC day on which the agent
 * uses something new with it; what it uses on the first two days of a release is the first version of that.
 * @param rows by UTC day, all that concerns the agent
 */
export function versionsOf(rows: readonly LinkRow[], name: string): AgentVersion[] {
  const releases = Map.groupBy(rows, (row) => textOf(row, 'release'));
  return [...releases]
    .flatMap(([release, own]) => versionsOfRelease(release, own, name))
    .sort((a, b) => (a.from < b.from ? 1 : a.from > b.from ? -1 : a.to < b.to ? 1 : -1));
}

/** Few runs of a new release show what it uses. */
const SETTLING_MS = 2 * DAY_MS;

type Period = {
  readonly rows: LinkRow[];
  readonly added: readonly string[];
  readonly used: Set<string>;
};

function versionsOfRelease(release: string | null, rows: readonly LinkRow[], name: string): AgentVersion[] {
  const days = [...Map.groupBy(rows, ({ time }) => time ?? 0)].sort(([a], [b]) => a - b);
  const known = new Set<string>();
  const periods: Period[] = [];
  const settled = (days[0]?.[0] ?? 0) + SETTLING_MS;
  for (const [day, own] of days) {
    const added = elementsOf(own, name).filter((element) => !known.has(element));
    for (const element of added) known.add(element);
    const isFirst = day < settled;
    const last = periods.at(-1);
    if (last !== undefined && (isFirst || added.length === 0)) last.rows.push(...own);
    else periods.push({ rows: [...own], added: isFirst ? [] : added, used: new Set() });
    for (const element of known) periods.at(-1)?.used.add(element);
  }
  return periods.map((period) => toVersion(release, period, name));
}

/** Models, tools and prompt versions that an agent uses. */
function elementsOf(rows: readonly LinkRow[], name: string): string[] {
  const made = rows.filter((row) => isMadeBy(row, name));
  const elements = made.flatMap((row) => {
    const prompt = promptOf(row);
    const called = row.kind === 'agent' ? [] : [`${row.kind} ${textOf(row, 'name') ?? ''}`];
    return prompt === null ? called : [...called, `prompt ${prompt}`];
  });
  return [...new Set(elements)].sort();
}

function toVersion(release: string | null, { rows, added, used }: Period, name: string): AgentVersion {
  const times = rows.map(({ time }) => time ?? 0);
  const timed = rows.filter(
    ({ root, head, latencyAvg }) => root === name && head === 'yes' && latencyAvg !== null,
  );
  const calls = timed.reduce((sum, row) => sum + row.calls, 0);
  return {
    id: Bun.SHA256.hash(JSON.stringify([release, [...used].sort()]), 'hex').slice(0, 8),
    release,
    from: dayText(Math.min(...times)),
    to: dayText(Math.max(...times)),
    added: [...added],
    ...usedBy(rows, name),
    ...runFiguresOf(rows, name),
    latencyAvg:
      calls === 0 ? null : timed.reduce((sum, row) => sum + (row.latencyAvg ?? 0) * row.calls, 0) / calls,
  };
}

const dayText = (time: number): string => formatInstant(Math.floor(time / DAY_MS) * DAY_MS).slice(0, 10);
