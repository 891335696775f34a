import { and, eq, exists, isNotNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import {
  deliveryBacklog,
  type Notification,
  notificationStatement,
  notificationsWritten,
} from '../../../core/deliveries/index.ts';
import type { Statement } from '../contract.ts';
import { closedStatements, type MonthRow } from '../queries.ts';
import { statementMonths } from '../table.ts';

/** Statements that are handed to channels in one transaction, and most deliveries that may wait meanwhile. */
const SLICE = 20;
const MOST_WAITING = 500;
/** Lines that chat channels and mails show. */
const MOST_LINES = 10;

/**
 * Hands statements of a closed month to its channels, each once: the number of those that were handed over changes in the
 * transaction that writes the notifications. Stops while many deliveries wait; a job goes on.
 * @returns how many were handed over
 */
export async function sendStatements(ctx: Ctx, month: MonthRow): Promise<number> {
  const { channelIds, deliver } = month.settings;
  if (channelIds.length === 0) return 0;
  let sent = 0;
  for (let from = month.notified; from < (deliver === 'each' ? month.statements : 1); ) {
    if ((await deliveryBacklog(ctx)).pending > MOST_WAITING) break;
    const slice =
      deliver === 'each'
        ? (await closedStatements(ctx, month.id, { from, limit: SLICE })).map((one) =>
            ofStatement(one, month),
          )
        : [ofMonth(month)];
    if (slice.length === 0) break;
    const isNext = and(
      eq(statementMonths.id, month.id),
      eq(statementMonths.notified, from),
      isNotNull(statementMonths.closedAt),
    );
    const when = exists(ctx.db.sql.select({ id: statementMonths.id }).from(statementMonths).where(isNext));
    const [first, ...rest] = slice.map((notification) =>
      notificationStatement(ctx, notification, sql`${when}`),
    );
    if (first === undefined) break;
    from += slice.length;
    await ctx.db.sql.batch([
      first,
      ...rest,
      ctx.db.sql.update(statementMonths).set({ notified: from }).where(isNext),
    ]);
    sent += slice.length;
    ctx.emit(notificationsWritten);
  }
  return sent;
}

const usd = (nano: number): string => (nano / 1e9).toFixed(2);

/** The page of a statement, which is below a project: any with a line. */
function linkOf(month: MonthRow, statement: Statement): Pick<Notification['message'], 'link'> {
  const projectId = statement.projectId ?? statement.lines.find((line) => line.projectId !== null)?.projectId;
  if (projectId == null) return {};
  const search = new URLSearchParams({ by: statement.by, month: month.month });
  if (statement.party !== null) search.set('party', statement.party);
  if (statement.projectId !== null) search.set('of', statement.projectId);
  return {
    link: {
      label: 'Open the statement',
      path: `/projects/${encodeURIComponent(projectId)}/statements/party?${search}`,
    },
  };
}

function ofStatement(statement: Statement, month: MonthRow): Notification {
  const { name, total, currency, lines, number } = statement;
  return {
    organizationId: month.organizationId,
    type: 'statement.closed',
    channelIds: month.settings.channelIds,
    // A user's deliveries are deleted when they are erased.
    ...(statement.by === 'user' && { projectId: statement.projectId, userId: statement.party }),
    data: { statement },
    message: {
      title: `Statement ${number ?? ''} of ${name} for ${month.month}: ${total} ${currency}`,
      text: `The month is closed. The statement has ${linesInWords(lines.length)} and does not change any more.`,
      facts: [
        ...lines
          .slice(0, MOST_LINES)
          .map(({ text, amount }) => ({ label: text, value: `${amount} ${currency}` })),
        { label: `Total for ${name}`, value: `${total} ${currency}` },
      ],
      severity: 'info',
      subject: `statement ${month.id} ${number ?? ''}`,
      ...linkOf(month, statement),
    },
  };
}

const linesInWords = (count: number): string =>
  count > MOST_LINES
    ? `${count} lines, the first ${MOST_LINES} below,`
    : `${count} ${count === 1 ? 'line' : 'lines'}`;

function ofMonth(month: MonthRow): Notification {
  const { settings, statements, total, costNano, correctionsNano } = month;
  return {
    organizationId: month.organizationId,
    type: 'statement.closed',
    channelIds: settings.channelIds,
    data: {
      month: month.month,
      statements,
      costNano,
      correctionsNano,
      total,
      currency: settings.currency,
    },
    message: {
      title: `Statements for ${month.month}: ${total} ${settings.currency}`,
      text: `The month is closed with ${statements} statements. They do not change any more.`,
      facts: [
        { label: 'Cost', value: `${usd(costNano)} USD` },
        ...(correctionsNano === 0 ? [] : [{ label: 'Corrections', value: `${usd(correctionsNano)} USD` }]),
      ],
      severity: 'info',
      subject: `statements ${month.id}`,
    },
  };
}
