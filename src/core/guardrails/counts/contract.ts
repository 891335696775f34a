import { z } from 'zod';
import { OUTCOMES } from '../../../lib/guardrails/definition.ts';
import { instantParam, textParam } from '../../events/contract.ts';
import { defineEndpoint, projectQuery } from '../../tenancy/contract.ts';

/** What outcomes can be grouped by. */
export const COUNT_GROUPS = ['guardrail', 'check', 'user', 'model', 'environment'] as const;
export type CountGroup = (typeof COUNT_GROUPS)[number];

const counts = z.object({
  allow: z.int().describe('Texts that passed.'),
  flag: z.int().describe('Texts that were flagged.'),
  redact: z.int().describe('Texts that were redacted.'),
  block: z.int().describe('Texts that were blocked.'),
});
export type OutcomeCounts = z.infer<typeof counts>;

/** Outcomes of a window. Texts that passed are counted by guardrail, model and environment only. */
export const figuresSchema = z
  .object({
    start: z.string().describe('Start of the first step, ISO 8601 UTC.'),
    end: z.string().describe('End of the last step, ISO 8601 UTC, exclusive.'),
    bucket: z.enum(['hour', 'day']).describe('Length of a step.'),
    total: counts.describe('All outcomes of the window.'),
    steps: z
      .array(counts.extend({ time: z.string().describe('Start of the step, ISO 8601 UTC.') }))
      .describe('Outcomes over time, every step of the window.'),
    groups: z
      .array(counts.extend({ key: z.string().nullable().describe('Value of the group; null: unknown.') }))
      .describe('Outcomes by group, most blocks first, at most 100.'),
  })
  .meta({ id: 'GuardrailFigures' });
export type GuardrailFigures = z.infer<typeof figuresSchema>;

export const guardrailFiguresEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/guardrails/figures',
  auth: 'project',
  summary: 'Blocked, redacted and flagged texts over time and by guardrail, check, user or model',
  query: projectQuery.extend({
    start: instantParam.describe('Start, ISO 8601 UTC. Default: 7 days before the end.'),
    end: instantParam.describe('End, ISO 8601 UTC. Default: now.'),
    groupBy: z.enum(COUNT_GROUPS).default('guardrail').describe('Groups. Default: `guardrail`.'),
    guardrail: textParam(80).describe('Only this guardrail.'),
    environment: textParam(200).describe('Only this environment.'),
    outcome: z.enum(OUTCOMES).optional().describe('Only this outcome.'),
  }),
  reply: figuresSchema,
});
