import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { readSource } from '../read-source.ts';
import { act } from '../session.ts';
import { usageError } from '../user-error.ts';
import { orgOption, priceColumns } from './fields.ts';
import { priceReply } from './set.ts';

export const pricesImport = defineCommand({
  name: 'prices import',
  summary: 'Set custom prices from a file of `prices export`: all of them or none',
  args: { file: { summary: 'JSON file, or - for standard input' } },
  options: orgOption,
  examples: ['spanledger prices import prices.json', 'spanledger prices import - --org acme <prices.json'],
  run: async (ctx) => {
    const text = await readSource(ctx, ctx.args.file);
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const prices = pricesIn(text);
    const doc = await act(ctx, {
      action: 'prices.set',
      input: { organization, prices },
      reply: priceReply,
    });
    ctx.output.result(doc, () => {
      ctx.output.table(priceColumns, doc.prices);
      ctx.output.success(`${countText(doc.prices.length, 'price')} imported, for calls from now on`);
    });
  },
});

const pricesIn = (text: string): unknown => {
  try {
    const doc = JSON.parse(text);
    return Array.isArray(doc) ? doc : doc.prices;
  } catch {
    throw usageError('The file is not JSON', 'Pass a file that `spanledger prices export` wrote');
  }
};
