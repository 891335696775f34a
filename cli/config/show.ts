import { describeConfig } from '../../src/config.ts';
import { defineCommand } from '../command.ts';

export const configShow = defineCommand({
  name: 'config show',
  summary: 'Show every setting and where it comes from',
  examples: ['spanledger config show', 'PORT=8080 spanledger config show --db ledger.db --json'],
  run: ({ config, output }) => {
    const settings = describeConfig(config());
    output.result({ settings }, () =>
      output.table(
        [
          { header: 'setting', value: (row) => row.key, fixed: true },
          { header: 'value', value: (row) => (row.value === null ? null : String(row.value)) },
          {
            header: 'source',
            value: (row) => ({ text: row.source, tone: row.source === 'default' ? 'dim' : 'accent' }),
          },
          { header: '', value: (row) => ({ text: row.doc, tone: 'dim' }) },
        ],
        settings,
      ),
    );
  },
});
