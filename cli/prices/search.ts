import type { CatalogueList, ListedModel } from '../../src/features/prices/catalogue/contract.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { readOfOrganization } from '../organization.ts';
import type { Column } from '../output.ts';
import { warnIfStale } from './catalogue-note.ts';
import { orgOption, rateCell } from './fields.ts';

const notesOf = ({ custom, alias, conditional, deprecated }: ListedModel): string =>
  [
    custom ? 'custom' : '',
    alias === null ? '' : `→ ${alias}`,
    conditional ? 'varies' : '',
    deprecated ? 'retired' : '',
  ]
    .filter((note) => note !== '')
    .join(', ');

const columns: readonly Column<ListedModel>[] = [
  { header: 'model', value: ({ provider, model }) => `${provider ?? '*'}/${model}` },
  { header: 'input', value: ({ rates }) => rateCell(rates.input) },
  { header: 'read', value: ({ rates }) => rateCell(rates.cacheRead) },
  { header: 'output', value: ({ rates }) => rateCell(rates.output) },
  { header: '', value: (model) => ({ text: notesOf(model), tone: 'dim' }) },
];

export const pricesSearch = defineCommand({
  name: 'prices search',
  summary: 'Search the catalogue: models with their rates now, in USD per million tokens',
  args: { text: { summary: 'Part of PROVIDER/MODEL', optional: true } },
  options: {
    ...orgOption,
    provider: { value: 'NAME', summary: 'Only models of this provider' },
    retired: { summary: 'Also models that their provider has retired' },
    limit: {
      value: 'N',
      summary: 'Most models, 1 to 200',
      default: '40',
    },
  },
  examples: ['spanledger prices search sonnet', 'spanledger prices search --provider mistral --json'],
  run: async (ctx) => {
    const { options, args } = ctx;
    const [{ listCatalogue }, { catalogueEndpoint, catalogueListQuery }, { parseInput }] = await Promise.all([
      import('../../src/features/prices/index.ts'),
      import('../../src/features/prices/catalogue/contract.ts'),
      import('../../src/http/validate.ts'),
    ]);
    const { provider, retired, limit } = options;
    const asked = { q: args.text, provider, deprecated: String(retired), limit };
    const query = parseInput(catalogueListQuery.omit({ organizationId: true }), asked);
    const doc = await readOfOrganization<CatalogueList>(ctx, options.org, {
      file: (app, { id }) => listCatalogue(app, id, query),
      server: (server, { id: organizationId }) =>
        server.get(catalogueEndpoint, { query: { organizationId, ...asked } }),
    });
    ctx.output.result(doc, () => {
      if (doc.models.length > 0) ctx.output.table(columns, doc.models);
      const more = doc.total > doc.models.length ? `, ${number(doc.models.length).text} of them shown` : '';
      ctx.output.info(`${number(doc.total).text} models${more}; \`spanledger prices show\` has all rates`);
      warnIfStale(ctx.output, doc.catalogue);
    });
  },
});
