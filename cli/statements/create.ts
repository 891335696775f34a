import { z } from 'zod';
import { definitionSchema } from '../../src/features/statements/contract.ts';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { byOption } from './options.ts';

const number = z
  .string()
  .regex(/^\d+(?:\.\d+)?%?$/, 'expected a number such as 20')
  .transform((text) => Number(text.replace('%', '')));

export const statementsCreate = defineCommand({
  name: 'statements create',
  summary: 'Define how costs are billed by project, user, key or tag; again to change it',
  options: {
    by: byOption,
    markup: { value: 'PERCENT', summary: 'What is added to the cost, such as 20', type: number },
    fee: { value: 'NAME=AMOUNT', summary: 'Flat fee of each party with calls; repeat', repeat: true },
    minimum: { value: 'AMOUNT', summary: 'Least that a party with calls pays' },
    currency: { value: 'CODE', summary: 'Currency such as EUR; default USD' },
    rate: { value: 'RATE', summary: 'Price of one US dollar in the currency' },
    'close-day': { value: 'N', summary: 'Day of the next month that closes a month by itself', type: number },
    channel: {
      value: 'CHANNEL',
      summary: 'Name or id of a channel that gets statements; repeat',
      repeat: true,
    },
    'one-message': { summary: 'Send channels one message per month instead of each statement' },
    from: { value: 'NAME', summary: 'Sender on the letterhead' },
    address: { value: 'LINE', summary: 'Line below the sender; repeat', repeat: true },
    footer: { value: 'TEXT', summary: 'Text at the end, such as terms of payment' },
    ...orgOption,
  },
  examples: [
    'spanledger statements create --by tag:customer --markup 20',
    'spanledger statements create --by tag:customer --markup 20 --fee Platform=50 \\\n      --currency EUR --rate 0.92 --close-day 3 --channel finance',
  ],
  run: async (ctx) => {
    const { options, output } = ctx;
    const organization = await chooseOrganization(ctx, options.org);
    const { by, markup, minimum, currency, rate, footer } = options;
    const definition = {
      by,
      ...(markup !== undefined && { markupPercent: markup }),
      fees: options.fee.map(toFee),
      ...(minimum !== undefined && { minimum }),
      ...(currency !== undefined && { currency }),
      ...(rate !== undefined && { rate }),
      ...(options['close-day'] !== undefined && { closeDay: options['close-day'] }),
      deliver: options['one-message'] ? 'summary' : 'each',
      channelIds: await channelIdsOf(ctx, organization, options.channel),
      letterhead: {
        name: options.from ?? null,
        address: options.address,
        ...(footer !== undefined && { footer }),
      },
    };
    const made = await act(ctx, {
      action: 'statements.create',
      input: { organization, definition },
      reply: definitionSchema,
    });
    output.result(made, () =>
      output.success(
        `Statements by ${made.by} are defined; see them with \`spanledger statements list --by ${shellWord(made.by)}\``,
      ),
    );
  },
});

function toFee(text: string): { readonly name: string; readonly amount: string } {
  const at = text.lastIndexOf('=');
  if (at < 1) throw usageError(`--fee ${text} has no amount`, 'Write it as NAME=AMOUNT, such as Platform=50');
  return { name: text.slice(0, at), amount: text.slice(at + 1) };
}

async function channelIdsOf(
  ctx: Parameters<typeof withApp>[0],
  organization: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const [{ findOrganization }, { listChannels }] = await Promise.all([
    import('../../src/core/orgs/index.ts'),
    import('../../src/core/deliveries/index.ts'),
  ]);
  return withApp(ctx, async ({ ctx: app }) => {
    const channels = await listChannels(app, (await findOrganization(app, organization)).id);
    return names.map((given) => {
      const found = channels.find((one) => one.id === given || one.name === given);
      if (found === undefined)
        throw usageError(`There is no channel ${given}`, 'List them with `spanledger channels list`');
      return found.id;
    });
  });
}
