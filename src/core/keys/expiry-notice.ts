import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { Job } from '../../module.ts';
import { type Mail, mailOf, mailRequested, publicUrl, quoteName } from '../mail/index.ts';
import { listMembers } from '../orgs/index.ts';
import { outboxStatement, outboxWritten } from '../outbox/index.ts';
import { projects } from '../projects/table.ts';
import { apiKeys } from './table.ts';

/** Most keys in one run; the next run takes the others. */
const BATCH = 200;

/** Mails the owners and admins a day before a key expires. Without a mail server, keys wait for one. */
export const expiryNoticeJob: Job = {
  name: 'keys.notify_expiry',
  summary: 'Tell owners and admins of API keys that expire within a day',
  schedule: '*/15 * * * *',
  quiet: true,
  run: async (ctx) => {
    if (mailOf(ctx) === null) return {};
    const keys = await listExpiring(ctx);
    for (const key of keys) await notify(ctx, key);
    if (keys.length === 0) return {};
    ctx.emit(outboxWritten);
    return { keys: keys.length };
  },
};

type Expiring = Awaited<ReturnType<typeof listExpiring>>[number];

function listExpiring(ctx: Ctx) {
  const now = ctx.now();
  return ctx.db.sql
    .select({ key: apiKeys, project: projects })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(
      and(
        gt(apiKeys.validUntil, new Date(now)),
        lte(apiKeys.validUntil, new Date(now + DAY_MS)),
        isNull(apiKeys.rotatedTo),
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.expiryNoticedAt),
        isNull(projects.deletedAt),
      ),
    )
    .limit(BATCH);
}

async function notify(ctx: Ctx, { key, project }: Expiring): Promise<void> {
  const people = await listMembers(ctx, project.organizationId);
  const admins = people.filter(({ role }) => role === 'owner' || role === 'admin');
  const url = `${publicUrl(ctx)}/projects/${project.id}/keys`;
  const mail = toMail({ name: key.name, project: project.name, at: key.validUntil ?? new Date(), url });
  await ctx.db.sql.batch([
    ctx.db.sql
      .update(apiKeys)
      .set({ expiryNoticedAt: new Date(ctx.now()) })
      .where(eq(apiKeys.id, key.id)),
    ...admins.map(({ email }) => outboxStatement(ctx, mailRequested, { to: email, ...mail })),
  ]);
}

function toMail(of: { name: string; project: string; at: Date; url: string }): Omit<Mail, 'to'> {
  const [name, project] = [quoteName(of.name), quoteName(of.project)];
  return {
    subject: `The API key ${name} expires soon`,
    paragraphs: [
      `The API key ${name} of the project ${project} expires at ${formatInstant(of.at.getTime())}. After that, its events are refused.`,
      'Rotate the key on this page, or create a new one, and replace it where it is used.',
    ],
    action: { label: 'Open API keys', url: of.url },
  };
}
