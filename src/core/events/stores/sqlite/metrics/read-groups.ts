import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { areOfGuardrails, type Sum } from '../../../measures.ts';
import { namedKey } from '../../shared/metrics/dimensions.ts';
import { MAX_GROUPS, refuseTooManyGroups } from '../../shared/metrics/group-limits.ts';
import { emptySums, type Group, groupId } from '../../shared/metrics/groups.ts';
import type { Target } from '../../shared/metrics/groups-source.ts';
import { S } from '../scan/call-sums.ts';
import { sumGroups } from '../scan/sum-groups.ts';
import { readUserDays } from '../users/read-user-days.ts';
import { USER_COLUMNS } from '../users/user-page.ts';
import { type Plan, scanParts } from './metrics-plan.ts';
import { fromRollup, groupBySql, rollupKeys, rollupSums } from './rollup-sql.ts';
import type { PlanPart } from './split-by-bucket.ts';
import type { SumsPart } from './split-window.ts';

/** The sums of a plan's calls by bucket and dimensions. Groups without calls are left out. @throws AppError 400 */
export function readGroups(
  reader: Reader,
  plan: Plan,
  sums: readonly Sum[],
  target: Target = (key) => key,
): Map<string, Group> {
  const groups = new Map<string, Group>();
  const guardrails = areOfGuardrails(sums);
  for (const planned of plan.parts) {
    const { project, parts, bucket } = planned;
    refuseTooManyGroups(groups, MAX_GROUPS);
    for (const part of parts.sums) addSummed(groups, reader, plan, { project, part, bucket, sums, target });
    for (const { selected, keys, sign } of scanParts(reader, plan, planned, guardrails)) {
      for (const { key, sums: found } of sumGroups(selected, keys, sums)) {
        const own = groupOf(groups, target(key));
        for (const name of sums) own[name] += sign * (found[S[name]] as number);
      }
      refuseTooManyGroups(groups, MAX_GROUPS);
    }
  }
  for (const [id, { sums: found }] of groups)
    if (found.requests === 0 && found.guardrail_checks === 0) groups.delete(id);
  return groups;
}

type Place = Pick<PlanPart, 'project' | 'bucket'> & {
  readonly part: SumsPart;
  readonly sums: readonly Sum[];
  readonly target: Target;
};

function addSummed(groups: Map<string, Group>, reader: Reader, plan: Plan, place: Place): void {
  if (plan.userId === null) addRollup(groups, reader, plan, place);
  else addUserDays(groups, reader, plan, { ...place, userId: plan.userId });
}

/** The sums of one user. The days are those of the part, which is by day. */
function addUserDays(
  groups: Map<string, Group>,
  reader: Reader,
  { division }: Plan,
  { project, part, sums, target, userId }: Place & { readonly userId: string },
): void {
  for (const [day, found] of readUserDays(reader, project, userId, part)) {
    const own = groupOf(groups, target(division === null ? [] : [day]));
    for (const name of sums) own[name] += found[userColumn(name)] as number;
  }
}

const userColumn = (name: Sum): number => (USER_COLUMNS as readonly string[]).indexOf(name);

function addRollup(
  groups: Map<string, Group>,
  reader: Reader,
  plan: Plan,
  { project, part, bucket, sums, target }: Place,
): void {
  const keys = rollupKeys(plan, part, bucket);
  const from = fromRollup(plan, project, part, areOfGuardrails(sums));
  const rows = reader.rows(
    `SELECT ${[...keys, ...rollupSums(sums)].join(', ')} ${from.sql} ${groupBySql(keys)}`,
    from.args,
  );
  const named = namedKey(plan.dimensions, keys.length - plan.dimensions.length);
  for (const row of rows) {
    const own = groupOf(groups, target(named(row.slice(0, keys.length))));
    for (const [i, name] of sums.entries()) own[name] += Number(row[keys.length + i]);
  }
}

function groupOf(groups: Map<string, Group>, key: readonly SqlValue[]): Group['sums'] {
  const id = groupId(key);
  const group = groups.get(id) ?? { key, sums: emptySums() };
  groups.set(id, group);
  return group.sums;
}
