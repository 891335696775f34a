import { labelOf } from '../../src/db/remote/place.ts';
import { defineCommand } from '../command.ts';
import { utcTime } from '../moment.ts';

export const migrateStatus = defineCommand({
  name: 'migrate status',
  summary: 'List the migrations and whether they are applied',
  examples: ['spanledger migrate status', 'spanledger migrate status --db ledger.db --json'],
  run: async ({ config, output }) => {
    const [{ placeOf }, { statesOf }, { migrations }] = await Promise.all([
      import('../../src/db/remote/place-of.ts'),
      import('../../src/db/remote/open-remote.ts'),
      import('../../migrations/index.ts'),
    ]);
    const place = placeOf(config().values);
    const states = statesOf(place, migrations).map(({ name, appliedAt }) => ({
      name,
      appliedAt: appliedAt === null ? null : new Date(appliedAt).toISOString(),
    }));
    const pending = states.filter(({ appliedAt }) => appliedAt === null).length;
    output.result({ database: labelOf(place), pending, migrations: states }, () => {
      output.table(
        [
          { header: 'migration', value: ({ name }) => name },
          {
            header: 'applied',
            value: ({ appliedAt }) =>
              appliedAt === null
                ? { text: 'not yet', tone: 'warn' }
                : { text: utcTime(Date.parse(appliedAt)), tone: 'dim' },
          },
        ],
        states,
      );
      if (pending > 0) output.info('Apply them with `spanledger migrate up`, or start the server');
    });
  },
});
