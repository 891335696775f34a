import { z } from 'zod';
import { BROWSER_ZONE, isTimeZone } from '../../../lib/time-zone.ts';
import { defineEndpoint } from '../../tenancy/contract.ts';

const preferencesBody = z.strictObject({
  timeZone: z
    .string()
    .max(64)
    .refine((name) => name === BROWSER_ZONE || isTimeZone(name), {
      error: 'must be the name of an IANA time zone, such as UTC or Europe/Berlin, or browser',
    })
    .describe(
      'Time zone in which the dashboard shows times and begins days: an IANA name, or `browser` for that of the browser in use.',
    ),
});
export type Preferences = z.infer<typeof preferencesBody>;

export const putPreferencesEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/auth/preferences',
  auth: 'session',
  summary: 'Choose how the dashboard shows things to you',
  body: preferencesBody,
  example: { timeZone: 'Europe/Berlin' },
  status: 204,
});
