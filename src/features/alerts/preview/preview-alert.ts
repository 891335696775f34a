import { type Ctx, listService, type Service } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import { unavailable } from '../../../errors.ts';
import { createShare } from '../../../http/share.ts';
import { DAY_MS, formatInstant, MINUTE_MS } from '../../../lib/time.ts';
import { WINDOW_MINUTES } from '../judge/minutes.ts';
import { readShapes } from '../judge/read-shapes.ts';
import type { Rule } from '../table.ts';
import type { AlertPreview } from './contract.ts';
import type { Drawn } from './draw.ts';
import { type PreviewGiven, previewWork } from './preview-work.ts';

/** Previews at once; each reads up to two months of events. */
const LIMITS = { running: { total: 2, each: 1 }, waiting: { total: 20, each: 3 } };
const share: Service<ReturnType<typeof createShare>> = {
  name: 'alerts.previews',
  open: () => createShare('previews of alerts', LIMITS),
};
export const previewShare = listService(share);

/** A preview that takes longer is refused. */
const PATIENCE_MS = 25_000;

/**
 * When a rule would have fired in the last days.
 * @throws AppError 400 for a filter that cannot be read, 429 and 503 for too many previews at once or one that takes too long
 */
export async function previewAlert(
  ctx: Ctx,
  scope: ProjectScope,
  { rule, days }: { readonly rule: Rule; readonly days: number },
): Promise<AlertPreview> {
  const leave = await ctx.use(share).enter(scope.organizationId);
  try {
    const to = Math.floor(ctx.now() / MINUTE_MS) - 1;
    const wanted = to - (days * DAY_MS) / MINUTE_MS;
    const { first, note } = await beginning(ctx, scope, { rule, from: wanted, to });
    const from = Math.min(first, to);
    const drawn = await draw(ctx, scope, { rule, from, to });
    return toPreview(drawn, { rule, from, to, note });
  } finally {
    leave();
  }
}

/** The first minute that can be judged: no call of its window may have been deleted. */
async function beginning(
  ctx: Ctx,
  scope: ProjectScope,
  { rule, from, to }: Asked,
): Promise<{ readonly first: number; readonly note: string | null }> {
  const [projects, window] = [ofProjects([scope]), { from: from * MINUTE_MS, to: to * MINUTE_MS }];
  const { before } = await eventsOf(ctx).deleted(projects, { runs: [{ window }] });
  if (before !== null) {
    const first = Math.max(from, Math.ceil(before / MINUTE_MS) + WINDOW_MINUTES[rule.window]);
    const since = formatInstant(before).slice(0, 16).replace('T', ' ');
    return {
      first,
      note: `Calls before ${since} UTC have been deleted (retention); the preview begins with the first window after them`,
    };
  }
  const { firstDay } = await eventsOf(ctx).span(projects);
  const first = firstDay === null ? from : Math.max(from, Math.floor(firstDay / MINUTE_MS));
  const since = formatInstant(Math.min(first, to) * MINUTE_MS).slice(0, 10);
  return {
    first,
    note: first > from ? `The project has events since ${since}; the preview begins there` : null,
  };
}

type Asked = { readonly rule: Rule; readonly from: number; readonly to: number };

async function draw(ctx: Ctx, scope: ProjectScope, asked: Asked): Promise<Drawn> {
  const until = performance.now() + PATIENCE_MS;
  const running = ctx.workers.start(previewWork, asked);
  try {
    let given: PreviewGiven = { text: null };
    while (performance.now() < until) {
      const want = await running.next(given);
      if (want === undefined) throw new Error('the preview ended without a result');
      if (want.kind === 'done') return want.drawn;
      given = {
        text: want.kind === 'read' ? await readShapes(ctx, scope, want.query) : null,
      };
    }
  } finally {
    running.stop();
  }
  throw unavailable(
    'The preview took too long; choose fewer days, a filter or a dimension with fewer values',
  );
}

function toPreview(
  drawn: Drawn,
  { rule, from, to, note }: Asked & { readonly note: string | null },
): AlertPreview {
  const instant = (minute: number): string => formatInstant(minute * MINUTE_MS);
  const groupOf = (group: string): string | null => (rule.groupBy === null ? null : group);
  const { step, series, spans, ...figures } = drawn;
  return {
    from: instant(from),
    to: instant(to),
    stepMinutes: step,
    ...figures,
    note,
    series: series.map((line) => ({
      group: groupOf(line.group),
      points: [...line.points],
      baseline: line.baseline === null ? null : [...line.baseline],
      unpriced: line.unpriced === null ? null : [...line.unpriced],
    })),
    spans: spans.map((span) => ({
      group: groupOf(span.group),
      state: span.state,
      from: instant(span.from),
      to: span.to === null ? null : instant(span.to),
      value: span.value,
      unpriced: span.unpriced,
      calls: span.calls,
    })),
  };
}
