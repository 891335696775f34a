import { z } from 'zod';
import { displayName } from '../orgs/contract.ts';

/** A project key as lists show it, never the key itself. Times are ISO 8601 UTC. */
export const keyRow = z.object({
  id: z.string(),
  name: z.string(),
  projectId: z.string(),
  projectName: z.string(),
  /** The public start of the key, for recognising it. */
  prefix: z.string(),
  /** `grace`: rotated, but still valid until `validUntil`. */
  state: z.enum(['active', 'grace', 'expired', 'revoked']),
  createdAt: z.iso.datetime(),
  /** E-mail address of who made it; null for the operator. */
  createdBy: z.string().nullable(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime().nullable(),
  validUntil: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
});
export type KeyRow = z.infer<typeof keyRow>;

export const keysReply = z.object({ keys: z.array(keyRow) });
export type KeysReply = z.infer<typeof keysReply>;
export const keyBody = z.object({ name: displayName });
/** `apiKey` is the key itself: it is shown here and never again. */
export const createdKey = z.object({
  id: z.string(),
  apiKey: z.string(),
  projectId: z.string(),
  name: z.string(),
});
export const rotatedKey = z.object({
  id: z.string(),
  apiKey: z.string(),
  previousId: z.string(),
  previousValidUntil: z.iso.datetime(),
});
export const revokedKey = z.object({ id: z.string(), revokedAt: z.iso.datetime() });
