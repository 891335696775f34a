import { ruleSchema } from '../../src/core/online-rules/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';

const rule = { summary: 'Name or id of the rule' };

const turn = (verb: 'enable' | 'disable', summary: string) =>
  defineCommand({
    name: `online-rules ${verb}`,
    summary,
    args: { rule },
    options: projectOption,
    examples: [`spanledger online-rules ${verb} "Tone of production"`],
    run: async (ctx) => {
      const { args, options, output } = ctx;
      const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
      const input = { project, rule: args.rule, enabled: verb === 'enable' };
      const doc = await act(ctx, { action: 'rules.enable', input, reply: ruleSchema });
      output.result(doc, () => output.success(`Online rule ${doc.name} ${verb}d`));
    },
  });

export const onlineRulesEnable = turn('enable', 'Turn an online rule on; one that is held goes on at once');
export const onlineRulesDisable = turn('disable', 'Turn an online rule off; its backlog stays');
