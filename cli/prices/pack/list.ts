import type { KeptCatalogue } from '../../../src/core/pricing/index.ts';
import { defineCommand } from '../../command.ts';
import { shortTime } from '../../moment.ts';
import type { Column } from '../../output.ts';
import { withApp } from '../../session.ts';
import { describeCatalogue, warnIfStale } from '../catalogue-note.ts';

const keyOf = ({ keyId, source }: KeptCatalogue) =>
  keyId ?? ({ text: source === 'built-in' ? '–' : 'unsigned', tone: 'dim' } as const);

const columns: readonly Column<KeptCatalogue>[] = [
  { header: 'id', value: ({ id }) => String(id), fixed: true },
  { header: 'version', value: ({ version }) => version },
  { header: 'prices of', value: ({ date }) => date ?? '–', fixed: true },
  { header: 'in force since (UTC)', value: ({ takenAt }) => shortTime(Date.parse(takenAt)), fixed: true },
  { header: 'by', value: ({ takenBy }) => takenBy ?? '–' },
  { header: 'key', value: keyOf },
  { header: 'from', value: ({ source }) => source },
];

export const pricesPackList = defineCommand({
  name: 'prices pack list',
  summary: 'List the catalogues that were in force, newest first: who took them, and when',
  examples: ['spanledger prices pack list', 'spanledger prices pack list --json'],
  run: async (ctx) => {
    const { catalogueOf, listCatalogues, stateOf } = await import('../../../src/core/pricing/index.ts');
    const doc = await withApp(ctx, async ({ ctx: app }) => ({
      catalogue: stateOf(await catalogueOf(app), Date.now()),
      packs: await listCatalogues(app),
    }));
    ctx.output.result(doc, () => {
      if (doc.packs.length > 0) ctx.output.table(columns, doc.packs);
      ctx.output.info(`In force: ${describeCatalogue(doc.catalogue)}`);
      warnIfStale(ctx.output, doc.catalogue);
    });
  },
});
