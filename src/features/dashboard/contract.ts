import { z } from 'zod';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** A path under which the page is found. */
export const pageEndpoint = (path: string) =>
  defineEndpoint({ method: 'GET', path, auth: 'none', summary: 'The dashboard', hidden: true });

export const assetEndpoint = defineEndpoint({
  method: 'GET',
  path: '/assets/:name',
  auth: 'none',
  summary: 'A file of the dashboard',
  hidden: true,
  params: z.object({ name: z.string().max(200).describe('Name.') }),
});
