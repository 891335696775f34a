import { z } from 'zod';
import { reportRunSchema, scheduledReportSchema } from '../../src/features/scheduled-reports/contract.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { act } from '../session.ts';
import { runColumns } from './show.ts';

const args = { id: { summary: 'Id of the report, or its start', id: 'report' } } as const;

async function setPaused(ctx: BaseContext, id: string, paused: boolean): Promise<void> {
  const doc = await act(ctx, {
    action: 'scheduled-reports.pause',
    input: { id, paused },
    reply: scheduledReportSchema,
  });
  ctx.output.result(doc, () =>
    ctx.output.success(
      `Scheduled report ${doc.name} ${paused ? 'paused' : `resumed, next at ${doc.nextAt}`}`,
    ),
  );
}

export const scheduledReportsPause = defineCommand({
  name: 'scheduled-reports pause',
  summary: 'Stop sending a report until it is resumed',
  args,
  examples: ['spanledger scheduled-reports pause rep_0198c2f5'],
  run: (ctx) => setPaused(ctx, ctx.args.id, true),
});

export const scheduledReportsResume = defineCommand({
  name: 'scheduled-reports resume',
  summary: 'Send a paused report again, from its next time on',
  args,
  examples: ['spanledger scheduled-reports resume rep_0198c2f5'],
  run: (ctx) => setPaused(ctx, ctx.args.id, false),
});

export const scheduledReportsSend = defineCommand({
  name: 'scheduled-reports send',
  summary: 'Send the report of the last whole period now; the schedule stays',
  args,
  examples: ['spanledger scheduled-reports send rep_0198c2f5'],
  run: async (ctx) => {
    const doc = await act(ctx, {
      action: 'scheduled-reports.send',
      input: ctx.args,
      reply: reportRunSchema,
    });
    ctx.output.result(doc, () => {
      ctx.output.table(runColumns, [doc]);
      ctx.output.success('The report is on its way; `scheduled-reports show` shows what became of it');
    });
  },
});

export const scheduledReportsDelete = defineCommand({
  name: 'scheduled-reports delete',
  summary: 'Delete a scheduled report with its runs',
  args,
  examples: ['spanledger scheduled-reports delete rep_0198c2f5'],
  run: async (ctx) => {
    const reply = z.object({ id: z.string() });
    const doc = await act(ctx, { action: 'scheduled-reports.delete', input: ctx.args, reply });
    ctx.output.result(doc, () => ctx.output.success(`Scheduled report ${doc.id} deleted`));
  },
});
