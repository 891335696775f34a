import type { AlertInput } from '../../src/features/alerts/contract.ts';
import { type AlertPreview, PREVIEW_DAYS } from '../../src/features/alerts/preview/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { wholeNumber } from '../list/limit.ts';
import { shortTime } from '../moment.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { EXIT, UserError } from '../user-error.ts';
import { figureCell, stateCell } from './columns.ts';
import { readRule } from './read-rule.ts';

const options = {
  ...projectOption,
  days: {
    value: 'N',
    summary: 'Days to look back, 1 to 30',
    type: wholeNumber(1, PREVIEW_DAYS),
    default: String(PREVIEW_DAYS),
  },
} as const;

type Span = AlertPreview['spans'][number];
const columns: readonly ListColumn<Span>[] = [
  { header: 'from', value: ({ from }) => shortTime(Date.parse(from)), fixed: true },
  { header: 'to', value: ({ to }) => (to === null ? 'now' : shortTime(Date.parse(to))), fixed: true },
  { header: 'state', value: ({ state }) => stateCell(state), fixed: true },
  { header: 'group', value: ({ group }) => group, rank: 1 },
];
type Texts = Pick<typeof import('../../src/features/alerts/index.ts'), 'figureText' | 'leftOutText'>;
const valueColumn = ({ figureText }: Texts, measure: AlertInput['measure']): ListColumn<Span> => ({
  header: 'value',
  value: (span) => figureCell(figureText, measure, span),
  rank: 2,
});
/** Newest times that a terminal shows. */
const SHOWN = 20;

type Read = { readonly rule: AlertInput; readonly preview: AlertPreview; readonly texts: Texts };

async function read(
  ctx: BaseContext,
  file: string,
  { project, days }: { readonly project: string | undefined; readonly days: number },
): Promise<Read> {
  const rule = await readRule(ctx, file);
  const { previewAlert, ruleOf, figureText, leftOutText } = await import(
    '../../src/features/alerts/index.ts'
  );
  const { operatorScope } = await import('../../src/core/tenancy/index.ts');
  const preview = await withApp(ctx, async ({ ctx: app }) =>
    previewAlert(app, operatorScope(await chooseProject(app, project)), { rule: ruleOf(rule), days }),
  );
  return { rule, preview, texts: { figureText, leftOutText } };
}

function print({ output }: BaseContext, { rule: { measure }, preview, texts }: Read): void {
  const leftOut = texts.leftOutText(measure, preview);
  const { firings, notifications, groups, from } = preview;
  const spans = preview.spans.toReversed().slice(0, SHOWN);
  const shown = [...columns, valueColumn(texts, measure)];
  if (spans.length > 0) output.table(columnsThatFit(shown, spans, output.columns), spans);
  if (preview.note !== null) output.info(preview.note);
  if (leftOut !== null) output.warn(`${leftOut}: the rule judges the priced calls only`);
  output.info(
    `Since ${shortTime(Date.parse(from))}: fired ${countText(firings, 'time')} in ${countText(groups, 'group')}, ${countText(notifications, 'notification')}`,
  );
}

export const alertsPreview = defineCommand({
  name: 'alerts preview',
  summary: 'Show when a rule would have fired in the last days; nothing is saved',
  args: { file: { summary: 'File with the rule in JSON or YAML, or - for stdin' } },
  options,
  examples: [
    'spanledger alerts preview errors.yaml',
    'spanledger alerts preview errors.yaml --days 7 --json',
  ],
  run: async (ctx) => {
    const found = await read(ctx, ctx.args.file, ctx.options);
    ctx.output.result(found.preview, () => print(ctx, found));
  },
});

export const alertsTest = defineCommand({
  name: 'alerts test',
  summary: 'Check a rule for CI: exits 1 if it would have fired more often than allowed',
  args: { file: { summary: 'File with the rule in JSON or YAML, or - for stdin' } },
  options: {
    ...options,
    most: {
      value: 'N',
      summary: 'Most firings that are allowed',
      type: wholeNumber(0, 1_000_000),
      default: '0',
    },
  },
  examples: ['spanledger alerts test errors.yaml', 'spanledger alerts test errors.yaml --days 7 --most 3'],
  run: async (ctx) => {
    const found = await read(ctx, ctx.args.file, ctx.options);
    const { preview } = found;
    ctx.output.result(preview, () => print(ctx, found));
    if (preview.firings > ctx.options.most)
      throw new UserError({
        what: `The rule would have fired ${countText(preview.firings, 'time')}`,
        fix: `Change the rule, or allow it with --most ${preview.firings}`,
        code: 'alert_fires',
        exit: EXIT.failure,
      });
  },
});
