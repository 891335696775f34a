import { operatorScope } from '../../src/core/tenancy/index.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { ruleColumns } from './columns.ts';

export const onlineRulesList = defineCommand({
  name: 'online-rules list',
  summary: 'List the rules that judge new traces, with backlog and cost of the month',
  options: projectOption,
  examples: ['spanledger online-rules list', 'spanledger online-rules list -p assistant --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { listRules } = await import('../../src/core/online-rules/index.ts');
    const rules = await withApp(ctx, async ({ ctx: app }) =>
      listRules(app, operatorScope(await chooseProject(app, options.project))),
    );
    output.result({ rules }, () => {
      if (rules.length === 0)
        return output.info('No online rules; create one with `spanledger online-rules create`');
      output.table(columnsThatFit(ruleColumns, rules, output.columns), rules);
    });
  },
});
