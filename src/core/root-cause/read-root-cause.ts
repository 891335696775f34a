import type { Ctx } from '../../context.ts';
import { badRequest } from '../../errors.ts';
import { isScoreMeasure, parseScoreMeasure, type ScoreMeasure } from '../../lib/scores/score-measures.ts';
import { type Comparison, effectsOf } from '../../lib/shift.ts';
import { formatInstant } from '../../lib/time.ts';
import {
  type Contrast,
  type ContrastQuery,
  deletedCalls,
  type EventFilters,
  eventsOf,
  type Side,
  type Sides,
  type Window,
} from '../events/index.ts';
import { listKeys } from '../keys/index.ts';
import { contrastScores, scoreTypeOf, toConditions } from '../scores/index.ts';
import { ofProject, ofProjects, type ProjectScope } from '../tenancy/index.ts';
import type { ContributionDimension, RootCause } from './contract.ts';
import { reasonOf, summaryOf } from './describe.ts';
import { readExamples } from './examples.ts';
import { contributionsOf, type Figures, round, sidesOf } from './figures.ts';
import { type Causes, findCauses } from './find-causes.ts';
import {
  isOfFailures,
  measureOf,
  type PercentileMeasure,
  type RootCauseMeasure,
  scoredMeasureOf,
} from './measures.ts';
import { displayOf, filterOf, labelOf, quotedLabelOf } from './name-values.ts';
import { readSeries } from './series.ts';
import { readChanges, readDeployments } from './what-changed.ts';

/** Most values to list per dimension. */
const VALUES = 10;

export type RootCauseInput = {
  readonly measure: RootCauseMeasure;
  readonly window: Window;
  readonly baseline: Window;
  readonly filters: EventFilters;
};

/**
 * Explains how a measure changed from a baseline to a window.
 * @throws AppError 400 for a window without length, and if too many calls would have to be read
 */
export async function readRootCause(
  ctx: Ctx,
  scope: ProjectScope,
  input: RootCauseInput,
): Promise<RootCause> {
  if (input.window.to <= input.window.from || input.baseline.to <= input.baseline.from)
    throw badRequest('start: the window and the baseline must each be longer than nothing');
  const { contrast, figures } = await compare(ctx, scope, input);
  const [names, changes, deployments, series] = await Promise.all([
    namesOfKeys(ctx, scope),
    readChanges(ctx, scope, input.window),
    readDeployments(ctx, scope, input.window),
    readSeries(ctx, scope, input),
  ]);
  const head = headOf(input, contrast, figures);
  const causes = isComparable(head.status) ? causesOf(contrast, figures, input.measure) : null;
  const told = causes === null ? [] : toCauses(causes, figures, { measure: input.measure, names });
  const status = head.status ?? statusOf(told);
  const rest = causes === null ? noRest(head.change) : restOf(causes, figures);
  const [first] = told;
  return {
    ...head,
    status,
    summary: summaryOf({
      ...head,
      status,
      causes: told.map((one, i) => ({
        ...one,
        label: (causes?.causes[i]?.values ?? []).map((value) => quotedLabelOf(value, names)).join(' with '),
      })),
    }),
    causes: told,
    rest,
    dimensions: isComparable(head.status) ? toDimensions(contrast, figures, names) : [],
    examples: await readExamples(ctx, scope, { ...input, filter: first?.filter ?? '', figures }),
    series,
    changes,
    deployments,
    ...(await deletedCalls(ctx, ofProject(scope), {
      runs: [{ window: input.window }, { window: input.baseline }],
    })),
  };
}

const isComparable = (status: RootCause['status'] | null): boolean => status === null;
const noRest = (change: number | null): RootCause['rest'] => ({
  contribution: change ?? 0,
  share: change ? 1 : null,
});

type Compared = { readonly contrast: Contrast; readonly figures: Figures };

