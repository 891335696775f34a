import { dirname, join } from 'node:path';
import { z } from 'zod';
import { newExperimentSchema } from '../../src/features/experiments/input/contract.ts';
import { problemOf } from '../../src/http/problem-of.ts';
import type { BaseContext } from '../command.ts';
import { readSource } from '../read-source.ts';
import { usageError } from '../user-error.ts';

const { datasetId: _, task: __, baselineId: ___, ...fields } = newExperimentSchema.shape;

/** What `experiments run` reads: an experiment, where its items are, and when it fails. */
const planFileSchema = z
  .strictObject({
    ...fields,
    dataset: z.union([z.string(), z.strictObject({ name: z.string(), file: z.string().optional() })]),
    task: newExperimentSchema.shape.task.optional(),
    /** Program that gets items as JSON lines on its standard input and prints results as JSON lines. */
    command: z.array(z.string().min(1)).min(1).optional(),
    baseline: z.string().optional(),
    failIf: z.array(z.string()).default([]),
  })
  .refine(
    ({ task, command }) => (task === undefined) !== (command === undefined),
    'give either task or command',
  );
export type PlanFile = z.output<typeof planFileSchema> & {
  /** Folder of the file: paths in it are relative to it. */
  readonly folder: string;
};

/** Throws UserError usage (2). */
export async function readPlan(ctx: BaseContext, path: string): Promise<PlanFile> {
  const text = await readSource(ctx, path);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON`, 'See the example in the guide to experiments');
  }
  const read = planFileSchema.safeParse(document);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue !== undefined && issue.path.length > 0 ? `${issue.path.join('.')} ` : '';
    throw usageError(`${path}: ${place}${issue && problemOf(issue)}`, 'Correct the file');
  }
  return { ...read.data, folder: path === '-' ? process.cwd() : dirname(path) };
}

/** A path of the plan, from where the command runs. */
export const inFolder = ({ folder }: PlanFile, path: string): string => join(folder, path);
