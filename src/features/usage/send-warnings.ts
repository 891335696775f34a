import type { Ctx } from '../../context.ts';
import { mailOf, publicUrl } from '../../core/mail/index.ts';
import { listUnsent, markSent, type Warning } from '../../core/usage/index.ts';
import { formatInstant, monthKey, startOfNextMonth } from '../../lib/time.ts';
import type { Job } from '../../module.ts';

const number = new Intl.NumberFormat('en');

/** Sends what `quota.warned` could not: the process ended, or mail was set up later. */
export const sendWarningsJob: Job = {
  name: 'usage.send_warnings',
  summary: 'Tell owners and admins that 80 or 100 % of the month is used up',
  schedule: '*/10 * * * *',
  run: async (ctx) => ({ sent: await sendWarnings(ctx) }),
};

/**
 * Mails the warnings of this month that were not sent to the owners and admins of their organizations; each
 * is marked first, so that nobody is told twice.
 * @returns how many mails were handed over; 0 where no mail is set up
 */
export async function sendWarnings(ctx: Ctx): Promise<number> {
  const outbox = mailOf(ctx);
  if (outbox === null) return 0;
  let sent = 0;
  for (const warning of await listUnsent(ctx, monthKey(ctx.now()))) {
    if (!(await markSent(ctx, warning))) continue;
    for (const to of JSON.parse(warning.emails) as string[]) {
      outbox.send({ to, ...toMail(ctx, warning) });
      sent++;
    }
  }
  return sent;
}

function toMail(ctx: Ctx, { name, threshold, quota }: Warning) {
  const reset = formatInstant(startOfNextMonth(ctx.now())).slice(0, 10);
  const used = threshold === 100 ? 'all' : `${threshold} %`;
  const then =
    threshold === 100
      ? `Further events are refused until ${reset}, when the count begins anew.`
      : `When they are used up, further events are refused until ${reset}.`;
  return {
    subject: `${name} has used ${used} of this month's events`,
    paragraphs: [
      `The organization ${name} has used ${used} of the ${number.format(quota)} events that its plan has for this month.`,
      then,
      'A larger plan, or a lower sample rate in the settings of its projects, makes them last longer.',
    ],
    action: { label: 'Open Spanledger', url: publicUrl(ctx) },
  };
}
