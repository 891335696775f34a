import { overrideRatesSchema } from '../../src/core/pricing/contract.ts';
import {
  type CatalogueModels,
  MAX_COMPARED,
  type ModelPrices,
} from '../../src/features/prices/catalogue/contract.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { shortTime } from '../moment.ts';
import { readOfOrganization } from '../organization.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { section } from '../report/pieces.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';
import { describeCatalogue, warnIfStale } from './catalogue-note.ts';
import { printChanges } from './changes.ts';
import { orgOption, priceColumns, rateCell } from './fields.ts';

export const pricesShow = defineCommand({
  name: 'prices show',
  summary: 'Show all rates of models: now, by date and tier, and their history; compares several',
  args: { models: { summary: 'PROVIDER/MODEL, up to 6 of them', variadic: true } },
  options: orgOption,
  examples: [
    'spanledger prices show openai/gpt-4o',
    'spanledger prices show openai/gpt-5 anthropic/claude-sonnet-4-5',
    'spanledger prices show gemini-flash-latest --json',
  ],
  run: async (ctx) => {
    const { models: names } = ctx.args;
    if (names.length > MAX_COMPARED)
      throw usageError(`${names.length} models are too many`, `Name up to ${MAX_COMPARED}`);
    const [{ showModels }, { catalogueModelsEndpoint }] = await Promise.all([
      import('../../src/features/prices/index.ts'),
      import('../../src/features/prices/catalogue/contract.ts'),
    ]);
    const doc = await readOfOrganization<CatalogueModels>(ctx, ctx.options.org, {
      file: (app, { id }) => showModels(app, id, names),
      server: (server, { id: organizationId }) =>
        server.get(catalogueModelsEndpoint, { query: { organizationId, names: names.join(',') } }),
    });
    const missing = doc.models.find(({ found }) => !found);
    if (missing !== undefined)
      throw new UserError({
        what: `${missing.asked} is not in the catalogue and has no custom price`,
        fix: 'Search with `spanledger prices search TEXT`, or set a price with `spanledger prices set`',
        code: 'not_found',
        exit: EXIT.notFound,
      });
    ctx.output.result(doc, () => {
      printRates(ctx.output, doc.models);
      for (const model of doc.models) printModel(ctx.output, model);
      ctx.output.info(`Catalogue: ${describeCatalogue(doc.catalogue)}`);
      warnIfStale(ctx.output, doc.catalogue);
    });
  },
});

const nameOf = ({ provider, model }: ModelPrices): string =>
  provider === null ? model : `${provider}/${model}`;

const RATES = Object.keys(overrideRatesSchema.shape) as (keyof typeof overrideRatesSchema.shape)[];

/** Rates now, a column for each model. */
const printRates = (output: Output, models: readonly ModelPrices[]): void => {
  const used = RATES.filter((rate) => models.some(({ inForce }) => inForce?.rates[rate] !== undefined));
  const columns: Column<(typeof RATES)[number]>[] = [
    { header: 'USD', value: (rate) => rate, fixed: true },
    ...models.map((model) => ({
      header: nameOf(model),
      value: (rate: (typeof RATES)[number]) => rateCell(model.inForce?.rates[rate]),
    })),
  ];
  output.table(columns, used);
  output.line(tinted('Per million tokens; rates that begin with “per”: for one unit.', 'dim'));
};

const printModel = (output: Output, model: ModelPrices): void => {
  const { alias, inForce, listed, custom, changes, contextWindow, deprecated } = model;
  const facts = [
    inForce === null
      ? 'no price now'
      : inForce.source === 'override'
        ? `custom price ${inForce.reference}`
        : 'catalogue',
    contextWindow === null ? '' : `${number(contextWindow).text} tokens of context`,
    deprecated ? 'retired by its provider' : '',
    inForce?.note ?? '',
  ];
  section(output, nameOf(model));
  output.line(tinted(facts.filter((fact) => fact !== '').join(' · '), 'dim'));
  for (const { from, model: target, surely } of alias ?? [])
    output.line(
      `${from.slice(0, 10)}  ${target}`,
      tinted(surely === null ? '' : `confirmed from ${surely}`, 'dim'),
    );
  for (const { from, daily, rates, tiers } of listed.length > 1 || (listed[0]?.tiers.length ?? 0) > 0
    ? listed
    : []) {
    const when = [from === null ? '' : `from ${from}`, daily === null ? '' : daily.replace('/', ' to ')];
    output.line(
      tinted(when.filter((part) => part !== '').join(', ') || 'by default', 'bold'),
      ratesText(rates),
    );
    for (const { above, ...own } of tiers) output.line(`  over ${number(above).text} tokens`, ratesText(own));
  }
  if (custom.length > 0) output.table(priceColumns, custom);
  for (const { at, version, ...change } of changes) {
    output.line(tinted(`${shortTime(Date.parse(at))} ${version}`, 'bold'));
    printChanges(output, [{ ...change, provider: model.provider ?? '', model: model.model }]);
  }
};

const ratesText = (rates: Readonly<Record<string, number | undefined>>): string =>
  Object.entries(rates)
    .map(([rate, usd]) => `${rate} $${usd}`)
    .join(', ');
