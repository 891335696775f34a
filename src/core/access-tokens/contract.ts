import { z } from 'zod';
import { textParam } from '../events/contract.ts';
import { displayName } from '../orgs/contract.ts';
import {
  defineEndpoint,
  GRANTED_SCOPES,
  organizationIdParam,
  organizationQuery,
  projectIdParam,
  ROLES,
  TOKEN_SCOPES,
} from '../tenancy/contract.ts';

const id = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Id of the token.', examples: ['tok_01hzx3v5k8'] });
const time = z.iso.datetime();

/** Says which scopes there are, because a typing error and a scope without an endpoint look alike. */
const grantedScope = z.enum(GRANTED_SCOPES, {
  error: `a token can have these scopes: ${GRANTED_SCOPES.join(', ')}`,
});

/** What somebody wants of a new token. */
export const tokenInput = z.strictObject({
  name: displayName.describe('What the token is for, 1 to 200 characters.'),
  projectId: projectIdParam
    .min(1)
    .max(100)
    .optional()
    .describe('Id of the only project that the token reaches. Default: all of the organization.'),
  scopes: z
    .array(grantedScope)
    .min(1)
    .max(TOKEN_SCOPES.length)
    .transform((scopes) => [...new Set(scopes)])
    .describe('What the token may do. `read` admits to every `GET` but those about people, keys and tokens.'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When the token ends, ISO 8601. Default: it does not end.'),
});
export type TokenInput = z.output<typeof tokenInput>;

/** An access token as lists show it, never the token itself. */
export const tokenRow = z
  .object({
    id,
    name: z.string().describe('What the token is for.'),
    organizationId: z.string().describe('Id of the organization.'),
    projectId: z
      .string()
      .nullable()
      .describe('Id of the only project that the token reaches; null for all of the organization.'),
    projectName: z.string().nullable().describe('Name of that project; null without one.'),
    scopes: z.array(z.enum(TOKEN_SCOPES)).describe('What the token may do.'),
    prefix: z.string().describe('Public start of the token, by which you recognise it.'),
    state: z
      .enum(['active', 'expired', 'revoked', 'orphaned'])
      .describe('`orphaned`: whoever created it left the organization. Only `active` tokens are accepted.'),
    createdAt: time.describe('When the token was created, ISO 8601 UTC.'),
    createdBy: z.string().describe('Email address of the member who created it and whose role limits it.'),
    role: z
      .enum(ROLES)
      .nullable()
      .describe('Current role of that member, which the token never exceeds; null for an orphaned token.'),
    lastUsedAt: time
      .nullable()
      .describe('When it was last used, to the minute, ISO 8601 UTC; null if never.'),
    expiresAt: time.nullable().describe('When it ends, ISO 8601 UTC; null if it does not.'),
    revokedAt: time.nullable().describe('When it was revoked, ISO 8601 UTC; null if it was not.'),
  })
  .meta({ id: 'AccessToken' });
export type TokenRow = z.infer<typeof tokenRow>;

/** A new token. */
export const createdToken = tokenRow.extend({
  token: z.string().meta({
    description: 'The token itself: `slt_` and 64 hex digits. This reply is the only place that shows it.',
    examples: [`slt_${'0123456789abcdef'.repeat(4)}`],
  }),
});
export type CreatedToken = z.infer<typeof createdToken>;

export const tokensPage = z.object({
  accessTokens: z.array(tokenRow).describe('Tokens of the organization, newest first.'),
  nextCursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last one.'),
});
export type TokensPage = z.infer<typeof tokensPage>;

/** No token may see or change tokens. */
const ofOrganization = { auth: 'organization', scopes: [] } as const;
const tokenParams = z.object({ id });

export const listTokensEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'GET',
  path: '/v1/access-tokens',
  summary: 'List the access tokens of an organization, without the tokens themselves',
  query: z.object({
    organizationId: organizationIdParam,
    cursor: textParam(100).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most tokens in a page, 1 to 200. Default: 50.'),
  }),
  reply: tokensPage,
});

export const getTokenEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'GET',
  path: '/v1/access-tokens/:id',
  summary: 'Get one access token, without the token itself',
  query: organizationQuery,
  params: tokenParams,
  reply: tokenRow,
});

export const createTokenEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'POST',
  path: '/v1/access-tokens',
  role: 'admin',
  recent: true,
  summary: 'Create an access token; the reply shows it once',
  description:
    'Send it as `Authorization: Bearer slt_…`. It never has more rights than your current role, and ends when you leave the organization.',
  query: organizationQuery,
  body: tokenInput,
  example: { name: 'cost report', scopes: ['read'], expiresAt: '2030-01-01T00:00:00Z' },
  reply: createdToken,
  status: 201,
});

export const revokeTokenEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'DELETE',
  path: '/v1/access-tokens/:id',
  role: 'admin',
  summary: 'Revoke an access token; the next request with it is refused',
  query: organizationQuery,
  params: tokenParams,
  status: 204,
});
