import { eventsOf, listSelection, orderOf } from '../../core/events/index.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';
import {
  getTraceEndpoint,
  getWaterfallEndpoint,
  listTracesEndpoint,
  searchTraceEndpoint,
} from './contract.ts';

function found<T>(trace: T | null): T {
  if (trace === null) throw notFound('There is no such trace in this project');
  return trace;
}

/** Traces with an event, of whatever kind, that matches the filters of `GET /v1/events`. */
export const listTracesRoute = route(listTracesEndpoint, (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  const page = { order: orderOf(query), cursor, limit };
  return eventsOf(ctx).traces(ofProject(scope), { ...listSelection(query, 'all'), ...page });
});

export const getTraceRoute = route(getTraceEndpoint, async (ctx, { params }, { scope }) =>
  found(await eventsOf(ctx).trace(ofProject(scope), params.traceId)),
);

/** A trace of 30,000 spans is 29 MB as a tree of events, and 5 MB as what can be seen of it. */
export const getWaterfallRoute = route(getWaterfallEndpoint, async (ctx, { params }, { scope }) =>
  found(await eventsOf(ctx).waterfall(ofProject(scope), params.traceId)),
);

export const searchTraceRoute = route(searchTraceEndpoint, async (ctx, { params, query }, { scope }) =>
  found(await eventsOf(ctx).searchTrace(ofProject(scope), { traceId: params.traceId, text: query.q })),
);
