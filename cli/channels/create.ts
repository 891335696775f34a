import { CHANNEL_KINDS, createdChannel } from '../../src/core/deliveries/channels/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { act } from '../session.ts';
import { readTarget, targetOptions } from './config.ts';
import { channelColumns } from './list.ts';

export const channelsCreate = defineCommand({
  name: 'channels create',
  summary: 'Create a channel: e-mail, webhook, Slack, Discord, Teams or PagerDuty',
  args: { name: { summary: 'Name of the channel' } },
  options: {
    kind: { value: 'KIND', summary: CHANNEL_KINDS.join(', '), choices: CHANNEL_KINDS, required: true },
    ...orgOption,
    ...targetOptions,
    type: { value: 'TYPE', summary: 'Notification to subscribe to, all by default; repeat', repeat: true },
  },
  examples: [
    'spanledger channels create finance --kind email --to finance@example.com',
    'spanledger channels create hook --kind webhook --url https://example.com/hook',
    'spanledger channels create slack --kind slack --secret-stdin < slack-url.txt',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { kind, type } = options;
    const config = (await readTarget(ctx, options, () => kind)) ?? {};
    const channel = { name: args.name, kind, config, ...(type.length > 0 && { types: type }) };
    const organization = await chooseOrganization(ctx, options.org);
    const made = await act(ctx, {
      action: 'channels.create',
      input: { organization, channel },
      reply: createdChannel,
    });
    output.result(made, () => {
      output.table(channelColumns, [made]);
      output.success(`Channel ${made.id} created`);
      if (made.secret === null) return;
      output.raw(`${made.secret}\n`);
      output.info('Signing secret, shown only once. Verify webhooks with a Standard Webhooks library.');
    });
  },
});
