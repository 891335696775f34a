import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { parseMoment } from '../window.ts';
import { printRepricing, repricingReply } from './print.ts';

export const repricePlan = defineCommand({
  name: 'reprice plan',
  summary: 'Dry run: show how current prices would change the costs of stored calls',
  options: {
    ...projectOption,
    start: { value: 'TIME', summary: 'From: 7d, 2026-01-31 or an ISO 8601 time', required: true },
    end: { value: 'TIME', summary: 'To, in the same formats; not included', default: 'now' },
    provider: { value: 'NAME', summary: 'Only calls of this provider' },
    model: { value: 'NAME', summary: 'Only calls of this model' },
    environment: { value: 'NAME', summary: 'Only calls of this environment' },
    unpricedOnly: { summary: 'Only calls without a price' },
    clientCosts: { summary: 'Also calls whose cost the client stated' },
  },
  examples: [
    'spanledger reprice plan --start 30d --unpriced-only',
    'spanledger reprice plan -p assistant --start 2026-11-01 --model gpt-4o',
  ],
  run: async (ctx) => {
    const { options } = ctx;
    const now = Date.now();
    const time = (flag: string, text: string): string => new Date(parseMoment(flag, text, now)).toISOString();
    const { provider, model, environment, unpricedOnly, clientCosts } = options;
    const request = {
      start: time('--start', options.start),
      end: time('--end', options.end),
      provider,
      model,
      environment,
      unpricedOnly,
      clientCosts,
    };
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const doc = await act(ctx, {
      action: 'repricings.create',
      input: { project, request },
      reply: repricingReply,
    });
    ctx.output.result(doc, () => {
      printRepricing(ctx.output, doc);
      ctx.output.info(
        doc.changes === 0 ? 'Nothing would change' : `Apply it with \`spanledger reprice apply ${doc.id}\``,
      );
    });
  },
});
