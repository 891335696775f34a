import { z } from 'zod';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

export const openApiEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/openapi.json',
  auth: 'none',
  summary: 'Get this document',
  reply: z.looseObject({ openapi: z.string().describe('Version of the OpenAPI format.') }),
});
