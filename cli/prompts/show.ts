import type { VersionRow } from '../../src/core/prompts/contract.ts';
import type { VersionFigures } from '../../src/core/prompts/figures/contract.ts';
import { moneyText, numberText, percentText } from '../../src/lib/figures.ts';
import { meanText } from '../../src/lib/scores/mean-text.ts';
import { defineCommand } from '../command.ts';
import { type CellValue, knownCost, money } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const DAYS = 30;
const MOST = 20;

type Row = VersionRow & { readonly figures: VersionFigures | null };
const right = (text: string) => ({ text, align: 'right' }) as const;

/** `helpful 82.0%, tone 3.4`: the share of true, or the mean of numbers. */
const scoresText = (scores: VersionFigures['scores']): string =>
  scores.map(({ name, type, mean }) => `${name} ${meanText(type, mean)}`).join(', ');

const costOf = (figures: VersionFigures | null, cost: number | null | undefined): CellValue =>
  figures === null || figures.calls === 0 ? null : knownCost(money(cost), figures);

const columns: readonly Column<Row>[] = [
  { header: 'version', value: ({ version }) => right(String(version)) },
  { header: 'labels', value: ({ labels }) => labels.join(', ') },
  { header: 'calls', value: ({ figures }) => right(numberText(figures?.calls ?? 0)) },
  { header: 'cost', value: ({ figures }) => costOf(figures, figures?.cost) },
  {
    header: 'per call',
    // A mean of the calls that have a price.
    value: ({ figures }) => right(figures?.costPerCall == null ? '' : moneyText(figures.costPerCall)),
  },
  {
    header: 'errors',
    value: ({ figures }) => right(figures?.errorRate == null ? '' : percentText(figures.errorRate)),
  },
  { header: 'scores', value: ({ figures }) => scoresText(figures?.scores ?? []) },
  { header: 'created', value: ({ createdAt }) => shortTime(Date.parse(createdAt)) },
  { header: 'change', value: ({ message }) => message },
];

export const promptsShow = defineCommand({
  name: 'prompts show',
  summary: 'Show a prompt: its newest versions with their figures of 30 days, and who includes it',
  args: { prompt: { summary: 'Name of the prompt' } },
  options: projectOption,
  examples: ['spanledger prompts show support/triage', 'spanledger prompts show support/triage --json'],
  run: async (ctx) => {
    const name = ctx.args.prompt;
    const { listVersions, readPrompt, readPromptFigures } = await import('../../src/core/prompts/index.ts');
    const { operatorScope } = await import('../../src/core/tenancy/index.ts');
    const found = await withApp(ctx, async ({ ctx: app }) => {
      const project = await chooseProject(app, ctx.options.project);
      const prompt = await readPrompt(app, project.id, name);
      const [{ versions }, figures] = await Promise.all([
        listVersions(app, project.id, { name, limit: MOST }),
        readPromptFigures(app, operatorScope(project), { name, start: app.now() - DAYS * 86_400_000 }),
      ]);
      const byVersion = new Map(figures.versions.map((one) => [one.version, one]));
      return {
        ...prompt,
        versions: versions.map((one) => ({ ...one, figures: byVersion.get(String(one.version)) ?? null })),
      };
    });
    ctx.output.result(found, () => {
      const facts = [found.type, found.description, found.tags.join(', ')].filter((fact) => fact !== '');
      ctx.output.line(`${name} (${facts.join('; ')})`);
      ctx.output.table(columns, found.versions);
      for (const { name: user, version } of found.includedBy)
        ctx.output.line(`Included by ${user}, version ${version}`);
    });
  },
});
