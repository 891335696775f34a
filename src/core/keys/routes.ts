import { z } from 'zod';
import { Reply } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { actorOf } from '../../module.ts';
import { createdKey, keyBody, keysReply, revokedKey, rotatedKey } from './contract.ts';
import { createKey } from './create-key.ts';
import { listKeys, requireKeyOf } from './queries.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

const keyParams = z.object({ id: z.string(), keyId: z.string().min(1).max(100) });
/** A key is shown once and kept by nothing on the way. */
const NO_STORE = { 'Cache-Control': 'no-store' };

const getKeys = defineRoute({
  method: 'GET',
  path: '/v1/projects/:id/keys',
  auth: 'project',
  summary: 'The API keys of a project, never the keys themselves',
  reply: keysReply,
  handler: async (ctx, _input, { scope }) => ({ keys: await listKeys(ctx, scope.projectId) }),
});

const postKey = defineRoute({
  method: 'POST',
  path: '/v1/projects/:id/keys',
  auth: 'project',
  role: 'admin',
  summary: 'Make an API key; the reply shows it once',
  body: keyBody,
  reply: createdKey,
  status: 201,
  handler: async (ctx, input, caller) => {
    const wish = { project: caller.scope.projectId, name: input.body.name };
    return new Reply(201, await createKey.run(ctx, wish, actorOf(caller, input)), NO_STORE);
  },
});

const postRotate = defineRoute({
  method: 'POST',
  path: '/v1/projects/:id/keys/:keyId/rotate',
  auth: 'project',
  role: 'admin',
  summary: 'Make a key that takes the place of another, which stays valid for 24 hours',
  params: keyParams,
  reply: rotatedKey,
  handler: async (ctx, input, caller) => {
    const { keyId } = input.params;
    await requireKeyOf(ctx, caller.scope.projectId, keyId);
    return new Reply(200, await rotateKey.run(ctx, { id: keyId }, actorOf(caller, input)), NO_STORE);
  },
});

const deleteKey = defineRoute({
  method: 'DELETE',
  path: '/v1/projects/:id/keys/:keyId',
  auth: 'project',
  role: 'admin',
  summary: 'Revoke a key: it is refused from the next request on',
  params: keyParams,
  reply: revokedKey,
  handler: async (ctx, input, caller) => {
    const { keyId } = input.params;
    await requireKeyOf(ctx, caller.scope.projectId, keyId);
    return revokeKey.run(ctx, { id: keyId }, actorOf(caller, input));
  },
});

export const keyRoutes = [getKeys, postKey, postRotate, deleteKey];
