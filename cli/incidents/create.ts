import { ROOT_CAUSE_MEASURES } from '../../src/core/root-cause/contract.ts';
import { INCIDENT_SEVERITIES } from '../../src/features/incidents/contract.ts';
import { formatInstant } from '../../src/lib/time.ts';
import { defineCommand } from '../command.ts';
import { projectOption } from '../project.ts';
import { parseMoment } from '../window.ts';
import { changeIncident } from './change.ts';

export const incidentsCreate = defineCommand({
  name: 'incidents create',
  summary: 'Open an incident by hand',
  args: { title: { summary: 'Title' } },
  options: {
    ...projectOption,
    severity: { value: 'SEVERITY', summary: 'Severity', choices: INCIDENT_SEVERITIES, default: 'warning' },
    measure: {
      value: 'MEASURE',
      summary: 'What went wrong, for the root cause',
      choices: ROOT_CAUSE_MEASURES,
    },
    model: { value: 'NAME', summary: 'It concerns this model' },
    environment: { value: 'NAME', summary: 'It concerns this environment', short: 'e' },
    started: {
      value: 'TIME',
      summary: 'When it started: 30m, 2026-01-31 or an ISO 8601 time; now by default',
    },
    channels: { value: 'IDS', summary: 'Channels to notify, separated by commas; by default subscribers' },
    notes: { value: 'TEXT', summary: 'Notes in Markdown' },
  },
  examples: [
    'spanledger incidents create "Slow answers" --measure latencyP95 --started 30m',
    'spanledger incidents create "Bill doubled" --severity critical --measure cost',
  ],
  run: async (ctx) => {
    const { args, options } = ctx;
    const { severity, measure, model, environment, notes, channels } = options;
    const startedAt =
      options.started === undefined ? undefined : parseMoment('--started', options.started, Date.now());
    const dimensions = {
      ...(model !== undefined && { model }),
      ...(environment !== undefined && { environment }),
    };
    const incident = {
      title: args.title,
      severity,
      dimensions,
      ...(measure !== undefined && { measure }),
      ...(notes !== undefined && { notes }),
      ...(channels !== undefined && { channelIds: channels.split(',').map((id) => id.trim()) }),
      ...(startedAt !== undefined && { startedAt: formatInstant(startedAt) }),
    };
    await changeIncident(ctx, options.project, {
      action: 'incidents.create',
      input: { incident },
      done: 'opened',
    });
  },
});
