import { z } from 'zod';
import { defineCommand } from '../../command.ts';
import { readSource } from '../../read-source.ts';
import { usageError } from '../../user-error.ts';

export const pricesPackCreate = defineCommand({
  name: 'prices pack create',
  summary: 'Make a price pack from a list of providers and models, and print it',
  args: {
    file: {
      summary: "JSON: genai-prices' data.json, or { providers, aliases }; - for standard input",
    },
  },
  options: {
    packVersion: { value: 'TEXT', summary: 'Version of the pack, such as 2026.11.22', required: true },
    date: {
      value: 'DATE',
      summary: 'Day as of which the prices are right; today by default',
      type: z.iso.date('expected a day such as 2026-11-22'),
    },
    extends: {
      value: 'built-in',
      summary: 'Models that are not listed keep their built-in price; otherwise they have none',
      choices: ['built-in'],
    },
    note: { value: 'TEXT', summary: 'What changed' },
  },
  examples: [
    'spanledger prices pack create data.json --pack-version 2026.11 >pack.json',
    'spanledger prices pack create ours.json --pack-version 7 --extends built-in',
  ],
  run: async (ctx) => {
    const { PACK_FORMAT, readPack, unreadRates } = await import('../../../src/core/pricing/index.ts');
    const {
      packVersion: version,
      date = new Date().toISOString().slice(0, 10),
      extends: base,
      note,
    } = ctx.options;
    const given = parse(await readSource(ctx, ctx.args.file));
    const { providers, aliases } = Array.isArray(given)
      ? { providers: given, aliases: undefined }
      : (given as { providers?: unknown; aliases?: unknown });
    const pack = { format: PACK_FORMAT, version, date, extends: base, note, providers, aliases };
    const text = JSON.stringify(pack, null, 2);
    const unread = unreadRates(readPack(text, Date.now()).pack);
    ctx.output.result(JSON.parse(text), () => ctx.output.raw(`${text}\n`));
    if (unread.length > 0 && !ctx.output.json)
      ctx.output.warn(`Rates that this version does not read: ${unread.join(', ')}`);
  },
});

const parse = (text: string): object => {
  try {
    const doc: unknown = JSON.parse(text);
    if (typeof doc === 'object' && doc !== null) return doc;
  } catch {
    // Reported below, like JSON that is no object.
  }
  throw usageError(
    'The file is not a JSON list or object',
    'Pass a list of providers, or { "providers": [] }',
  );
};
