import type { Statement, Statements } from '../../src/features/statements/contract.ts';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { defineCommand } from '../command.ts';
import { readOfOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { usageError } from '../user-error.ts';
import { byOption, lastMonth, monthType } from './options.ts';
import { printStatements } from './print.ts';

/** The file gives all statements at once, a server this many per page. */
const ALL = 1e9;
const PER_PAGE = 100;

export const statementsList = defineCommand({
  name: 'statements list',
  summary: "A month's statements by project, user, key or tag",
  options: {
    month: { value: 'YYYY-MM', summary: 'Month in UTC; default: the last one', type: monthType },
    by: byOption,
    lines: { summary: 'Add the lines to --json' },
    csv: { summary: 'Print all lines as CSV' },
    ...orgOption,
  },
  examples: [
    'spanledger statements list --month 2026-10 --by tag:customer',
    'spanledger statements list --month 2026-10 --by tag:customer --csv > bill.csv',
  ],
  run: async (ctx) => {
    const { options, output } = ctx;
    if (options.csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
    const [{ readStatements, statementsCsv }, { statementsEndpoint }] = await Promise.all([
      import('../../src/features/statements/index.ts'),
      import('../../src/features/statements/contract.ts'),
    ]);
    const { month = lastMonth(Date.now()), by, csv } = options;
    const lines = csv || options.lines;
    const doc = await readOfOrganization<Statements>(ctx, options.org, {
      file: (app, { id: organizationId }) =>
        readStatements(app, { organizationId, by, month, from: 0, limit: ALL, lines }),
      server: async (server, { id }) => {
        const pages: Statements[] = [];
        for (
          let cursor: string | undefined | null;
          cursor !== null;
          cursor = pages.at(-1)?.nextCursor ?? null
        ) {
          const query = { by, month, limit: String(PER_PAGE), lines: lines ? 'true' : 'false' } as const;
          pages.push(
            await server.get(statementsEndpoint, {
              params: { id },
              query: { ...query, ...(cursor !== undefined && { cursor }) },
            }),
          );
        }
        const [first] = pages as [Statements, ...Statements[]];
        return { ...first, statements: pages.flatMap((page) => page.statements), nextCursor: null };
      },
    });
    if (csv)
      return output.raw(
        statementsCsv(
          doc.statements.map((one) => wholeOf(doc, one)),
          true,
        ),
      );
    output.result(doc, () => {
      printStatements(output, doc);
      if (!doc.defined)
        output.info(
          `These are costs in USD; add a markup, fees and a currency with \`spanledger statements create --by ${shellWord(by)}\``,
        );
    });
  },
});

/** A statement of the list with what the list tells of its month. */
const wholeOf = (
  { statements: _, nextCursor: __, defined: ___, count: ____, ...month }: Statements,
  { lines = [], ...one }: Statements['statements'][number],
): Statement => ({ ...month, ...one, lines, letterhead: { name: null, address: [], footer: '' } });
