import { badRequest } from '../../errors.ts';
import { filtersOf, metricsWindow, type Window, windowBefore } from '../events/index.ts';
import { route } from '../tenancy/index.ts';
import { rootCauseEndpoint } from './contract.ts';
import { readRootCause } from './read-root-cause.ts';

export const rootCauseRoute = route(rootCauseEndpoint, (ctx, { query }, { scope }) => {
  const window = untilNow(metricsWindow(query, ctx.now()), ctx.now());
  const { keyId, tag, costStatus, measure } = query;
  const filters = { ...filtersOf(query), keyId, tag, costStatus };
  return readRootCause(ctx, scope, { measure, window, baseline: baselineOf(query, window), filters });
});

/** A window that has not ended yet ends now, so that it is compared with a baseline of the same length. */
const untilNow = ({ from, to }: Window, now: number): Window => ({
  from,
  to: from < now ? Math.min(to, now + 1) : to,
});

function baselineOf(
  {
    baselineStart,
    baselineEnd,
  }: { readonly baselineStart?: number | undefined; readonly baselineEnd?: number | undefined },
  window: Window,
): Window {
  if (baselineStart === undefined && baselineEnd === undefined) return windowBefore(window);
  if (baselineStart === undefined || baselineEnd === undefined)
    throw badRequest('baselineStart: give baselineStart and baselineEnd, or neither');
  return { from: baselineStart, to: baselineEnd + 1 };
}
