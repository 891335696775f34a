import { incidentSchema } from '../../src/features/incidents/contract.ts';
import type { BaseContext } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import type { Output } from '../output.ts';
import { chooseProject } from '../project.ts';
import { act, withApp } from '../session.ts';
import { incidentColumns } from './columns.ts';

type Change = {
  readonly action: 'incidents.create' | 'incidents.update' | 'incidents.step' | 'incidents.merge';
  readonly input: object;
  /** What was done, after `Incident #12`. */
  readonly done: string;
};

/** Changes an incident of a project and prints it. */
export async function changeIncident(
  ctx: BaseContext & { readonly output: Output },
  given: string | undefined,
  { action, input, done }: Change,
): Promise<void> {
  const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, given));
  const doc = await act(ctx, { action, input: { project, ...input }, reply: incidentSchema });
  ctx.output.result(doc, () => {
    const rows = [{ ...doc, firing: doc.alerts.filter(({ state }) => state === 'firing').length }];
    ctx.output.table(columnsThatFit(incidentColumns, rows, ctx.output.columns), rows);
    ctx.output.success(`Incident #${doc.number} ${done}`);
  });
}
