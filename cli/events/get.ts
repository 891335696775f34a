import type { StoredEvent } from '../../src/core/events/contract.ts';
import { getEventEndpoint } from '../../src/core/events/list/contract.ts';
import { type Explanation, explainEndpoint } from '../../src/features/costs/contract.ts';
import { defineCommand } from '../command.ts';
import { printExplanation } from '../cost/explain.ts';
import { utcAndLocal } from '../moment.ts';
import type { Output } from '../output.ts';
import { readOfProject } from '../project.ts';
import { tinted } from '../report/figures.ts';
import { block, section } from '../report/pieces.ts';
import { costCell, statusCell, subjectOf } from './columns.ts';
import { eventArgument, eventOptions, eventQuery, remoteEventQuery } from './event-argument.ts';

export const eventsGet = defineCommand({
  name: 'events get',
  summary: 'Show one event: all its fields, and the lines of its cost',
  args: eventArgument,
  options: eventOptions,
  examples: [
    'spanledger events get 0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90',
    'spanledger events get 0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90 --json',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const query = eventQuery(args.event, options.timestamp);
    const [{ readEvent }, { readExplanation }] = await Promise.all([
      import('../../src/features/events/index.ts'),
      import('../../src/features/costs/index.ts'),
    ]);
    const doc = await readOfProject<Found>(ctx, options.project, {
      file: async (app, scope) => {
        const event = await readEvent(app, scope, query);
        return { event, cost: event.counted ? await readExplanation(app, scope, query) : null };
      },
      server: async (server, project) => {
        const asked = remoteEventQuery(query, project);
        const event = await server.get(getEventEndpoint, asked);
        return { event, cost: event.counted ? await server.get(explainEndpoint, asked) : null };
      },
    });
    output.result(doc, () => print(output, doc));
  },
});

interface Found {
  readonly event: StoredEvent;
  readonly cost: Explanation | null;
}

/** Fields with a section of their own. */
const APART = ['error_message', 'tags', 'metadata', 'usage', 'input', 'output'] as const;
const LABEL_WIDTH = 20;

const print = (output: Output, { event, cost }: Found): void => {
  output.line(
    tinted(subjectOf(event), 'bold'),
    statusCell(event.status),
    costCell(event),
    tinted(utcAndLocal(Date.parse(event.timestamp)), 'dim'),
  );
  output.raw('\n');
  const fields = Object.entries(event).filter(([name]) => !APART.some((one) => one === name));
  for (const [name, value] of fields)
    if (value !== null && value !== undefined)
      output.line(tinted(name.padEnd(LABEL_WIDTH), 'dim'), String(value));
  const missing = fields.filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length > 0) output.line(tinted(`Not sent or unknown: ${missing.join(', ')}`, 'dim'));
  for (const name of APART) {
    const value = event[name];
    if (isEmpty(value)) continue;
    section(output, name);
    block(output, value);
  }
  if (cost === null) return;
  section(output, 'Cost explained');
  printExplanation(output, cost);
};

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
