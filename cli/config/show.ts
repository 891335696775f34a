import type { z } from 'zod';
import { labelOf } from '../../src/db/remote/place.ts';
import { noticesSchema } from '../../src/features/health/contract.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import type { Cell } from '../format.ts';
import { utcTime } from '../moment.ts';
import { type ConfigRow, describeConfig } from './describe-config.ts';

type Notices = z.infer<typeof noticesSchema>['notices'];

const docOf = ({ doc }: ConfigRow): Cell => ({ text: doc, tone: 'dim' });

export const configShow = defineCommand({
  name: 'config show',
  summary: 'Show every setting and where it comes from, and what a running server noticed',
  examples: ['spanledger config show', 'PORT=8080 spanledger config show --db ledger.db --json'],
  run: async (ctx) => {
    const { config, output } = ctx;
    const settings = describeConfig(config());
    const notices = await readNotices(ctx);
    output.result({ settings, notices }, () =>
      output.table(
        [
          { header: 'setting', value: (row) => row.key, fixed: true },
          { header: 'value', value: (row) => (row.value === null ? null : String(row.value)) },
          {
            header: 'source',
            value: (row) => ({ text: row.source, tone: row.source === 'default' ? 'dim' : 'accent' }),
          },
          // Narrow terminals would cut off the description; --json always has it.
          ...(output.columns < 120 ? [] : [{ header: '', value: docOf }]),
        ],
        settings,
      ),
    );
    for (const { since, text } of notices) output.warn(`${text} (since ${utcTime(Date.parse(since))})`);
  },
});

/** What the server that uses the file noticed; nothing without a server, or from one of an older version. */
const readNotices = async (ctx: BaseContext): Promise<Notices> => {
  const [{ placeOf }, { actThroughServer }] = await Promise.all([
    import('../../src/db/remote/place-of.ts'),
    import('../../src/serve.ts'),
  ]);
  try {
    const path = labelOf(placeOf(ctx.config().values));
    const reply = await actThroughServer(path, { action: 'server.notices', input: {} });
    return reply === null ? [] : noticesSchema.parse(reply.result).notices;
  } catch {
    return [];
  }
};
