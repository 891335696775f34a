import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import { createKeyEndpoint, listKeysEndpoint, revokeKeyEndpoint, rotateKeyEndpoint } from './contract.ts';
import { createKey } from './create-key.ts';
import { listKeys, requireKeyOf } from './queries.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

/** No cache may keep a reply that shows a key. */
const NO_STORE = { 'Cache-Control': 'no-store' };

export const keyRoutes = [
  route(listKeysEndpoint, async (ctx, _input, { scope }) => ({ keys: await listKeys(ctx, scope.projectId) })),

  route(createKeyEndpoint, async (ctx, input, caller) => {
    const wish = { project: caller.scope.projectId, ...input.body };
    return new Reply(201, await createKey.run(ctx, wish, actorOf(caller, input)), NO_STORE);
  }),

  route(rotateKeyEndpoint, async (ctx, input, caller) => {
    const { keyId } = input.params;
    await requireKeyOf(ctx, caller.scope.projectId, keyId);
    return new Reply(200, await rotateKey.run(ctx, { id: keyId }, actorOf(caller, input)), NO_STORE);
  }),

  route(revokeKeyEndpoint, async (ctx, input, caller) => {
    const { keyId } = input.params;
    await requireKeyOf(ctx, caller.scope.projectId, keyId);
    return revokeKey.run(ctx, { id: keyId }, actorOf(caller, input));
  }),
];
