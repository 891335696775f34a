import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** A file of the API reference. */
export const docsEndpoint = (path: string) =>
  defineEndpoint({ method: 'GET', path, auth: 'none', summary: 'The API reference', hidden: true });
