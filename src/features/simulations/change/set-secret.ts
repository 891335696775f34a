import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { seal } from '../../../db/seal.ts';
import { badRequest, conflict } from '../../../errors.ts';
import { findSuite, type SuiteRow } from '../queries.ts';
import { type Secrets, sealingOf, secretsOf } from '../secrets.ts';
import { simulationSubject } from '../subject.ts';
import { simulations } from '../table.ts';
import type { Editor } from './save-suite.ts';

const MOST = 20;

type Wanted = {
  readonly id: string;
  readonly name: string;
  readonly value: string | null;
  readonly origin?: string | undefined;
};

/** Sets or removes a secret. Throws AppError 400, 404, 409. */
export async function setSecret(
  ctx: Ctx,
  { scope, actor }: Editor,
  { id, name, value, origin }: Wanted,
): Promise<void> {
  const { organizationId, projectId } = scope;
  const { row, suite } = await findSuite(ctx, projectId, { id });
  const { [name]: _, ...others } = value === null ? knownOrNone(ctx, row) : secretsOf(ctx, row);
  const target = suite.target;
  const given = origin ?? (target !== undefined && 'url' in target ? target.url : undefined);
  if (value !== null && given === undefined)
    throw badRequest('origin: is required, because the suite has no target with an address of its own');
  const secrets: Secrets =
    value === null || given === undefined
      ? others
      : { ...others, [name]: { value, origin: new URL(given).origin } };
  const count = Object.keys(secrets).length;
  if (count > MOST) throw conflict(`A suite has at most ${MOST} secrets; remove one first`);
  const sealed = count === 0 ? null : seal(ctx.secret, sealingOf(id), JSON.stringify(secrets));
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(simulations)
        .set({ secrets: sealed })
        .where(and(eq(simulations.id, id), eq(simulations.projectId, projectId))),
    ],
    audit: [
      {
        action: value === null ? 'simulation.secret_removed' : 'simulation.secret_set',
        organizationId,
        projectId,
        subject: { of: simulationSubject, id },
        after: { name, origin: value === null ? null : new URL(given ?? '').origin },
      },
    ],
  });
}

/** Secrets that cannot be read any more can be removed. */
function knownOrNone(ctx: Ctx, row: SuiteRow): Secrets {
  try {
    return secretsOf(ctx, row);
  } catch {
    return {};
  }
}
