import { z } from 'zod';
import { INVITED_ROLES } from '../../orgs/contract.ts';
import { defineEndpoint, organizationParams } from '../../tenancy/contract.ts';

/** The part of an address after the `@`, in lower case. */
export const mailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, 'is not a domain such as example.com');

/** A domain whose people join an organization when they sign in through a provider. */
export const domainRow = z
  .object({
    domain: z.string().describe('Domain of email addresses.'),
    organizationId: z.string().describe('Id of the organization.'),
    organizationName: z.string().describe('Name of the organization.'),
    provider: z.string().describe('Id of the identity provider.'),
    providerName: z.string().nullable().describe('Name of the provider; null if it is not configured.'),
    role: z.enum(INVITED_ROLES).describe('Role of people who join.'),
    ssoRequired: z.boolean().describe('Whether these people must sign in through the provider.'),
  })
  .meta({ id: 'EmailDomain' });
export type DomainRow = z.infer<typeof domainRow>;
export const domainsReply = z.object({ domains: z.array(domainRow).describe('Domains, by name.') });

export const getDomainsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/domains',
  auth: 'organization',
  role: 'admin',
  summary: 'List the domains whose people join the organization by single sign-on',
  scopes: [],
  params: organizationParams,
  reply: domainsReply,
});
