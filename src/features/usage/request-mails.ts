import type { Ctx } from '../../context.ts';
import { type Mail, mailOf, mailRequested, publicUrl, quoteName } from '../../core/mail/index.ts';
import { findOrganization, listMembers } from '../../core/orgs/index.ts';
import { outboxStatement, outboxWritten } from '../../core/outbox/index.ts';
import type { QuotaWarning } from '../../core/usage/index.ts';
import { bytesText } from '../../lib/figures.ts';
import { formatInstant, monthKey, startOfNextMonth } from '../../lib/time.ts';
import type { Followed } from '../../module.ts';

const number = new Intl.NumberFormat('en');

/**
 * Requests the mails of a warning to the owners and admins of its organization. A warning waits for a mail
 * server to be set up, but not beyond its month.
 */
export async function requestMails(ctx: Ctx, warning: QuotaWarning): Promise<Followed> {
  if (warning.month !== monthKey(ctx.now())) return 'done';
  if (mailOf(ctx) === null) return 'later';
  const people = await listMembers(ctx, warning.organizationId);
  const told = people.filter(({ role }) => role === 'owner' || role === 'admin');
  const { name } = await findOrganization(ctx, warning.organizationId);
  const mail = toMail(ctx, quoteName(name), warning);
  const [first, ...others] = told.map(({ email }) =>
    outboxStatement(ctx, mailRequested, { to: email, ...mail }),
  );
  if (first === undefined) return 'done';
  await ctx.db.sql.batch([first, ...others]);
  ctx.emit(outboxWritten);
  return 'done';
}

function toMail(
  ctx: Ctx,
  name: string,
  { unit = 'events', threshold, quota }: QuotaWarning,
): Omit<Mail, 'to'> {
  const reset = formatInstant(startOfNextMonth(ctx.now())).slice(0, 10);
  const amount = unit === 'events' ? `${number.format(quota)} events` : `${bytesText(quota)} of events`;
  const used = threshold === 100 ? 'all' : `${threshold}%`;
  const then =
    threshold === 100
      ? `Further events are refused until ${reset}, when the count begins anew.`
      : `When they are used up, further events are refused until ${reset}.`;
  return {
    subject: `${name} has used ${used} of this month's events`,
    paragraphs: [
      `The organization ${name} has used ${used} of the ${amount} that its plan has for this month.`,
      then,
      'A larger plan, or a lower sample rate in the settings of its projects, makes them last longer.',
    ],
    action: { label: 'Open Spanledger', url: publicUrl(ctx) },
  };
}
