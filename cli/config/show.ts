import { type ConfigRow, describeConfig } from '../../src/config.ts';
import { defineCommand } from '../command.ts';
import type { Cell } from '../format.ts';

const docOf = ({ doc }: ConfigRow): Cell => ({ text: doc, tone: 'dim' });

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
          // Narrow terminals would cut off the description; --json always has it.
          ...(output.columns < 120 ? [] : [{ header: '', value: docOf }]),
        ],
        settings,
      ),
    );
  },
});
