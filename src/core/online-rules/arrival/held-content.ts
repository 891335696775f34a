import { LRUCache } from 'lru-cache';
import { type Ctx, defineEvent, listService, type Service } from '../../../context.ts';
import { HOUR_MS } from '../../../lib/time.ts';
import { listen } from '../../../module.ts';
import type { Sample } from '../../evaluators/index.ts';
import type { ParsedEvent } from '../../events/index.ts';

/** Projects whose content is held, and characters of each: a busy project cannot push out others. */
const MAX_PROJECTS = 32;
const MAX_CHARACTERS = 2_000_000;
/** Most characters of a trace, and how long it is held after its delay at most. */
const MAX_TRACE = 200_000;
const HELD_MS = 2 * HOUR_MS;

type Part = { readonly input: unknown; readonly output: unknown; readonly ts: number; readonly size: number };
/** Content of a trace: of its root, and of its last call. */
type Held = { readonly root: Part | null; readonly call: Part | null };

/** Content of traces that is stored nowhere, by project and trace. It does not outlive the process. */
type HeldContent = LRUCache<number, LRUCache<string, Held>>;

const held: Service<HeldContent> = {
  name: 'online_rules.held_content',
  open: () => new LRUCache({ max: MAX_PROJECTS }),
  close: (content) => content.clear(),
};
export const heldService = listService(held);

type Arrived = Pick<ParsedEvent, 'trace_id' | 'parent_span_id' | 'kind' | 'ts' | 'input' | 'output'> & {
  readonly size: number;
};
type Arrival = { readonly project: number; readonly delayMs: number; readonly event: Arrived };

/** Content to hold. Of several servers the leader judges traces. */
const contentArrived = defineEvent<Arrival>('online_rules.content_arrived', 'leader');

/** Passes on the content of an event to whoever judges its trace, which is after `delayMs` or a while later. */
export function passContent(
  ctx: Ctx,
  of: Pick<Arrival, 'project' | 'delayMs'>,
  { trace_id, parent_span_id, kind, ts, input, output }: ParsedEvent,
): void {
  if (input === null && output === null) return;
  const size = JSON.stringify([input, output]).length;
  if (size > MAX_TRACE) return;
  ctx.emit(contentArrived, { ...of, event: { trace_id, parent_span_id, kind, ts, input, output, size } });
}

/** Holds the content of an event until its trace is judged. */
function holdContent(ctx: Ctx, { project, delayMs, event }: Arrival): void {
  const projects = ctx.use(held);
  const traces = projects.get(project) ?? openTraces();
  projects.set(project, traces);
  const part: Part = { input: event.input, output: event.output, ts: event.ts, size: event.size };
  const known = traces.get(event.trace_id) ?? { root: null, call: null };
  const isCall = event.kind === 'llm';
  const content: Held = {
    root: event.parent_span_id === null ? part : known.root,
    call: isCall && (known.call === null || known.call.ts <= part.ts) ? part : known.call,
  };
  traces.set(event.trace_id, content, { ttl: delayMs + HELD_MS });
}

const openTraces = (): LRUCache<string, Held> =>
  new LRUCache({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ root, call }) => 1 + (root?.size ?? 0) + (call?.size ?? 0),
  });

/** The content of a trace; null if it is not held (any more). */
export function heldContent(
  ctx: Ctx,
  project: number,
  traceId: string,
): Pick<Sample, 'input' | 'output'> | null {
  const found = ctx.use(held).get(project)?.get(traceId);
  if (found === undefined) return null;
  const { root, call } = found;
  return { input: root?.input ?? call?.input, output: root?.output ?? call?.output };
}

export const holdArrived = listen(contentArrived, holdContent);

export const forgetContent = (ctx: Ctx, project: number, traceId: string): void =>
  void ctx.use(held).get(project)?.delete(traceId);
