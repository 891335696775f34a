import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { textTest } from '../../../../../lib/filter/values.ts';
import type { Link } from '../../../link-tree.ts';
import type { Dimension } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { dimensionValue, isEventDimension } from '../../shared/metrics/dimensions.ts';
import { groupId } from '../../shared/metrics/groups.ts';
import { FACTS, type Fact } from '../../shared/runs/run-query.ts';
import { labelValues } from '../labels/label-value.ts';
import { type Codes, codesOf, codesOfLabel } from '../scan/codes.ts';
import { matchesOf } from '../scan/match.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import { groupEvents } from '../sums/group-events.ts';
import type { LinkAgents } from './link-agents.ts';
import type { FoundRows } from './stored-rows.ts';

const isFact = (name: string, { isComplete }: LinkAgents): name is Fact =>
  name === 'agent' || (isComplete && Object.hasOwn(FACTS, name));

/** Which spans that stand for runs are wanted. */
export type HeadFilter = {
  /** By the number of a link: 1 if it is that of a wanted head. */
  readonly links: Uint8Array;
  /** By the number of an agent: 1 if its runs may be wanted. */
  readonly agents: Uint8Array;
  /** What the events themselves have to fulfil; null for nothing. */
  readonly events: RowSelection | null;
};

/** Splits a selection in what links tell and what only events do. The agent of a run is its outermost one. */
export function headFilter(selection: RowSelection, ofProject: LinkAgents): HeadFilter {
  const { links, isHead, agents } = ofProject;
  const { where = [], environment, ...filters } = selection.filters;
  const byLink = isFact('environment', ofProject) ? environment : undefined;
  const tests = where
    .filter(({ field }) => isFact(field, ofProject))
    .map((condition) => ({ fact: FACTS[condition.field as Fact], condition, test: textTest(condition) }));
  const isWanted = (link: Link): boolean =>
    (byLink === undefined || FACTS.environment(link) === byLink) &&
    tests.every(({ fact, condition, test }) => test(fact(link)) !== condition.not);
  const wanted = new Uint8Array(isHead.length);
  const wantedAgents = new Uint8Array(agents.length);
  const numbers = new Map(agents.map((name, number) => [name, number]));
  for (const [id, link] of links) {
    if (isHead[id] === 0 || !isWanted(link)) continue;
    wanted[id] = 1;
    wantedAgents[numbers.get(link.root ?? '') ?? 0] = 1;
  }
  const rest = {
    ...filters,
    where: where.filter(({ field }) => !isFact(field, ofProject)),
    ...(byLink === undefined && { environment }),
  };
  const isPlain =
    rest.where.length === 0 &&
    Object.entries(rest).every(([name, value]) => name === 'where' || value === undefined);
  return {
    links: wanted,
    agents: wantedAgents,
    events: isPlain ? null : { ...selection, filters: rest },
  };
}

/** 1 for each head of some rows that is wanted and in a window. */
export function maskHeads(
  { rows: { heads }, chunk }: FoundRows,
  { links, events }: HeadFilter,
  window: Window,
): Uint8Array {
  const mask = new Uint8Array(heads.count);
  let found = false;
  for (let i = 0; i < heads.count; i++) {
    const ts = heads.ts[i] as number;
    if (ts < window.from || ts >= window.to || links[heads.link[i] as number] === 0) continue;
    mask[i] = 1;
    found = true;
  }
  if (!found || events === null) return mask;
  const matching = matchesOf(chunk(), events, window);
  for (let i = 0; i < heads.count; i++)
    if (matching === null || matching[heads.place[i] as number] === 0) mask[i] = 0;
  return mask;
}

/** Numbers groups of heads in the order in which they are found. */
export type HeadGroups = {
  /** The values of the dimensions, by group. */
  readonly keys: readonly (readonly (string | null)[])[];
  /** The groups of the heads of some rows. */
  of(found: FoundRows, mask: Uint8Array, links: LinkAgents): (head: number) => number;
};

export function createHeadGroups(reader: Reader, groupBy: readonly Dimension[]): HeadGroups {
  const keys: (string | null)[][] = [];
  const numbers = new Map<string, number>();
  const labels = new Map(
    groupBy.flatMap((name) =>
      isEventDimension(name) ? [] : [[name as Dimension, labelValues(reader, name)]],
    ),
  );
  const numberOf = (key: readonly SqlValue[]): number => {
    const names = groupBy.map((name, i) => dimensionValue(name, key[i] ?? null));
    const id = groupId(names);
    const known = numbers.get(id) ?? keys.push(names) - 1;
    numbers.set(id, known);
    return known;
  };
  const codesIn = ({ rows: { heads }, chunk }: FoundRows, name: Dimension, links: LinkAgents): Codes => {
    if (isFact(name, links)) return factCodes(heads.link, links, FACTS[name]);
    if (name === 'status') return { codes: Uint8Array.from(heads.status), valueAt: (code) => code };
    const { codes, valueAt } = isEventDimension(name)
      ? codesOf(chunk(), name)
      : codesOfLabel(chunk(), (label) => labels.get(name)?.get(label) ?? null);
    return { codes: Uint32Array.from(heads.place, (place) => codes[place] as number), valueAt };
  };
  return {
    keys,
    of(found, mask, links) {
      const codes = groupBy.map((name) => codesIn(found, name, links));
      const { of, firsts } = groupEvents(
        mask.length,
        codes.map((own) => own.codes),
        mask,
      );
      const own = firsts.map((head) => numberOf(codes.map((one) => one.valueAt(one.codes[head] as number))));
      return (head) => own[of[head] as number] ?? 0;
    },
  };
}

/** Codes of what links say, '' where they say nothing. */
function factCodes(
  numbers: ArrayLike<number>,
  { links }: LinkAgents,
  fact: (link: Link) => string | null,
): Codes {
  const values: string[] = [];
  const ofValue = new Map<string, number>();
  const ofLink = new Map<number, number>();
  const codes = Uint32Array.from(numbers, (number) => {
    let code = ofLink.get(number);
    if (code === undefined) {
      const link = links.get(number);
      const value = (link === undefined ? null : fact(link)) ?? '';
      code = ofValue.get(value) ?? values.push(value) - 1;
      ofValue.set(value, code);
      ofLink.set(number, code);
    }
    return code;
  });
  return { codes, valueAt: (code) => values[code] ?? '' };
}
