import type { z } from 'zod';
import { badRequest } from '../errors.ts';

/** Parses external input. Throws 400 with the first problem: `name is required`, `limit: …`. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') || 'the body';
  if (issue?.code === 'invalid_type' && issue.input === undefined) throw badRequest(`${path} is required`);
  throw badRequest(`${path}: ${issue?.message ?? 'is not valid'}`);
}
