import { backfillReply } from '../../src/core/online-rules/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';

export const onlineRulesBackfill = defineCommand({
  name: 'online-rules backfill',
  summary: 'Judge the stored traces of a past window, or estimate what that costs',
  args: { rule: { summary: 'Name or id of the rule' } },
  options: {
    ...projectOption,
    from: { value: 'TIME', summary: 'Start of the window, ISO 8601', required: true },
    to: { value: 'TIME', summary: 'End of the window, ISO 8601. Default: now' },
    rejudge: { summary: 'Judge what an older version of the evaluator judged again' },
    dryRun: { summary: 'Only estimate' },
  },
  examples: [
    'spanledger online-rules backfill Tone --from 2026-01-01T00:00:00Z --dry-run',
    'spanledger online-rules backfill "Tone of production" --from 2026-01-01',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { rejudge, dryRun } = options;
    const window = {
      start: instantOf('--from', options.from),
      end: options.to === undefined ? new Date().toISOString() : instantOf('--to', options.to),
      rejudge,
      dryRun,
    };
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const input = { project, rule: args.rule, window };
    const doc = await act(ctx, { action: 'rules.backfill', input, reply: backfillReply });
    output.result(doc, () => {
      const cost = doc.expectedUsd === null ? 'unknown' : `$${doc.expectedUsd.toFixed(4)}`;
      const what = `${doc.matching} of ${doc.traces}${doc.isComplete ? '' : ' and more'} traces, expected cost ${cost}`;
      output.success(doc.started ? `Judging ${what}` : `Would judge ${what}`);
    });
  },
});

function instantOf(flag: string, text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw usageError(`${flag} ${text} is not a time`, 'Pass a time such as 2026-01-01T00:00:00Z');
  return time.toISOString();
}
