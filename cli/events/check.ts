import { checkedSchema, type DamageRow } from '../../src/features/damage/contract.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import type { Column } from '../output.ts';
import { act } from '../session.ts';
import { EXIT } from '../user-error.ts';

type Line = DamageRow & { readonly project: string };

const columns: readonly Column<Line>[] = [
  { header: 'project', value: ({ project }) => project },
  { header: 'what', value: ({ kind, no }) => `${kind} ${no}`, fixed: true },
  { header: 'state', value: ({ state }) => ({ text: state, tone: 'bad' }) },
  { header: 'events', value: ({ events }) => number(events) },
  { header: 'from', value: ({ from }) => from, fixed: true },
  { header: 'to', value: ({ to }) => to, fixed: true },
];

export const eventsCheck = defineCommand({
  name: 'events check',
  summary: 'Read all stored events and compare their checksums; exits with 1 if some are damaged',
  options: { project: { value: 'PROJECT', summary: 'Only this project (id or name)', short: 'p' } },
  examples: ['spanledger events check', 'spanledger events check -p assistant --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const input = { project: options.project };
    const checked = await act(ctx, { action: 'events.check', input, reply: checkedSchema });
    const lines = checked.projects.flatMap(({ name, damage }) =>
      damage.map((one) => ({ ...one, project: name })),
    );
    const sum = (of: 'segments' | 'batches' | 'restored'): number =>
      checked.projects.reduce((total, one) => total + one[of], 0);
    output.result(checked, () => {
      if (lines.length > 0) output.table(columns, lines);
      if (sum('restored') > 0) output.success(`${sum('restored')} can be read again`);
      const read = `${number(sum('segments')).text} segments and ${number(sum('batches')).text} unsealed batches`;
      if (lines.length === 0) output.success(`${read} are intact`);
      if (lines.some(({ state }) => state === 'damaged')) output.info(NEXT);
    });
    return lines.length === 0 ? EXIT.ok : EXIT.failure;
  },
});

const NEXT = `Totals contain the events of damaged segments, but not those of damaged batches. Everything else works without them.
To mend: restore a backup of the file, or give the damaged events up with \`spanledger events drop-damaged PROJECT\`.`;
