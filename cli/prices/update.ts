import { z } from 'zod';
import { catalogueChangeSchema } from '../../src/core/pricing/packs/contract.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { readSource } from '../read-source.ts';
import { act } from '../session.ts';
import { usageError, withFix } from '../user-error.ts';
import { printChanges } from './changes.ts';

const reply = z.object({
  version: z.string(),
  date: z.string(),
  sha256: z.string(),
  source: z.string(),
  keyId: z.string().nullable(),
  providers: z.number(),
  models: z.number(),
  replaces: z.object({ version: z.string(), date: z.string().nullable() }),
  changes: z.array(catalogueChangeSchema),
  unread: z.array(z.string()),
  changed: z.boolean(),
});

export const pricesUpdate = defineCommand({
  name: 'prices update',
  summary: 'Put a price pack in force; custom prices and stored costs stay as they are',
  options: {
    from: {
      value: 'FILE|URL',
      summary: 'Signed price pack: a file, an https address, or - for standard input',
    },
    to: {
      value: 'ID',
      summary: 'A catalogue that was in force before, from `prices pack list`',
      type: z
        .string()
        .regex(/^[1-9]\d{0,9}$/, 'expected an id of `prices pack list`')
        .transform(Number),
    },
    builtIn: { summary: 'The catalogue of this version of Spanledger' },
    unsigned: { summary: "Accept a file without a trusted signature, such as genai-prices' data.json" },
    dryRun: { summary: 'Only show what would change' },
  },
  examples: [
    'spanledger prices update --from https://example.com/prices.json --dry-run',
    'spanledger prices update --from data.json --unsigned',
    'spanledger prices update --to 3',
  ],
  run: async (ctx) => {
    const { from, to, builtIn, unsigned, dryRun } = ctx.options;
    const given = [from !== undefined, to !== undefined, builtIn].filter(Boolean).length;
    if (given !== 1)
      throw usageError('Name one catalogue', 'Pass --from FILE|URL, or --to ID, or --built-in');
    const isUrl = from !== undefined && /^https?:\/\//.test(from);
    if (unsigned && (from === undefined || isUrl))
      throw usageError('--unsigned is for files', 'Download the pack, check it, and pass the file');
    const source =
      from === undefined
        ? to === undefined
          ? { builtIn: true }
          : { kept: to }
        : isUrl
          ? { url: from }
          : { file: from === '-' ? 'standard input' : from, text: await readSource(ctx, from) };
    const input = { from: source, unsigned, dryRun };
    const fix = isUrl
      ? 'Check the address, or download the pack and pass the file'
      : "Pass a signed price pack, or genai-prices' data.json with --unsigned";
    const doc = await withFix(fix, () => act(ctx, { action: 'prices.update', input, reply }));
    ctx.output.result(doc, () => {
      printChanges(ctx.output, doc.changes);
      if (doc.unread.length > 0)
        ctx.output.warn(`Rates that this version does not read: ${doc.unread.join(', ')}`);
      if (doc.replaces.date !== null && doc.date < doc.replaces.date)
        ctx.output.warn(`These prices are older than those of ${doc.replaces.date}`);
      const about = `${doc.version}, prices of ${doc.date}, ${number(doc.models).text} models`;
      if (dryRun) ctx.output.info(`Dry run, nothing was changed. ${about}`);
      else if (doc.changed) ctx.output.success(`In force for new calls: ${about}`);
      else ctx.output.info(`Already in force: ${about}`);
      if (doc.changed)
        ctx.output.info('Stored calls keep their cost; `spanledger reprice plan` shows what would change');
    });
  },
});
