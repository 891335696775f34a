import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { readSource } from '../read-source.ts';
import { act } from '../session.ts';

const reply = z.object({
  sha256: z.string(),
  providers: z.number(),
  models: z.number(),
  changed: z.boolean(),
});

export const pricesUpdate = defineCommand({
  name: 'prices update',
  summary: 'Update the catalogue of published prices; custom prices stay in force',
  options: {
    from: {
      value: 'FILE',
      summary: 'File, address, or - for standard input, in the genai-prices format',
      required: true,
    },
  },
  examples: [
    'spanledger prices update --from data.json',
    'spanledger prices update --from https://example.com/data.json',
  ],
  run: async (ctx) => {
    const { from } = ctx.options;
    const text = await readSource(ctx, from, { urls: true });
    const source = from === '-' ? 'standard input' : from;
    const doc = await act(ctx, { action: 'prices.update', input: { source, text }, reply });
    const about = `${number(doc.models).text} models of ${doc.providers} providers`;
    ctx.output.result(doc, () =>
      doc.changed
        ? ctx.output.success(`Catalogue updated: ${about}; it applies to calls from now on`)
        : ctx.output.info(`The catalogue is already up to date: ${about}`),
    );
  },
});
