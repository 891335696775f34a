import type { KeyRow } from '../../src/core/keys/contract.ts';
import { defineCommand } from '../command.ts';
import type { Cell } from '../format.ts';
import { utcTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { withApp } from '../session.ts';

const tones = { active: 'good', grace: 'warn', expired: 'dim', revoked: 'dim' } as const;

const date = (iso: string | null): Cell => ({ text: iso?.slice(0, 10) ?? 'never', tone: 'dim' });

const columns: readonly Column<KeyRow>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'project', value: ({ projectName }) => projectName },
  { header: 'state', value: ({ state }) => ({ text: state, tone: tones[state] }), fixed: true },
  { header: 'last used', value: ({ lastUsedAt }) => date(lastUsedAt) },
];

export const keysList = defineCommand({
  name: 'keys list',
  summary: 'List API keys; their secrets are not stored',
  options: { project: { value: 'PROJECT', summary: 'Only keys of this project (id or name)', short: 'p' } },
  examples: ['spanledger keys list', 'spanledger keys list --project assistant --json'],
  run: async (ctx) => {
    const { listKeys } = await import('../../src/core/keys/index.ts');
    const keys = await withApp(ctx, (app) => listKeys(app.ctx, ctx.options.project));
    ctx.output.result({ keys }, () => {
      ctx.output.table(columns, keys);
      for (const { id, state, validUntil, expiresAt } of keys) {
        const end = validUntil ?? expiresAt;
        if ((state === 'grace' || state === 'active') && end !== null)
          ctx.output.info(`${id} expires ${utcTime(Date.parse(end))}`);
      }
      const left = keys.filter(
        ({ makerLeft, state }) => makerLeft && (state === 'active' || state === 'grace'),
      );
      if (left.length > 0)
        ctx.output.info(
          `Created by people who have left since, who may still know them: ${left.map(({ id }) => id).join(', ')}. Rotate them`,
        );
      if (keys.length === 0) ctx.output.info('No keys yet; create one with `spanledger keys create`');
    });
  },
});
