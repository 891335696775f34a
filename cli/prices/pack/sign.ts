import { defineCommand } from '../../command.ts';
import { readSource } from '../../read-source.ts';

export const pricesPackSign = defineCommand({
  name: 'prices pack sign',
  summary: 'Sign a price pack, and print it with its signature',
  args: { file: { summary: 'Price pack of `prices pack create`, or - for standard input' } },
  options: {
    key: { value: 'FILE', summary: 'Private key of `prices pack keygen`', required: true },
  },
  examples: ['spanledger prices pack sign pack.json --key prices.key >prices.json'],
  run: async (ctx) => {
    const { PACK_FORMAT, readPack, signPack } = await import('../../../src/core/pricing/index.ts');
    const [text, pem] = [await readSource(ctx, ctx.args.file), await readSource(ctx, ctx.options.key)];
    const { signed, pack } = readPack(text, Date.now());
    // A plain list of providers becomes a pack of today.
    const content = 'format' in signed ? signed : pack;
    const { signature, publicKey } = signPack(content, pem);
    const doc = { ...content, signature };
    ctx.output.result(doc, () => ctx.output.raw(`${JSON.stringify(doc, null, 2)}\n`));
    if (!ctx.output.json)
      ctx.output.info(
        `${PACK_FORMAT} ${pack.version}, signed with ${signature.key}; public key ${publicKey}`,
      );
  },
});
