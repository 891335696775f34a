import { defineCommand } from '../command.ts';
import { projectOption } from '../project.ts';
import { changeIncident } from './change.ts';

const id = { summary: 'Number or id of the incident' } as const;
const comment = { value: 'TEXT', summary: 'A comment for the timeline', short: 'm' } as const;
const withText = (text: string | undefined): object => (text === undefined ? {} : { text });

export const incidentsAck = defineCommand({
  name: 'incidents ack',
  summary: 'Acknowledge an incident',
  args: { id },
  options: projectOption,
  examples: ['spanledger incidents ack 12'],
  run: (ctx) =>
    changeIncident(ctx, ctx.options.project, {
      action: 'incidents.step',
      input: { id: ctx.args.id, step: { kind: 'acknowledge' } },
      done: 'acknowledged',
    }),
});

export const incidentsResolve = defineCommand({
  name: 'incidents resolve',
  summary: 'Resolve an incident',
  args: { id },
  options: { ...projectOption, comment },
  examples: ['spanledger incidents resolve 12', 'spanledger incidents resolve 12 -m "rolled back 2.5.1"'],
  run: (ctx) =>
    changeIncident(ctx, ctx.options.project, {
      action: 'incidents.step',
      input: { id: ctx.args.id, step: { kind: 'resolve', ...withText(ctx.options.comment) } },
      done: 'resolved',
    }),
});

export const incidentsReopen = defineCommand({
  name: 'incidents reopen',
  summary: 'Reopen a resolved incident',
  args: { id },
  options: { ...projectOption, comment },
  examples: ['spanledger incidents reopen 12'],
  run: (ctx) =>
    changeIncident(ctx, ctx.options.project, {
      action: 'incidents.step',
      input: { id: ctx.args.id, step: { kind: 'reopen', ...withText(ctx.options.comment) } },
      done: 'reopened',
    }),
});

export const incidentsComment = defineCommand({
  name: 'incidents comment',
  summary: 'Comment on an incident',
  args: { id, text: { summary: 'The comment' } },
  options: projectOption,
  examples: ['spanledger incidents comment 12 "the provider confirms an outage"'],
  run: (ctx) =>
    changeIncident(ctx, ctx.options.project, {
      action: 'incidents.step',
      input: { id: ctx.args.id, step: { kind: 'comment', text: ctx.args.text } },
      done: 'has the comment',
    }),
});

export const incidentsAssign = defineCommand({
  name: 'incidents assign',
  summary: 'Assign an incident to a member, or to nobody',
  args: { id, member: { summary: 'Email address or id of a member, or `nobody`' } },
  options: projectOption,
  examples: ['spanledger incidents assign 12 ada@example.com', 'spanledger incidents assign 12 nobody'],
  run: (ctx) => {
    const { id: incident, member } = ctx.args;
    return changeIncident(ctx, ctx.options.project, {
      action: 'incidents.update',
      input: { id: incident, change: { assigneeId: member === 'nobody' ? null : member } },
      done: member === 'nobody' ? 'has no assignee' : 'assigned',
    });
  },
});

export const incidentsMerge = defineCommand({
  name: 'incidents merge',
  summary: 'Merge an incident into another one, which takes over its alerts',
  args: { id, into: { summary: 'Number or id of the other incident' } },
  options: projectOption,
  examples: ['spanledger incidents merge 13 12'],
  run: (ctx) =>
    changeIncident(ctx, ctx.options.project, {
      action: 'incidents.merge',
      input: { id: ctx.args.id, into: ctx.args.into },
      done: `has taken over ${ctx.args.id}`,
    }),
});