async function compare(
  ctx: Ctx,
  scope: ProjectScope,
  { measure: name, window, baseline, filters }: RootCauseInput,
): Promise<Compared> {
  if (isScoreMeasure(name)) return compareScores(ctx, scope, { measure: name, window, baseline, filters });
  const measure = measureOf(name);
  const scale = (window.to - window.from) / (baseline.to - baseline.from);
  const about = { window, baseline, filters, values: VALUES };
  if (measure.kind === 'sums') {
    const { part, whole, factor } = measure;
    const contrast = await ask(ctx, scope, { ...about, measure: { part, whole } });
    const comparison = { totals: contrast.totals, isRatio: whole !== null, scale };
    return { contrast, figures: { comparison, measure, factor, change: changeOf(comparison, factor) } };
  }
  const [before, after] = await readPercentiles(ctx, scope, { measure, window, baseline, filters });
  const contrast = await ask(ctx, scope, {
    ...about,
    measure: { of: measure.time, overMs: (before + after) / 2 },
  });
  const comparison = { totals: contrast.totals, isRatio: true, scale };
  const slower = changeOf(comparison, 1);
  const change = slower === null ? null : after - before;
  const factor = slower ? (after - before) / slower : 0;
  return { contrast, figures: { comparison, measure, factor, change, values: [before, after] } };
}

async function compareScores(
  ctx: Ctx,
  scope: ProjectScope,
  { measure: name, window, baseline, filters }: RootCauseInput & { readonly measure: ScoreMeasure },
): Promise<Compared> {
  const { projects } = ofProject(scope);
  const asked = parseScoreMeasure(name);
  const query = { asked, window, baseline, where: toConditions(filters), values: VALUES };
  const [contrast, type] = await Promise.all([
    ctx.db.read(contrastScores, ofProjects([scope]), query).then((found) => found.parse()),
    scoreTypeOf(ctx, projects, asked.name),
  ]);
  const measure = scoredMeasureOf(name, type === 'boolean');
  const scale = (window.to - window.from) / (baseline.to - baseline.from);
  const comparison = { totals: contrast.totals, isRatio: !asked.isCount, scale };
  return { contrast, figures: { comparison, measure, factor: 1, change: changeOf(comparison, 1) } };
}

const ask = (ctx: Ctx, scope: ProjectScope, query: ContrastQuery): Promise<Contrast> =>
  eventsOf(ctx).contrast(ofProject(scope), query);

/** The change of a measure; null if a window has no value. */
function changeOf({ totals: { before, after }, isRatio, scale }: Comparison, factor: number): number | null {
  if (!isRatio) return (after.part - scale * before.part) * factor;
  if (before.whole === 0 || after.whole === 0) return null;
  return (after.part / after.whole - before.part / before.whole) * factor;
}

async function readPercentiles(
  ctx: Ctx,
  scope: ProjectScope,
  about: Omit<RootCauseInput, 'measure'> & { readonly measure: PercentileMeasure },
): Promise<[before: number, after: number]> {
  const { percentile } = about.measure;
  const query = { measures: [percentile], filters: about.filters } as const;
  const { before, after } = await eventsOf(ctx).metrics(ofProject(scope), {
    before: { ...query, window: about.baseline },
    after: { ...query, window: about.window },
  });
  return [before[0]?.[percentile] ?? 0, after[0]?.[percentile] ?? 0];
}

type Head = Pick<RootCause, 'measure' | 'unit' | 'window' | 'baseline' | 'change'> & {
  readonly status: RootCause['status'] | null;
};

