import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { type Actor, defineAction } from '../../module.ts';
import {
  type Editor,
  mergeIncident,
  openIncident,
  stepIncident,
  updateIncident,
} from './change/change-incident.ts';
import { incidentInput, incidentUpdate } from './contract.ts';

const editorOf = async (ctx: Ctx, project: string, actor: Actor): Promise<Editor> => ({
  scope: operatorScope(await findProject(ctx, project)),
  actor,
});

const about = { project: idOrName, id: z.string().min(1).max(100) };
const text = z.string().trim().min(1).max(5_000);

/** The changes of incidents for the command line. */
export const incidentActions = [
  defineAction({
    name: 'incidents.create',
    input: z.object({ project: idOrName, incident: incidentInput }),
    run: async (ctx, { project, incident }, actor) =>
      openIncident(ctx, await editorOf(ctx, project, actor), incident),
  }),
  defineAction({
    name: 'incidents.update',
    input: z.object({ ...about, change: incidentUpdate }),
    run: async (ctx, { project, id, change }, actor) =>
      updateIncident(ctx, await editorOf(ctx, project, actor), id, change),
  }),
  defineAction({
    name: 'incidents.step',
    input: z.object({
      ...about,
      step: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('acknowledge') }),
        z.object({ kind: z.literal('resolve'), text: text.optional() }),
        z.object({ kind: z.literal('reopen'), text: text.optional() }),
        z.object({ kind: z.literal('comment'), text }),
      ]),
    }),
    run: async (ctx, { project, id, step }, actor) =>
      stepIncident(ctx, await editorOf(ctx, project, actor), id, step),
  }),
  defineAction({
    name: 'incidents.merge',
    input: z.object({ ...about, into: z.string().min(1).max(100) }),
    run: async (ctx, { project, id, into }, actor) =>
      mergeIncident(ctx, await editorOf(ctx, project, actor), id, into),
  }),
] as const;
