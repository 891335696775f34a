import { z } from 'zod';
import { overrideRatesSchema, priceSchema } from '../../src/core/pricing/contract.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { OWN_OPTIONS, orgOption, priceColumns } from './fields.ts';

const usd = z
  .string()
  .regex(/^\d{1,7}(\.\d{1,9})?$/, 'expected an amount in USD such as 2.5')
  .transform(Number);
const perMillion = (what: string) => ({ value: 'USD', summary: `Per million ${what}`, type: usd }) as const;

/** `200000:input=6,output=22.5` as a tier. */
const tier = z.string().transform((text, ctx) => {
  const [above, rates = ''] = text.split(':', 2);
  const entries = rates.split(',').map((pair) => pair.split('=', 2));
  const isRight =
    /^\d+$/.test(above ?? '') && entries.every(([key, value]) => key !== '' && usd.safeParse(value).success);
  if (isRight)
    return {
      above: Number(above),
      ...Object.fromEntries(entries.map(([key, value]) => [key, Number(value)])),
    };
  ctx.addIssue({ code: 'custom', message: 'expected a tier such as 200000:input=6,output=22.5' });
  return z.NEVER;
});

/** Rates without an option of their own. */
const OTHER_RATES = Object.keys(overrideRatesSchema.shape).filter((name) => !OWN_OPTIONS.has(name));

/** `audioInput=10` as a rate. */
const otherRate = z.string().transform((text, ctx) => {
  const [name = '', value = ''] = text.split('=', 2);
  if (OTHER_RATES.includes(name) && usd.safeParse(value).success) return [name, Number(value)] as const;
  ctx.addIssue({
    code: 'custom',
    message: `expected a rate such as audioInput=10; the names are ${OTHER_RATES.join(', ')}`,
  });
  return z.NEVER;
});

/** The reply of `prices.set`. */
export const priceReply = z.object({ prices: z.array(priceSchema) });

export const pricesSet = defineCommand({
  name: 'prices set',
  summary: 'Set a custom price for a model; it applies to calls from now on',
  args: { model: { summary: 'PROVIDER/MODEL; * is a wildcard, */MODEL matches any provider' } },
  options: {
    ...orgOption,
    input: perMillion('fresh input tokens'),
    cacheRead: perMillion('tokens read from the cache'),
    cacheWrite: perMillion('tokens written to the 5-minute cache'),
    cacheWrite1h: perMillion('tokens written to the 1-hour cache'),
    output: perMillion('output tokens'),
    reasoning: perMillion('reasoning tokens, if they differ from output'),
    perRequest: { value: 'USD', summary: 'Per call', type: usd },
    rate: {
      value: 'NAME=USD',
      summary: `Another rate: ${OTHER_RATES.join(', ')}`,
      repeat: true,
      type: otherRate,
    },
    tier: {
      value: 'TIER',
      summary: 'Rates above a context size: 200000:input=6,output=22.5',
      repeat: true,
      type: tier,
    },
    serviceTier: { value: 'NAME', summary: 'Only for this service tier, such as batch or priority' },
    extend: { summary: 'Rates that are not given are those in force now, tiers included' },
    from: { value: 'DATE', summary: 'Valid from this time' },
    endPrevious: { summary: 'End the price of the same name that applies at --from' },
    until: { value: 'DATE', summary: 'Valid until this time' },
    note: { value: 'TEXT', summary: 'Reason, shown in the list' },
  },
  examples: [
    'spanledger prices set openai/gpt-4o --input 2 --output 8 --from 2026-12-01',
    'spanledger prices set acme/a --input 3 --from 2027-01-01 --end-previous',
    "spanledger prices set '*/my-gpt4o-*' --input 2.5 --output 10",
    "spanledger prices set 'ollama/*' --input 0 --output 0",
    'spanledger prices set acme/voice --input 1 --output 2 --rate audioInput=10',
    'spanledger prices set openai/gpt-4o --extend --rate audioInput=40',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const slash = args.model.indexOf('/');
    if (slash < 1)
      throw usageError(
        `${args.model} names no provider`,
        'Write PROVIDER/MODEL, or */MODEL for any provider',
      );
    const [provider, model] = [args.model.slice(0, slash), args.model.slice(slash + 1)];
    const { input, cacheRead, cacheWrite, cacheWrite1h, output: out, reasoning, perRequest } = options;
    const given = { input, cacheRead, cacheWrite, cacheWrite1h, output: out, reasoning, perRequest };
    const rates = {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      ...Object.fromEntries(options.rate),
    };
    const organization = await chooseOrganization(ctx, options.org);
    const base = options.extend ? await priceInForce(ctx, organization, args.model) : NO_PRICE;
    const price = {
      provider: provider === '*' ? null : provider,
      ...patternOf(model),
      rates: { ...base.rates, ...rates },
      tiers: options.tier.length > 0 ? options.tier : base.tiers,
      serviceTier: options.serviceTier,
      effectiveFrom: options.from,
      effectiveUntil: options.until,
      note: options.note,
    };
    const doc = await act(ctx, {
      action: 'prices.set',
      input: { organization, prices: [price], endPrevious: options.endPrevious },
      reply: priceReply,
    });
    output.result(doc, () => {
      output.table(priceColumns, doc.prices);
      output.success('Applies to calls from now on; `spanledger reprice` changes stored calls');
    });
  },
});

const NO_PRICE = { rates: {}, tiers: [] };

/** The rates and tiers of a model now. */
const priceInForce = async (ctx: BaseContext, organization: string, name: string) => {
  const [{ findOrganization }, { currentPrice, showModels }] = await Promise.all([
    import('../../src/core/orgs/index.ts'),
    import('../../src/features/prices/index.ts'),
  ]);
  const plain = name.startsWith('*/') ? name.slice(2) : name;
  const [found] = await withApp(ctx, async ({ ctx: app }) => {
    const { id } = await findOrganization(app, organization);
    return (await showModels(app, id, [plain])).models;
  });
  const current = found === undefined ? null : currentPrice(found);
  if (current !== null) return current;
  throw usageError(`${name} has no price that could be extended`, 'Leave --extend out and give all rates');
};

/** A single star at the end makes a prefix, other stars make a glob. */
const patternOf = (model: string): { match: 'exact' | 'prefix' | 'glob'; model: string } => {
  if (/^[^*?]+\*$/.test(model)) return { match: 'prefix', model: model.slice(0, -1) };
  return { match: /[*?]/.test(model) ? 'glob' : 'exact', model };
};
