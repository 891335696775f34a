import { countText, numberText } from '../../src/lib/figures.ts';
import type { Verified } from '../../src/verify.ts';
import { EXIT, UserError } from '../user-error.ts';

/** What was read, in one line. */
export function describeVerified({ projects, segments, batches, days, auditEntries }: Verified): string {
  const parts = [
    countText(projects, 'project'),
    `${countText(segments + batches, 'block')} of events`,
    `the sums of ${countText(days, 'day')}`,
  ];
  return `${parts.join(', ')} and ${auditEntries === 1 ? '1 entry' : `${numberText(auditEntries)} entries`} of audit logs`;
}

/** @throws {UserError} `database_damaged` (6) if something was found */
export function refuseProblems(path: string, { problems }: Verified): void {
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length > 1 ? ` (and ${countText(problems.length - 1, 'more problem')})` : '';
  throw new UserError({
    what: `${path} is damaged: ${first}${more}`,
    fix: 'List all with `spanledger verify FILE`, and use another backup',
    code: 'database_damaged',
    exit: EXIT.database,
  });
}
