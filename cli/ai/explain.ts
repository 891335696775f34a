import { z } from 'zod';
import { ROOT_CAUSE_MEASURES, type RootCause } from '../../src/core/root-cause/contract.ts';
import { differenceText, unitText } from '../../src/lib/figures.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { span } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { readOfProject } from '../project.ts';
import { tinted } from '../report/figures.ts';
import { section, warnLeftOut } from '../report/pieces.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';
import { parseWindow, toQuery } from '../window.ts';
import { anomalyOptions, readAnomalies } from './anomalies.ts';
import { wrap } from './wrap.ts';

const args = {
  anomaly: {
    summary: 'Its number in `anomalies list` with the same options, or its id',
    optional: true,
    type: z
      .string()
      .regex(/^([1-9]\d{0,2}|[\w-]{20,2000})$/, 'is neither a number of `anomalies list` nor an id'),
  },
} as const;
const options = {
  ...anomalyOptions,
  measure: {
    value: 'NAME',
    summary: 'Explain this measure from --start to --end instead',
    choices: ROOT_CAUSE_MEASURES,
  },
} as const;
type Context = CommandContext<typeof args, typeof options>;
type Subject =
  | { readonly anomalyId: string }
  | { readonly measure: RootCause['measure']; readonly start: number; readonly end: number };

export const anomaliesExplain = defineCommand({
  name: 'anomalies explain',
  summary: 'Explain an unusual hour, or a change of a measure, by what differs',
  args,
  options,
  examples: [
    'spanledger anomalies explain 1',
    'spanledger anomalies explain 2 --start 14d --sensitivity high --json',
    'spanledger anomalies explain --measure cost --start 24h',
  ],
  run: async (ctx) => {
    const subject = await subjectOf(ctx);
    const doc = await readOfProject<RootCause>(ctx, ctx.options.project, {
      file: async (app, _, project) => {
        const [{ explain, parseAnomalyId }, { operatorScope }] = await Promise.all([
          import('../../src/features/ai/index.ts'),
          import('../../src/core/tenancy/index.ts'),
        ]);
        const what =
          'anomalyId' in subject
            ? parseAnomalyId(subject.anomalyId)
            : {
                measure: subject.measure,
                window: { from: subject.start, to: subject.end },
                filter: '',
              };
        return explain(app, operatorScope(project), what);
      },
      server: async (server, { id: projectId }) => {
        const { explainEndpoint } = await import('../../src/features/ai/anomalies/contract.ts');
        const body = 'anomalyId' in subject ? subject : { measure: subject.measure, ...toQuery(subject) };
        return server.post(explainEndpoint, { query: { projectId }, body });
      },
    });
    ctx.output.result(doc, () => print(ctx.output, doc));
    warnLeftOut(ctx.output, doc);
  },
});

/** @throws {UserError} usage (2); `not_found` (3) for a number that is not listed */
async function subjectOf(ctx: Context): Promise<Subject> {
  const { anomaly } = ctx.args;
  const { measure } = ctx.options;
  if ((anomaly === undefined) === (measure === undefined))
    throw usageError(
      anomaly === undefined ? 'Nothing to explain' : 'An anomaly has its measure',
      'Name an anomaly, such as `spanledger anomalies explain 1`, or a --measure with --start',
    );
  if (measure !== undefined) {
    const now = Date.now();
    const { start, end = now } = parseWindow(ctx.options, now);
    if (start === undefined) throw usageError('--measure needs a window', 'Add --start, such as --start 24h');
    return { measure, start, end };
  }
  const place = Number(anomaly);
  if (anomaly !== undefined && !(place < 1_000)) return { anomalyId: anomaly };
  const { anomalies } = await readAnomalies(ctx, ctx.options);
  const found = anomalies[place - 1];
  if (found !== undefined) return { anomalyId: found.id };
  throw new UserError({
    what:
      anomalies.length === 0
        ? 'There are no unusual hours in this time'
        : `There are ${anomalies.length} unusual hours, and no number ${place}`,
    fix: 'Run `spanledger anomalies list` with the same options, or choose an earlier --start',
    code: 'not_found',
    exit: EXIT.notFound,
  });
}

function print(output: Output, { summary, window, baseline, unit, causes, rest, measure }: RootCause): void {
  for (const line of wrap(summary, output.columns)) output.line(tinted(line, 'bold'));
  output.raw('\n');
  const value = (of: number | null): string => (of === null ? 'no value' : unitText(of, unit));
  const when = ({ start, end }: { start: string; end: string }): string =>
    span(Date.parse(start), Date.parse(end));
  output.table(
    [
      { header: measure, value: ({ name }) => tinted(name, 'dim') },
      { header: 'value', value: ({ of }) => ({ text: value(of.value), align: 'right' as const }) },
      { header: 'calls', value: ({ of }) => of.calls },
      { header: 'time (UTC)', value: ({ of }) => when(of) },
    ],
    [
      { name: 'now', of: window },
      { name: 'before', of: baseline },
    ],
  );
  if (causes.length === 0) return;
  section(output, 'Causes');
  const part = (share: number | null): string => (share === null ? '' : `${Math.round(share * 100)} %`);
  const columns: Column<{ label: string; contribution: number; share: number | null; reason: string }>[] = [
    { header: 'calls of', value: ({ label }) => label },
    {
      header: 'change',
      value: ({ contribution }) => ({ text: differenceText(contribution, unit), align: 'right' as const }),
    },
    { header: 'part', value: ({ share }) => ({ text: part(share), align: 'right' as const }) },
    { header: 'why', value: ({ reason }) => tinted(reason, 'dim') },
  ];
  output.table(columns, [...causes, { label: 'everything else', reason: '', ...rest }]);
  const [first] = causes;
  if (first === undefined || first.filter === '') return;
  section(output, 'Calls of the first cause');
  for (const line of wrap(first.filter, output.columns)) output.line(line);
}
