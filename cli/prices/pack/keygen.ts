import { writeFileSync } from 'node:fs';
import { defineCommand } from '../../command.ts';
import { EXIT, UserError } from '../../user-error.ts';

export const pricesPackKeygen = defineCommand({
  name: 'prices pack keygen',
  summary: 'Create an Ed25519 key that signs price packs, and print its public key',
  args: { file: { summary: 'New file for the private key; only its owner may read it' } },
  examples: ['spanledger prices pack keygen prices.key'],
  run: async (ctx) => {
    const { createPackKey, packKeyId } = await import('../../../src/core/pricing/index.ts');
    const { privateKey, publicKey } = createPackKey();
    const { file } = ctx.args;
    try {
      writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' });
    } catch (cause) {
      const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      throw new UserError({
        what: exists ? `${file} exists` : `Cannot write ${file}`,
        fix: exists ? 'Name a new file; a key is never overwritten' : 'Check the folder and its permissions',
        code: exists ? 'exists' : 'not_writable',
        exit: exists ? EXIT.conflict : EXIT.failure,
        cause,
      });
    }
    ctx.output.result({ file, publicKey, id: packKeyId(publicKey) }, () => {
      ctx.output.raw(`${publicKey}\n`);
      ctx.output.info('Servers trust its packs if PRICE_PACK_KEYS has this public key');
    });
  },
});
