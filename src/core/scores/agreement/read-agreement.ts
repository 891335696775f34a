import type { Reader, ReadOp } from '../../../db/reader.ts';
import { cohensKappa } from '../../../lib/stats/kappa.ts';
import { krippendorffsAlpha } from '../../../lib/stats/krippendorffs-alpha.ts';
import type { ScoreAgreement } from '../contract.ts';

/** A trace, or a span of it (else ''), whose values differ. */
export type Differing = readonly [traceId: string, spanId: string];
export type Agreement = {
  readonly scores: readonly ScoreAgreement[];
  /** What people valued differently, up to 1,000. */
  readonly differing: readonly Differing[];
};

/** The scores of people whose ids begin so. */
export type AgreementQuery = { readonly prefix: string };

/** Most scores that are compared, the first by their ids. */
const MAX_READ = 300_000;
const MAX_DIFFERING = 1_000;

type Value = { readonly person: string; readonly value: string | number };
type Unit = { readonly target: Differing; readonly values: readonly Value[] };

/** How far people agree who scored the same traces and spans. */
export const readAgreement: ReadOp<AgreementQuery, Agreement> = {
  name: 'scores.agreement',
  run(reader, query) {
    const byName = readUnits(reader, query);
    const differing = new Map<string, Differing>();
    for (const { units } of byName)
      for (const { target, values } of units)
        if (differing.size < MAX_DIFFERING && !isSame(values)) differing.set(target.join(' '), target);
    return {
      scores: byName.map(({ name, isNumber, units }) => ({ name, ...agreementOf(units, isNumber) })),
      differing: [...differing.values()],
    };
  },
};

/** What two people or more valued, by the name of the score. */
function readUnits(
  reader: Reader,
  { prefix }: AgreementQuery,
): { name: string; isNumber: boolean; units: Unit[] }[] {
  const rows = reader.rows(
    `SELECT name, type, coalesce(category, value), trace_id, span_id, created_by FROM scores
     WHERE project = ? AND id >= ? AND id < ? AND created_by IS NOT NULL ORDER BY id LIMIT ?`,
    [reader.projects[0] ?? -1, prefix, `${prefix}\uffff`, MAX_READ],
  );
  return [...Map.groupBy(rows, ([name]) => String(name))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => ({
      name,
      isNumber: own[0]?.[1] === 'numeric',
      units: [...Map.groupBy(own, (row) => `${row[3]} ${row[4]}`).values()]
        .map(
          (group): Unit => ({
            target: [String(group[0]?.[3]), String(group[0]?.[4])],
            values: group.map((row) => ({ person: String(row[5]), value: row[2] as string | number })),
          }),
        )
        .filter(({ values }) => values.length >= 2),
    }))
    .filter(({ units }) => units.length > 0);
}

const isSame = (values: readonly Value[]): boolean => values.every(({ value }) => value === values[0]?.value);

function agreementOf(units: readonly Unit[], isNumber: boolean): Omit<ScoreAgreement, 'name'> {
  const people = [...new Set(units.flatMap(({ values }) => values.map(({ person }) => person)))].toSorted();
  const same = units.filter(({ values }) => isSame(values)).length;
  const facts = { items: units.length, people: people.length, same };
  if (people.length === 2 && !isNumber) {
    const said = ({ values }: Unit, person: string | undefined): string =>
      String(values.find((one) => one.person === person)?.value);
    const pairs = units.map((unit) => [said(unit, people[0]), said(unit, people[1])] as const);
    return { method: 'kappa', value: cohensKappa(pairs), ...facts };
  }
  const values = units.map((unit) => unit.values.map(({ value }) => value));
  return {
    method: 'alpha',
    value: krippendorffsAlpha(values, isNumber ? 'interval' : 'nominal'),
    ...facts,
  };
}
