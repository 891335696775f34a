import { z } from 'zod';
import type { AskReply, AskRow } from '../../src/features/ai/ask/contract.ts';
import { MAX_QUESTION } from '../../src/features/ai/ask/contract.ts';
import { isTimeZone } from '../../src/lib/time-zone.ts';
import { defineCommand } from '../command.ts';
import { bar, type CellValue } from '../format.ts';
import { span } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { figureCell } from '../query/figure-cell.ts';
import { tinted } from '../report/figures.ts';
import { EXIT, UserError } from '../user-error.ts';

export const ask = defineCommand({
  name: 'ask',
  summary: 'Answer a question about costs, calls, errors and latency',
  args: {
    question: {
      summary: 'The question in English, in quotes',
      type: z.string().trim().min(1).max(MAX_QUESTION),
    },
  },
  options: {
    ...projectOption,
    zone: {
      value: 'NAME',
      summary: 'Time zone of days and weeks, such as Europe/Berlin',
      type: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
      default: 'UTC',
    },
  },
  examples: [
    'spanledger ask "Which model cost the most last week?"',
    'spanledger ask "error rate by provider yesterday" --json',
    'spanledger ask "Cost this week by model" --zone Europe/Berlin',
  ],
  run: async (ctx) => {
    const { question } = ctx.args;
    const timeZone = ctx.options.zone;
    const reply = await readOfProject<AskReply>(ctx, ctx.options.project, {
      file: async (app, scope, { id }) => {
        const { ask: answer } = await import('../../src/features/ai/index.ts');
        return answer(app, { scope, projectId: id }, { question, timeZone, now: Date.now() }, null);
      },
      server: async (server, { id }) => {
        const { askEndpoint } = await import('../../src/features/ai/ask/contract.ts');
        return server.post(askEndpoint, { query: { projectId: id }, body: { question, timeZone } });
      },
    });
    if (reply.refusal !== null) throw notUnderstood(reply.refusal);
    ctx.output.result(reply, () => printAnswer(ctx.output, reply));
  },
});

function notUnderstood({ message, nearest, examples }: NonNullable<AskReply['refusal']>): UserError {
  return new UserError({
    what: message,
    fix: `${nearest === null ? '' : `Without these words it can be answered: "${nearest}". `}Ask like: ${examples
      .slice(0, nearest === null ? 3 : 2)
      .map((one) => `"${one}"`)
      .join(', ')}; or use \`spanledger query\``,
    code: 'not_understood',
    exit: EXIT.failure,
  });
}

function printAnswer(output: Output, { answer, rows, measures, start, end, query }: AskReply): void {
  output.line(answer ?? '');
  const when =
    start === null || end === null
      ? []
      : [span(Date.parse(start), Date.parse(end)), query?.timeZone ?? 'UTC'];
  // Without the filter nobody sees what "claude" was taken for.
  output.line(tinted([...when, ...(query?.filter ? [query.filter] : [])].join(' · '), 'dim'));
  output.raw('\n');
  const [main] = measures;
  const most = Math.max(
    0,
    ...rows.filter(({ kind }) => kind !== 'total').map(({ values }) => values[main?.name ?? ''] ?? 0),
  );
  const columns: Column<AskRow>[] = [
    { header: query?.groupBy?.join(', ') ?? (rows.length > 1 ? 'start' : ' '), value: nameOf },
    ...measures.flatMap((measure) => columnsOf(measure, rows)),
  ];
  if (rows.length > 1 && main !== undefined)
    columns.push({
      header: '',
      value: ({ kind, values }) => (kind === 'total' ? { text: ' ' } : bar(values[main.name] ?? 0, most)),
      fixed: true,
    });
  output.table(columns, rows);
}

function nameOf({ kind, key, time }: AskRow): CellValue {
  if (kind === 'total') return tinted('total', 'bold');
  if (kind === 'others') return tinted('others', 'dim');
  if (kind === 'step') return (time ?? '').slice(0, 16).replace('T', ' ');
  return Object.values(key)
    .map((value) => value ?? 'none')
    .join(', ');
}

function columnsOf(measure: AskReply['measures'][number], rows: readonly AskRow[]): Column<AskRow>[] {
  const { name } = measure;
  const own: Column<AskRow> = {
    header: name,
    value: ({ values, unpriced }) => figureCell(measure, values[name] ?? null, unpriced),
  };
  if (rows.every(({ before }) => before === null)) return [own];
  return [
    own,
    {
      header: 'before',
      value: ({ before, unpricedBefore }) => figureCell(measure, before?.[name] ?? null, unpricedBefore),
    },
    { header: 'change', value: ({ change }) => ({ text: change?.[name] ?? '', align: 'right' as const }) },
  ];
}
