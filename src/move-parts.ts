import type { Ctx } from './context.ts';
import { listProjects } from './core/projects/index.ts';
import { nextErasure } from './features/erasure/index.ts';
import { listBusy } from './features/repricing/index.ts';

/** What must be finished by the store of events that began it; null if there is nothing. */
export async function unfinishedOf(ctx: Ctx): Promise<string | null> {
  if ((await nextErasure(ctx, new Set())) !== null) return 'The erasure of a user';
  return (await listBusy(ctx)).length > 0 ? 'A re-pricing' : null;
}

/** The numbers of all projects. */
export const numbersOf = async (ctx: Ctx): Promise<number[]> => (await listProjects(ctx)).map(({ no }) => no);
