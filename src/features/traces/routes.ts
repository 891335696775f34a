import {
  getTrace,
  getWaterfall,
  type ListTracesQuery,
  listSelection,
  listTraces,
} from '../../core/events/index.ts';
import { route } from '../../core/tenancy/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { notFound } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';
import { getTraceEndpoint, getWaterfallEndpoint, listTracesEndpoint } from './contract.ts';

export const listTracesRead: ReadOp<ListTracesQuery> = { name: 'traces.list', run: listTraces };

/** Traces with an event, of whatever kind, that matches the filters of `GET /v1/events`. */
export const listTracesRoute = route(listTracesEndpoint, async (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  const input = { ...listSelection(query, 'all'), cursor, limit };
  return new JsonText(await ctx.db.read(listTracesRead, [scope.no], input));
});

export const getTraceRead: ReadOp<{ traceId: string }> = {
  name: 'traces.get',
  run: (reader, { traceId }) => {
    const trace = getTrace(reader, traceId);
    if (trace === null) throw notFound('There is no such trace in this project');
    return trace;
  },
};

/** decisions.md, Reads. */
export const getTraceRoute = route(
  getTraceEndpoint,
  async (ctx, { params }, { scope }) =>
    new JsonText(await ctx.db.read(getTraceRead, [scope.no], { traceId: params.traceId })),
);

export const getWaterfallRead: ReadOp<{ traceId: string }> = {
  name: 'traces.waterfall',
  run: (reader, { traceId }) => {
    const waterfall = getWaterfall(reader, traceId);
    if (waterfall === null) throw notFound('There is no such trace in this project');
    return waterfall;
  },
};

/** A trace of 30,000 spans is 29 MB as a tree of events, and 5 MB as what can be seen of it. */
export const getWaterfallRoute = route(
  getWaterfallEndpoint,
  async (ctx, { params }, { scope }) =>
    new JsonText(await ctx.db.read(getWaterfallRead, [scope.no], { traceId: params.traceId })),
);
