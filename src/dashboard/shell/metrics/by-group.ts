import type { MetricsReply } from '../../../core/events/query/contract.ts';
import { COLOURS, MOST_COLOURS } from '../../ui/charts/colours.ts';
import { groupTerm } from './dimension-names.ts';
import type { Drawn, Look, Values } from './to-chart.ts';

const plainName: NonNullable<Look['nameOf']> = (key) => Object.values(key).join(' · ');

/** A series for each group by the first measure, and of bars one for all others together. */
export function byGroup(
  reply: MetricsReply,
  { shape, nameOf = plainName, most = COLOURS.length }: Look,
): Drawn[] {
  const { groups, others, measures } = reply;
  const name = measures[0]?.name ?? 'requests';
  const toDrawn = (label: string, figures: readonly MetricsReply['total'][]): Drawn => ({
    label,
    now: sumOf(figures.map(({ series }) => series?.[name] ?? [])),
    before: reply.previous ? sumOf(figures.map(({ previous }) => previous?.series?.[name] ?? [])) : null,
  });
  const named = [...Map.groupBy(groups, ({ key }) => nameOf(key))];
  // One more than fits, if it were the only other, is named instead. Lines have no others, so all of them are drawn.
  const room = shape === 'lines' ? most : Math.min(most, MOST_COLOURS);
  const shown = named.length + (others === null ? 0 : 1) <= room ? named : named.slice(0, room - 1);
  const rest = named.slice(shown.length);
  const left = [...rest.flatMap(([, own]) => own), ...(others === null ? [] : [others])];
  return [
    ...shown.map(([label, own]) => ({ ...toDrawn(label, own), filter: filterOf(own) })),
    // What others come to as one is a figure of bars only.
    ...(left.length === 0 || shape === 'lines'
      ? []
      : [{ ...toDrawn(`${rest.length + (others?.groups ?? 0)} others`, left), isRest: true }]),
  ];
}

/** What finds the calls of groups of one name: the values that all of them share. */
function filterOf([first, ...more]: MetricsReply['groups']): string {
  return Object.entries(first?.key ?? {})
    .filter(([dimension, value]) => more.every(({ key }) => key[dimension] === value))
    .map(([dimension, value]) => groupTerm(dimension, value))
    .join(' ');
}

/** Series added up step by step; a step that none of them knows is null. */
function sumOf([first = [], ...more]: readonly Values[]): Values {
  if (more.length === 0) return first;
  const steps = Math.max(first.length, ...more.map(({ length }) => length));
  return Array.from({ length: steps }, (_, step) => {
    const known = [first, ...more].flatMap((values) => values[step] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  });
}
