import { CHANNEL_KINDS, createdChannel } from '../../src/core/deliveries/channels/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { act } from '../session.ts';
import { channelColumns } from './list.ts';

export const channelsCreate = defineCommand({
  name: 'channels create',
  summary: 'Create a channel: e-mail, webhook, Slack, Discord, Teams or PagerDuty',
  args: { name: { summary: 'Name of the channel' } },
  options: {
    kind: { value: 'KIND', summary: CHANNEL_KINDS.join(', '), choices: CHANNEL_KINDS, required: true },
    ...orgOption,
    to: { value: 'EMAIL', summary: 'Recipient of an e-mail channel; repeat for several', repeat: true },
    url: { value: 'URL', summary: 'Address of a webhook' },
    secretStdin: { summary: 'Read the address of a chat channel or the PagerDuty key from stdin' },
    region: { value: 'REGION', summary: 'us or eu, for PagerDuty', choices: ['us', 'eu'] },
    type: { value: 'TYPE', summary: 'Notification to subscribe to, all by default; repeat', repeat: true },
  },
  examples: [
    'spanledger channels create finance --kind email --to finance@example.com',
    'spanledger channels create hook --kind webhook --url https://example.com/hook',
    'spanledger channels create slack --kind slack --secret-stdin < slack-url.txt',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { kind, to, url, region, type } = options;
    const secret = options.secretStdin ? (await ctx.input.readAll()).trim() : undefined;
    const config = {
      ...(to.length > 0 && { to }),
      ...(url !== undefined && { url }),
      ...(region !== undefined && { region }),
      ...(secret !== undefined && (kind === 'pagerduty' ? { routingKey: secret } : { url: secret })),
    };
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
