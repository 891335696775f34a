import type { Suite } from '../definition.ts';
import { BOOKING_SUITE } from './booking.ts';
import { RED_TEAM_SUITE } from './red-team.ts';

/** Suites to start from: copy one, give it a target, and change what does not fit. None needs a model. */
export const READY_SUITES: { readonly 'red-team': Suite; readonly booking: Suite } = {
  'red-team': RED_TEAM_SUITE,
  booking: BOOKING_SUITE,
};
