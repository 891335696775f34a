import { z } from 'zod';
import type { EventQuery } from '../../src/core/events/index.ts';
import { projectOption } from '../project.ts';
import { parseMoment } from '../window.ts';

/** The argument of commands that read one event. */
export const eventArgument = {
  event: {
    summary: 'Id of the event, or the start of a recent one',
    id: 'event',
    type: z.guid('expected the UUID of an event, or the start of one of the newest 1,000').toLowerCase(),
  },
} as const;

/** The options of commands that read one event. */
export const eventOptions = {
  ...projectOption,
  timestamp: { value: 'TIME', summary: 'Time of the event; makes the lookup faster' },
} as const;

/** The query for an event. Throws usage (2) if the timestamp is not a time. */
export const eventQuery = (id: string, timestamp: string | undefined): EventQuery => ({
  id,
  ts: timestamp === undefined ? null : parseMoment('--timestamp', timestamp, Date.now()),
});

/** The parameters of the endpoints of one event. */
export const remoteEventQuery = ({ id, ts }: EventQuery, project: { readonly id: string }) => ({
  params: { id },
  query: { projectId: project.id, timestamp: ts === null ? undefined : new Date(ts).toISOString() },
});
