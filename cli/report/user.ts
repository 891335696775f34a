import { z } from 'zod';
import type { UserReply } from '../../src/features/users/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { bar, knownCost, money, number } from '../format.ts';
import { shortDay, shortTime, span } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { chart } from './chart.ts';
import { compact, moneyColumn, percent, tinted } from './figures.ts';
import { facts, section } from './pieces.ts';

export const reportUser = defineCommand({
  name: 'report user',
  summary: 'One end user: cost, calls and errors by day and model',
  args: { user: { summary: 'Id of the end user, as events name it', type: z.string().min(1).max(500) } },
  options: {
    ...projectOption,
    ...windowOptions,
    environment: { value: 'NAME', summary: 'Only calls of this environment' },
  },
  examples: ['spanledger report user maya', 'spanledger report user maya --start 7d --json'],
  run: async (ctx) => {
    const { user: userId } = ctx.args;
    const { environment } = ctx.options;
    const now = Date.now();
    const bounds = parseWindow(ctx.options, now);
    const [{ readUser, wholeDays }, { getUserEndpoint }] = await Promise.all([
      import('../../src/features/users/index.ts'),
      import('../../src/features/users/contract.ts'),
    ]);
    const doc = await readOfProject<UserReply>(ctx, ctx.options.project, {
      file: (app, scope) => readUser(app, scope, { userId, window: wholeDays(bounds, now), environment }),
      server: (server, { id: projectId }) =>
        server.get(getUserEndpoint, {
          params: { userId },
          query: { projectId, ...toQuery(bounds), environment },
        }),
    });
    ctx.output.result(doc, () => print(ctx.output, doc));
  },
});

const print = (output: Output, { user, days, models, window }: UserReply): void => {
  const about = span(Date.parse(window.start), Date.parse(window.end) - 1);
  output.line(tinted(`User ${user.user_id}`, 'bold'), tinted(`· ${about}`, 'dim'));
  output.raw('\n');
  const unpriced = user.unpriced > 0 ? `${countText(user.unpriced, 'call')} without a price` : '';
  const seen = `since ${shortTime(Date.parse(user.first_seen))}`;
  facts(output, [
    {
      label: 'Cost',
      value: knownCost(moneyColumn([user.cost_usd])(user.cost_usd), {
        unpriced: user.unpriced,
        calls: user.requests,
      }),
      note: unpriced,
    },
    { label: 'Calls', value: number(user.requests), note: `${percent(user.error_rate).text} failed` },
    { label: 'Tokens', value: compact(user.input_tokens + user.output_tokens) },
    { label: 'Last seen', value: { text: shortTime(Date.parse(user.last_seen)) }, note: seen },
  ]);
  if (days.length > 1) {
    section(output, 'Cost per day', 'UTC');
    const points = days.map(({ date, cost_usd }) => ({ label: shortDay(Date.parse(date)), value: cost_usd }));
    for (const line of chart(points, { columns: output.columns, format: (usd) => money(usd).text }))
      output.line(...line);
  }
  if (models.length > 0) printModels(output, models);
};

const printModels = (output: Output, models: UserReply['models']): void => {
  const cost = moneyColumn(models.map(({ cost_usd }) => cost_usd));
  const top = models[0]?.cost_usd ?? 0;
  const columns: readonly Column<UserReply['models'][number]>[] = [
    { header: 'model', value: ({ model }) => model },
    { header: 'calls', value: ({ requests }) => requests },
    { header: 'errors', value: ({ errors }) => errors },
    { header: 'tokens', value: ({ input_tokens, output_tokens }) => compact(input_tokens + output_tokens) },
    { header: 'cost', value: (row) => (row.unpriced === row.requests ? null : cost(row.cost_usd)) },
    { header: '', value: ({ cost_usd }) => bar(cost_usd, top, 12), fixed: true, spare: true },
  ];
  section(output, 'By model');
  output.table(columns, models);
};
