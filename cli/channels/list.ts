import type { Channel } from '../../src/core/deliveries/channels/contract.ts';
import { defineCommand } from '../command.ts';
import type { Cell } from '../format.ts';
import { shortTime } from '../moment.ts';
import { chooseOrganization } from '../organization.ts';
import type { Column } from '../output.ts';
import { orgOption } from '../prices/fields.ts';
import { withApp } from '../session.ts';

function stateOf({ enabled, disabledReason, failingSince }: Channel): Cell {
  if (!enabled)
    return { text: disabledReason === null ? 'disabled' : `disabled: ${disabledReason}`, tone: 'bad' };
  return failingSince === null ? { text: 'enabled', tone: 'good' } : { text: 'failing', tone: 'warn' };
}

/** One channel per row. */
export const channelColumns: readonly Column<Channel>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'kind', value: ({ kind }) => kind, fixed: true },
  { header: 'target', value: ({ target }) => target },
  { header: 'state', value: stateOf },
  {
    header: 'last delivery',
    value: ({ lastDeliveredAt }) =>
      lastDeliveredAt === null ? null : shortTime(Date.parse(lastDeliveredAt)),
  },
];

export const channelsList = defineCommand({
  name: 'channels list',
  summary: 'List the channels that notifications are sent to',
  options: orgOption,
  examples: ['spanledger channels list', 'spanledger channels list --org acme --json'],
  run: async (ctx) => {
    const { listChannels } = await import('../../src/core/deliveries/index.ts');
    const { findOrganization } = await import('../../src/core/orgs/index.ts');
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const channels = await withApp(ctx, async (app) =>
      listChannels(app.ctx, (await findOrganization(app.ctx, organization)).id),
    );
    ctx.output.result({ channels }, () => {
      ctx.output.table(channelColumns, channels);
      if (channels.length === 0)
        ctx.output.info('No channels yet; create one with `spanledger channels create`');
    });
  },
});
