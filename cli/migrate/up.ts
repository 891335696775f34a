import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { migrateHere } from '../session.ts';

export const migrateUp = defineCommand({
  name: 'migrate up',
  summary: 'Apply pending migrations; the server also does it at start',
  examples: ['spanledger migrate up --db ledger.db'],
  run: async (ctx) => {
    const { database, applied: inFile } = await migrateHere(ctx);
    const { migrateEventStore } = await import('../../src/core/events/index.ts');
    const applied = [...inFile, ...(await migrateEventStore(ctx.config().values))];
    ctx.output.result({ database, applied }, () => {
      for (const name of applied) ctx.output.line(name);
      ctx.output.success(
        applied.length === 0 ? 'Nothing to do' : `${countText(applied.length, 'migration')} applied`,
      );
    });
  },
});
