import { listService } from '../../context.ts';
import { billedMonthsNeeded } from '../../core/billed-months/index.ts';
import { listen, type Module } from '../../module.ts';
import { closeStatementsAction, createStatementsAction } from './actions.ts';
import { billedMonths } from './close/billed-months.ts';
import { closeMonthsJob, keepDaysJob } from './jobs.ts';
import { recentDays } from './ledger/read-day.ts';
import { recentMonths } from './ledger/read-month.ts';
import { statementRoutes, statementServices } from './routes.ts';

const ofOrganization = { scope: 'organization', by: 'organization_id' } as const;

/** The ledger as bills: statements of a month by project, user, key or tag. */
export const statementsModule: Module = {
  name: 'statements',
  // Rows that refer to others come first, in the order of a purge.
  tables: [
    {
      name: 'statement_days',
      scope: 'project',
      by: 'project_id',
      key: ['by', 'day'],
      // The user may be a party, or the value of a tag.
      eraseUser: {
        update:
          "parties = (SELECT json_group_array(iif(value = ?, 'erased user', value)) FROM json_each(parties))",
        where: 'EXISTS (SELECT 1 FROM json_each(parties) WHERE value = ?)',
      },
    },
    { name: 'statement_documents', ...ofOrganization, key: ['month_id', 'place'] },
    { name: 'statement_months', ...ofOrganization, key: ['id'] },
    { name: 'statement_definitions', ...ofOrganization, key: ['id'] },
  ],
  routes: statementRoutes,
  actions: [createStatementsAction, closeStatementsAction],
  jobs: [keepDaysJob, closeMonthsJob],
  services: [listService(recentDays), listService(recentMonths), ...statementServices],
  on: [listen(billedMonthsNeeded, (_, { answer }) => answer(billedMonths))],
};

export { closeStatementsAction, createStatementsAction } from './actions.ts';
export { readStatements } from './read-statements.ts';
export { statementsCsv } from './to-csv.ts';
