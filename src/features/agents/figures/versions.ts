import type { LinkRow } from '../../../core/events/index.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { AgentVersion } from '../contract.ts';
import { isMadeBy, runFiguresOf, usedBy } from './agent-figures.ts';
import { promptOf, textOf } from './read-figures.ts';

/**
 * The versions of an agent, newest first. Where its spans declare a version, that is one. Else a version is a release with
 * the models, tools and prompt versions that it has used so far: another release is another version, and so is the same
 * release from the UTC day on which the agent uses something new with it; what it uses on the first two days of a release
 * is the first version of that.
 * @param rows by UTC day, all that concerns the agent
 */
export function versionsOf(rows: readonly LinkRow[], name: string): AgentVersion[] {
  const declared = Map.groupBy(rows, (row) => declaredVersion(row, name));
  const releases = Map.groupBy(declared.get(null) ?? [], (row) => textOf(row, 'release'));
  return [
    ...declaredVersions(declared, name),
    ...[...releases].flatMap(([release, own]) => versionsOfRelease(release, own, name)),
  ].sort((a, b) => (a.from < b.from ? 1 : a.from > b.from ? -1 : a.to < b.to ? 1 : -1));
}

/** The version that the spans of a row declare for the agent: for its runs that of its first span. */
function declaredVersion(row: LinkRow, name: string): string | null {
  if (row.root === name) return textOf(row, 'rootVersion');
  return isMadeBy(row, name) || row.kind === 'agent' ? textOf(row, 'agentVersion') : null;
}

/** Each declared version, with what the one before it did not use. */
function declaredVersions(
  rows: ReadonlyMap<string | null, readonly LinkRow[]>,
  name: string,
): AgentVersion[] {
  const startOf = (own: readonly LinkRow[]): number => Math.min(...own.map(({ time }) => time ?? 0));
  const inOrder = [...rows].sort(([, a], [, b]) => startOf(a) - startOf(b));
  let before: readonly string[] | null = null;
  return inOrder.flatMap(([version, own]): AgentVersion[] => {
    if (version === null) return [];
    const used = elementsOf(own, name);
    const added = before === null ? [] : used.filter((element) => !before?.includes(element));
    before = used;
    const newest = own.toSorted((a, b) => (b.time ?? 0) - (a.time ?? 0) || b.calls - a.calls)[0];
    const release = newest === undefined ? null : textOf(newest, 'release');
    return [toVersion({ version, release, print: ['version', version] }, { rows: own, added }, name)];
  });
}

/** Few runs of a new release show what it uses. */
const SETTLING_MS = 2 * DAY_MS;

/** Days of a version, and what was new then. */
type Period = { readonly rows: readonly LinkRow[]; readonly added: readonly string[] };
type Growing = Period & { readonly rows: LinkRow[]; readonly used: Set<string> };

function versionsOfRelease(release: string | null, rows: readonly LinkRow[], name: string): AgentVersion[] {
  const days = [...Map.groupBy(rows, ({ time }) => time ?? 0)].sort(([a], [b]) => a - b);
  const known = new Set<string>();
  const periods: Growing[] = [];
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
  return periods.map((period) =>
    toVersion({ version: null, release, print: [release, [...period.used].sort()] }, period, name),
  );
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

type Named = Pick<AgentVersion, 'version' | 'release'> & { readonly print: unknown };

function toVersion({ version, release, print }: Named, { rows, added }: Period, name: string): AgentVersion {
  const times = rows.map(({ time }) => time ?? 0);
  const timed = rows.filter(
    ({ root, head, latencyAvg }) => root === name && head === 'yes' && latencyAvg !== null,
  );
  const calls = timed.reduce((sum, row) => sum + row.calls, 0);
  return {
    id: Bun.SHA256.hash(JSON.stringify(print), 'hex').slice(0, 8),
    version,
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
