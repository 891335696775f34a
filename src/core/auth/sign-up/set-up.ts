import { and, gt, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError, conflict } from '../../../errors.ts';
import { type Actor, defineAction } from '../../../module.ts';
import type { AuditNote } from '../../audit/index.ts';
import { insertKey, keySubject, keysChanged, newKey } from '../../keys/index.ts';
import { hasOwner, insertOrganization, nobodyOwns, organizationSubject } from '../../orgs/index.ts';
import { users } from '../../orgs/table.ts';
import { insertProject, projectSubject, projectsChanged } from '../../projects/index.ts';
import { setup as setupInput } from '../contract.ts';
import { addPerson, personStatements } from '../person.ts';
import { setupTokens } from '../table.ts';

/** The result of `init`. `apiKey` is shown only here. */
export type SetUp = {
  organizationId: string;
  projectId: string;
  userId: string;
  keyId: string;
  apiKey: string;
};

/** `init`: the first organization with its owner, project and key. Throws AppError 409 on a file with an owner. */
export const initLedger = defineAction({
  name: 'init',
  input: setupInput.omit({ organization: true }).extend({ org: setupInput.shape.organization }),
  run: (ctx, { org, ...rest }, actor) =>
    setUp(ctx, { organization: org, ...rest }, { tokenHash: null, actorOf: () => actor }),
});

type SetUpBy = {
  /** Hash of the setup token, which must still be valid; null for the operator, who needs none. */
  readonly tokenHash: string | null;
  /** Returns the actor for the id of the new owner. */
  readonly actorOf: (userId: string) => Actor;
  /** The operator's own key instead of a random one. */
  readonly rawKey?: string | undefined;
};

/**
 * Sets up a file for its first owner, in one transaction that also ends all setup tokens. The organization gets the plan
 * `scale`, because its owner also owns the machine.
 * @throws AppError 409 if the file has an owner, 403 if a concurrent request used the token
 */
export async function setUp(
  ctx: Ctx,
  input: z.output<typeof setupInput>,
  { tokenHash, actorOf, rawKey }: SetUpBy,
): Promise<SetUp> {
  if (await hasOwner(ctx)) throw conflict('This file has an owner already; sign in');
  const now = ctx.now();
  const createdAt = new Date(now);
  const organizationId = newId('org', now);
  const projectId = newId('prj', now);
  const { email, name, password } = input;
  const owner = { email, name, password, verified: true, organizationId, role: 'owner' } as const;
  const person = await personStatements(ctx, owner);
  const { userId } = person;
  const { apiKey, row } = await newKey(ctx, { projectId, name: 'default', createdBy: userId, raw: rawKey });
  const organization = { name: input.organization, plan: 'scale', createdAt } as const;
  try {
    await addPerson(ctx, email, {
      actor: actorOf(userId),
      statements: [
        insertOrganization(ctx, { id: idUnlessTaken(organizationId, tokenHash, now), ...organization }),
        insertProject(ctx, { id: projectId, organizationId, name: input.project, createdAt }),
        ...person.statements,
        insertKey(ctx, row),
        ctx.db.sql.update(setupTokens).set({ usedAt: createdAt }).where(isNull(setupTokens.usedAt)),
      ],
      audit: [...notesOf({ organizationId, projectId, keyId: row.id }), person.note],
    });
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('organizations.id')) throw error;
    throw (await hasOwner(ctx)) ? conflict('This file has an owner already; sign in') : expiredSetup();
  }
  ctx.emit(projectsChanged);
  ctx.emit(keysChanged);
  return { organizationId, projectId, userId, keyId: row.id, apiKey };
}

function notesOf({
  organizationId,
  projectId,
  keyId,
}: Pick<SetUp, 'organizationId' | 'projectId' | 'keyId'>): AuditNote[] {
  return [
    {
      action: 'organization.created',
      organizationId,
      subject: { of: organizationSubject, id: organizationId },
    },
    {
      action: 'project.created',
      organizationId,
      projectId,
      subject: { of: projectSubject, id: projectId },
    },
    {
      action: 'project.api_key_created',
      organizationId,
      projectId,
      subject: { of: keySubject, id: keyId },
    },
  ];
}

/** 403 for a setup token that is unknown, used or older than 30 minutes. */
export const expiredSetup = (): AppError =>
  new AppError(403, 'This setup link is not valid any more; restart the server for a new one');

/** Null, which is not allowed as an id, if a concurrent request won; the whole batch then fails. */
function idUnlessTaken(id: string, tokenHash: string | null, now: number): ReturnType<typeof sql<string>> {
  if (tokenHash === null) return sql<string>`(SELECT ${id} WHERE ${nobodyOwns})`;
  const tokenIsValid = sql`EXISTS (SELECT 1 FROM setup_tokens WHERE hash = ${tokenHash} AND ${isValid(now)})`;
  return sql<string>`(SELECT ${id} WHERE ${nobodyOwns} AND ${tokenIsValid})`;
}

/** The condition on a setup token that can still be redeemed. */
export function isValid(now: number): ReturnType<typeof and> {
  return and(isNull(setupTokens.usedAt), gt(setupTokens.expiresAt, new Date(now)));
}

/** Settings from the operator's environment for a file without an owner. */
export const provisioning = setupInput.extend({
  apiKey: z
    .string()
    .regex(/^slk_[0-9a-f]{64}$/, 'has to be slk_ and 64 lower-case hex digits')
    .optional(),
});

/**
 * Sets up a file from the operator's environment, once. A file with an owner stays unchanged, even if what was created
 * has changed since, and so does one whose organizations were all deleted. Without an API key in the settings, nobody
 * learns the generated one.
 * @returns null if there was nothing to do
 */
export async function provision(ctx: Ctx, input: z.output<typeof provisioning>): Promise<SetUp | null> {
  if ((await hasOwner(ctx)) || (await ctx.db.sql.$count(users)) > 0) return null;
  const { apiKey: rawKey, ...rest } = input;
  const actor = { kind: 'system', name: 'SPANLEDGER_INIT' } as const;
  return setUp(ctx, rest, { tokenHash: null, actorOf: () => actor, rawKey });
}
