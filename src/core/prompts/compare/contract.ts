import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../tenancy/contract.ts';
import { nameParams, versionAtSchema } from '../contract.ts';

const lineSchema = z.object({
  kind: z.enum(['same', 'added', 'removed']).describe('`added`: only in `to`. `removed`: only in `from`.'),
  text: z.string().describe('The line, without its end.'),
});
export type DiffLine = z.infer<typeof lineSchema>;

const partSchema = z.object({
  name: z.string().describe('`template`, `config`, or the number and the role of a message.'),
  lines: z.array(lineSchema).describe('All lines in order; unchanged ones are in both versions.'),
});

export const promptDiffSchema = z
  .object({
    from: z.int().describe('Number of the earlier version.'),
    to: z.int().describe('Number of the later version.'),
    isSame: z.boolean().describe('Whether the versions say the same.'),
    parts: z.array(partSchema).describe('What the versions say, part by part.'),
  })
  .meta({ id: 'PromptDiff' });
export type PromptDiff = z.infer<typeof promptDiffSchema>;

export const diffEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prompts/:name/diff',
  auth: 'project',
  scopes: ['read', 'prompts:read'],
  summary: 'Compare two versions of a prompt line by line',
  query: projectQuery.extend({
    from: versionAtSchema.meta({
      description: 'Version by number or label. Of a split, the one with the greatest weight.',
      example: '1',
    }),
    to: versionAtSchema.default('latest').describe('Version by number or label. Default: `latest`.'),
  }),
  params: nameParams,
  reply: promptDiffSchema,
});
