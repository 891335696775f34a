import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  type SpanNode,
  type WaterfallReply,
  waterfallReplySchema,
} from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { randomEvents } from '../../../../../event-store/support/random-events.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
let project: ProjectScope;
beforeAll(async () => {
  log = openLog();
  project = await log.newProject();
});
afterAll(() => log.close());

const waterfallOf = async (id: string, of = project): Promise<WaterfallReply | undefined> =>
  (await log.store.waterfall(ofProject(of), id))?.parse();

/** The spans of a tree, each before those below it, with its depth. */
const depthFirst = (nodes: readonly SpanNode[], depth = 0): { node: SpanNode; depth: number }[] =>
  nodes.flatMap((node) => [{ node, depth }, ...depthFirst(node.children, depth + 1)]);

test('has the same values for each span as the trace, and the sums of its subtree', async () => {
  const random = createRandom(11);
  const events = randomEvents(11, 600, NOON, NOON + 5_000).map((event, place): PricedEvent => {
    // Some roots, some orphans, some below others.
    const draw = random();
    const parent = draw < 0.05 ? null : draw < 0.1 ? 'lost' : `s${Math.floor(random() * place)}`;
    return { ...event, trace_id: 'wide', span_id: `s${place}`, parent_span_id: place === 0 ? null : parent };
  });
  await log.record(project, events.slice(0, 300));
  await log.seal(project);
  await log.record(project, events.slice(300));
  const tree = (await log.store.trace(ofProject(project), 'wide'))?.parse();
  const reply = waterfallReplySchema.parse(await waterfallOf('wide'));
  expect(reply.trace).toEqual(tree?.trace as typeof reply.trace);
  const { spans } = reply;
  const start = Date.parse(reply.trace.start);
  const expected = depthFirst(tree?.spans ?? []);
  expect(expected).toHaveLength(600);
  const priced = new Map(events.map((event) => [event.event_id, event]));
  /** As the tree sums it: the tokens of a leaf are those of its buckets, however its sender counted. */
  const own = ({ event_id, counted, cost_usd, cost_status }: SpanNode) => ({
    spans: 1,
    cost_usd: counted ? (cost_usd ?? 0) : 0,
    unpriced: counted && cost_status === 'unpriced' ? 1 : 0,
    input_tokens: counted
      ? Object.values(priced.get(event_id)?.buckets ?? {}).reduce((sum, tokens) => sum + tokens, 0)
      : 0,
    output_tokens: 0,
  });
  for (const [place, { node, depth }] of expected.entries()) {
    const sums = node.subtree ?? own(node);
    const got = Object.fromEntries(Object.entries(spans).map(([name, values]) => [name, values[place]]));
    expect(got).toEqual({
      event_id: node.event_id,
      span_id: node.span_id,
      depth,
      below: sums.spans - 1,
      orphan: node.orphan === true,
      start_ms: Date.parse(node.timestamp) - start,
      latency_ms: node.latency_ms,
      kind: node.kind,
      name: node.name ?? node.model ?? node.operation,
      model: node.model,
      status: node.status,
      error_code: node.error_code,
      cost_usd: expect.closeTo(sums.cost_usd, 9),
      unpriced: sums.unpriced,
      tokens: sums.input_tokens + sums.output_tokens,
    });
  }
});

test('a chain of 5,000 spans has all its depths', async () => {
  const events = randomEvents(3, 5_000, NOON, NOON + 5_000).map(
    (event, place): PricedEvent => ({
      ...event,
      trace_id: 'long',
      span_id: `s${place}`,
      parent_span_id: place === 0 ? null : `s${place - 1}`,
    }),
  );
  await log.record(project, events);
  const { spans } = (await waterfallOf('long')) ?? {};
  expect(spans?.depth).toEqual(events.map((_, place) => place));
  expect(spans?.below).toEqual(events.map((_, place) => events.length - 1 - place));
});

test('a cycle starts at its first span, and a trace of another project is not found', async () => {
  const [one, two] = [makeEvent({ ts: NOON }), makeEvent({ ts: NOON + 1 })];
  const ring = (event: PricedEvent, span_id: string, parent_span_id: string): PricedEvent => ({
    ...event,
    trace_id: 'ring',
    span_id,
    parent_span_id,
  });
  await log.record(project, [ring(one, 'a', 'b'), ring(two, 'b', 'a')]);
  expect((await waterfallOf('ring'))?.spans.span_id).toEqual(['a', 'b']);
  expect(await waterfallOf('ring', await log.newProject())).toBeUndefined();
});