/** The figures of both windows, and the status if there is nothing to explain. */
function headOf({ measure, window, baseline }: RootCauseInput, { totals }: Contrast, figures: Figures): Head {
  const { comparison, change } = figures;
  const { isRatio, scale } = comparison;
  const side = (own: Side, place: 0 | 1): number | null => {
    if (isRatio && own.whole === 0) return null;
    const value = isRatio ? own.part / own.whole : own.part * (place === 0 ? scale : 1);
    return round(figures.values?.[place] ?? value * figures.factor, figures.measure.units);
  };
  const told = ({ from, to }: Window, own: Side, value: number | null): RootCause['window'] => ({
    start: formatInstant(from),
    end: formatInstant(to),
    calls: own.calls,
    value,
  });
  return {
    measure,
    unit: figures.measure.unit,
    window: told(window, totals.after, side(totals.after, 1)),
    baseline: told(baseline, totals.before, side(totals.before, 0)),
    change: change === null ? null : round(change, figures.measure.units),
    status: emptyStatus(totals, isRatio, change),
  };
}

function emptyStatus({ before, after }: Sides, isRatio: boolean, change: number | null): Head['status'] {
  if (before.calls === 0 && after.calls === 0) return 'no_calls';
  if (before.calls === 0 || (isRatio && before.whole === 0)) return 'no_baseline';
  if (isRatio && after.whole === 0) return 'no_calls';
  return change === 0 ? 'unchanged' : null;
}

/** The causes. If all calls failed alike, error codes say what happened. */
function causesOf(contrast: Contrast, { comparison }: Figures, measure: RootCauseMeasure): Causes {
  if (!isOfFailures(measure)) return findCauses(contrast, comparison, []);
  const found = findCauses(contrast, comparison, ['errorCode']);
  const isNamed = found.causes[0] !== undefined && found.causes[0].values.length > 0;
  return isNamed ? found : findCauses(contrast, comparison, []);
}

const statusOf = ([first]: RootCause['causes']): RootCause['status'] =>
  first === undefined ? 'unclear' : first.values.length === 0 ? 'spread' : 'explained';

function toCauses(
  { causes, rest }: Causes,
  figures: Figures,
  { measure, names }: { readonly measure: RootCauseMeasure; readonly names: ReadonlyMap<string, string> },
): RootCause['causes'] {
  const parts = contributionsOf(figures, [...causes.map(({ own }) => own), rest]);
  return causes.map(({ values, sides }, i) => {
    const { contribution = 0, share = null } = parts[i] ?? {};
    const { own, volume } = effectsOf(figures.comparison, sides);
    const { units } = figures.measure;
    return {
      values: [...values],
      label: values.length === 0 ? 'all calls' : values.map((one) => labelOf(one, names)).join(' with '),
      reason: reasonOf(figures, measure, sides),
      effects: { own: round(own * figures.factor, units), volume: round(volume * figures.factor, units) },
      filter: values.map(({ dimension, value }) => filterOf(dimension, value)).join(' '),
      contribution,
      share,
      ...sidesOf(figures, sides, share),
    };
  });
}

function restOf({ causes, rest }: Causes, figures: Figures): RootCause['rest'] {
  const parts = contributionsOf(figures, [...causes.map(({ own }) => own), rest]);
  return parts.at(-1) ?? noRest(figures.change);
}

function toDimensions(
  { groups }: Contrast,
  figures: Figures,
  names: ReadonlyMap<string, string>,
): ContributionDimension[] {
  return groups.map(({ dimension, values, others }) => {
    const parts = contributionsOf(figures, [...values, others]);
    const shown = values.map(({ value, ...sides }, i) => {
      const { contribution = 0, share = null } = parts[i] ?? {};
      return {
        value,
        label: displayOf(dimension, value, names),
        filter: filterOf(dimension, value),
        contribution,
        share,
        ...sidesOf(figures, sides, share),
      };
    });
    const { contribution = 0, share = null } = parts.at(-1) ?? {};
    return {
      dimension,
      values: shown.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution)),
      others: { values: others.values, contribution, share },
    };
  });
}

async function namesOfKeys(ctx: Ctx, { projectId }: ProjectScope): Promise<Map<string, string>> {
  const keys = await listKeys(ctx, projectId);
  return new Map(keys.map(({ id, name }) => [id, name]));
}
