import { z } from 'zod';
import { REPORT_PERIODS, scheduledReportSchema } from '../../src/features/scheduled-reports/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { projectIdOf } from '../project.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { reportColumns } from './columns.ts';

const whole = z
  .string()
  .regex(/^\d{1,2}$/, 'expected a whole number such as 8')
  .transform(Number);
const names = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

export const scheduledReportsCreate = defineCommand({
  name: 'scheduled-reports create',
  summary: 'Send costs to members and channels every day, week or month',
  args: { name: { summary: 'Name of the report' } },
  options: {
    ...orgOption,
    project: { value: 'PROJECT', summary: 'Only this project; without it all of them', short: 'p' },
    per: { value: 'PERIOD', summary: 'day, week or month', choices: REPORT_PERIODS, default: 'week' },
    day: { value: 'N', summary: 'Weekday 1 (Monday) to 7, or day of the month', type: whole },
    hour: { value: 'N', summary: 'Hour of the day, 0 to 23; default 8', type: whole },
    zone: { value: 'ZONE', summary: 'Time zone such as Europe/Berlin; default UTC' },
    by: {
      value: 'LIST',
      summary: 'model, provider, userId, environment, agent, release, tag:NAME',
      type: names,
    },
    environment: { value: 'NAME', summary: 'Only calls of this environment' },
    to: { value: 'EMAIL', summary: 'Address of a member who gets it; repeat for several', repeat: true },
    channel: { value: 'CHANNEL', summary: 'Name or id of a channel that gets it; repeat', repeat: true },
  },
  examples: [
    'spanledger scheduled-reports create "Weekly costs" --to ada@example.com',
    'spanledger scheduled-reports create Costs --per month --project web \\\n      --by model --zone Europe/Berlin --channel finance',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const organization = await chooseOrganization(ctx, options.org);
    const projectId = (await projectIdOf(ctx, options.project)) ?? null;
    const recipients = await findRecipients(ctx, organization, options);
    const { per: period, day, hour, zone, by, environment } = options;
    const report = {
      name: args.name,
      projectId,
      period,
      ...(day !== undefined && { day }),
      ...(hour !== undefined && { hour }),
      ...(zone !== undefined && { timeZone: zone }),
      ...(by !== undefined && { groupBy: by }),
      ...(environment !== undefined && { environment }),
      ...recipients,
    };
    const made = await act(ctx, {
      action: 'scheduled-reports.create',
      input: { organization, report },
      reply: scheduledReportSchema,
    });
    output.result(made, () => {
      output.table(reportColumns, [made]);
      output.success(`Scheduled report ${made.id} created`);
    });
  },
});

type Context = Parameters<typeof withApp>[0];
type Wanted = { readonly to: readonly string[]; readonly channel: readonly string[] };

/** Ids of the members and channels that were named. */
async function findRecipients(ctx: Context, organization: string, { to, channel }: Wanted) {
  const [{ findOrganization, listMembers }, { listChannels }] = await Promise.all([
    import('../../src/core/orgs/index.ts'),
    import('../../src/core/deliveries/index.ts'),
  ]);
  return withApp(ctx, async ({ ctx: app }) => {
    const { id } = await findOrganization(app, organization);
    const [members, channels] = [await listMembers(app, id), await listChannels(app, id)];
    return {
      memberIds: to.map((address) => {
        const found = members.find(({ email }) => email === address.trim().toLowerCase());
        if (found === undefined)
          throw usageError(
            `${address} is no member of the organization`,
            'Only members get reports by mail. Create an e-mail channel for other addresses',
          );
        return found.userId;
      }),
      channelIds: channel.map((given) => {
        const found = channels.find((one) => one.id === given || one.name === given);
        if (found === undefined)
          throw usageError(`There is no channel ${given}`, 'List them with `spanledger channels list`');
        return found.id;
      }),
    };
  });
}
