import { z } from 'zod';
import { displayName } from '../orgs/contract.ts';
import { defineEndpoint, projectIdParam, projectParams } from '../tenancy/contract.ts';

const keyId = z.string().meta({ description: 'Id of the key.', examples: ['key_01hzx3v5k8'] });
const secret = z.string().meta({
  description: 'The key itself: `slk_` and 64 hex digits. This reply is the only place that shows it.',
  examples: [`slk_${'0123456789abcdef'.repeat(4)}`],
});
const name = z.string().describe('Name of the key.');
const expiresAt = z.iso
  .datetime()
  .nullable()
  .describe('When the key expires, ISO 8601 UTC; null if it does not.');
const newName = displayName.describe('Name of the key, 1 to 200 characters.');

/** A project key as lists show it, never the key itself. */
export const keyRow = z
  .object({
    id: keyId,
    name,
    projectId: z.string().describe('Id of the project whose events the key records.'),
    projectName: z.string().describe('Name of that project.'),
    prefix: z.string().describe('Public start of the key, by which you recognise it.'),
    state: z
      .enum(['active', 'grace', 'expired', 'revoked'])
      .describe(
        '`grace`: the key was rotated and is accepted until `validUntil`; `expired`: the key or its grace period ended.',
      ),
    createdAt: z.iso.datetime().describe('When the key was created, ISO 8601 UTC.'),
    createdBy: z
      .string()
      .nullable()
      .describe('Email address of who created it; null for the operator on the command line.'),
    makerLeft: z
      .boolean()
      .describe('Whether who created it has left the organization since: they may still know the key.'),
    expiresAt,
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .describe('When it was last used, to the minute, ISO 8601 UTC; null if never.'),
    validUntil: z.iso
      .datetime()
      .nullable()
      .describe('End of the grace period of a rotated key, ISO 8601 UTC; null without one.'),
    revokedAt: z.iso.datetime().nullable().describe('When it was revoked, ISO 8601 UTC; null if it was not.'),
  })
  .meta({ id: 'ApiKey' });
export type KeyRow = z.infer<typeof keyRow>;

const keysReply = z.object({ keys: z.array(keyRow).describe('Keys of the project, oldest first.') });
export type KeysReply = z.infer<typeof keysReply>;

const keyParams = z.object({ id: projectIdParam, keyId: keyId.min(1).max(100) });

export const listKeysEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/keys',
  auth: 'project',
  scopes: [],
  summary: 'List the API keys of a project, without the keys themselves',
  params: projectParams,
  reply: keysReply,
});

export const createKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/projects/:id/keys',
  auth: 'project',
  role: 'admin',
  recent: true,
  summary: 'Create an API key; the reply shows it once',
  params: projectParams,
  body: z.strictObject({
    name: newName,
    expiresAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When the key expires, ISO 8601. Default: it does not expire.'),
  }),
  example: { name: 'production', expiresAt: '2030-01-01T00:00:00Z' },
  reply: z.object({
    id: keyId,
    apiKey: secret,
    projectId: z.string().describe('Id of the project.'),
    name,
    expiresAt,
  }),
  status: 201,
});

export const rotateKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/projects/:id/keys/:keyId/rotate',
  auth: 'project',
  role: 'admin',
  recent: true,
  summary: 'Replace a key; the previous one stays valid for 24 hours',
  params: keyParams,
  reply: z.object({
    id: keyId.describe('Id of the new key.'),
    apiKey: secret,
    previousId: z.string().describe('Id of the key that was replaced.'),
    previousValidUntil: z.iso.datetime().describe('Until when the previous key is accepted, ISO 8601 UTC.'),
  }),
});

export const revokeKeyEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/projects/:id/keys/:keyId',
  auth: 'project',
  role: 'admin',
  summary: 'Revoke a key; the next request with it is refused',
  params: keyParams,
  reply: z.object({
    id: keyId,
    revokedAt: z.iso.datetime().describe('When the key was first revoked, ISO 8601 UTC.'),
  }),
});
