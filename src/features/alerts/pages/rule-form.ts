import type { AlertDraft, AlertMeasure } from '../contract.ts';
import { measureUnit } from '../notify/measure-words.ts';
import { measureOption } from './rule-options.ts';
import type { AlertCondition, AlertDimension } from './rule-words.ts';

type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;
type Change = Extract<AlertCondition, { kind: 'change' }>;
type Anomaly = Extract<AlertCondition, { kind: 'anomaly' }>;

/** A rule as a form holds it: numbers are texts in the unit that people write, so that they can be half written. */
export type RuleForm = Omit<
  AlertDraft,
  'condition' | 'filters' | 'groupBy' | 'minRequests' | 'forMinutes' | 'renotifyMinutes'
> & {
  readonly environment: string;
  readonly filter: string;
  /** Filters that the form only shows. */
  readonly kept: NonNullable<AlertDraft['filters']>;
  /** A dimension, `tag` with the name in `tag`, or empty. */
  readonly groupBy: string;
  readonly tag: string;
  readonly kind: AlertCondition['kind'];
  readonly operator: Threshold['operator'];
  readonly critical: string;
  /** Empty: no warning. */
  readonly warning: string;
  readonly direction: Change['direction'];
  readonly percent: string;
  readonly compare: Change['compare'];
  readonly sensitivity: Anomaly['sensitivity'];
  readonly minRequests: string;
  readonly forMinutes: string;
  /** Empty: never. */
  readonly renotifyMinutes: string;
};

/** What the fields of a rule share. */
export type FieldsProps = {
  readonly form: RuleForm;
  readonly set: (patch: Partial<RuleForm>) => void;
  /** What is wrong with a field; undefined for nothing. */
  readonly problemOf: (field: keyof RuleForm) => string | undefined;
};

/** How people write values of a measure: the unit, and how many of it make one of the API. */
export const unitOf = (measure: AlertMeasure): { readonly unit: string; readonly factor: number } => {
  const unit = measureUnit(measure);
  return unit === 'fraction' ? { unit: '%', factor: 100 } : { unit, factor: 1 };
};

/** A bound that is worth trying first. */
const FIRST_BOUNDS: Readonly<Partial<Record<AlertMeasure, string>>> = {
  errorRate: '5',
  timeoutRate: '5',
  cacheRate: '20',
  cost: '10',
  errors: '10',
  rateLimited: '10',
  unpriced: '0',
  requests: '1000',
  inputTokens: '1000000',
  outputTokens: '1000000',
};

const UNIT_BOUNDS = {
  USD: '1',
  fraction: '5',
  ms: '5000',
  tokens: '1000000',
  'tokens/s': '100',
  calls: '10',
  runs: '10',
  checks: '10',
  score: '0.5',
  scores: '1',
};

/** What the form starts with for a measure. */
export const firstBound = (measure: AlertMeasure): Pick<RuleForm, 'critical' | 'operator'> => ({
  critical: FIRST_BOUNDS[measure] ?? UNIT_BOUNDS[measureUnit(measure)],
  operator: measure === 'cacheRate' ? 'lt' : 'gt',
});

/** Twelve digits, so that 0.07 × 100 is 7. */
const shown = (value: number, factor: number): string => String(Number((value * factor).toPrecision(12)));

const EMPTY: RuleForm = {
  name: '',
  enabled: true,
  measure: 'errorRate',
  environment: '',
  filter: '',
  kept: {},
  groupBy: '',
  tag: '',
  window: '15m',
  kind: 'threshold',
  operator: 'gt',
  critical: '5',
  warning: '',
  direction: 'up',
  percent: '50',
  compare: 'sameTimeLastWeek',
  sensitivity: 'medium',
  minRequests: '0',
  forMinutes: '0',
  noData: 'ignore',
  renotifyMinutes: '',
  channelIds: [],
  opensIncident: false,
};

/** The form of a new rule. */
export const newForm = (given: Partial<RuleForm>): RuleForm => ({
  ...EMPTY,
  ...(given.measure !== undefined && firstBound(given.measure)),
  ...given,
});

/** The form of a rule that exists. */
export function formOf(alert: AlertDraft): RuleForm {
  const { name, enabled, measure, window, noData, channelIds, opensIncident, condition } = alert;
  const { environment = '', filter = '', ...kept } = alert.filters ?? {};
  const isTag = alert.groupBy?.startsWith('tag:') === true;
  return {
    ...EMPTY,
    ...firstBound(measure),
    ...{ name, enabled, measure, window, noData, channelIds, opensIncident, environment, filter, kept },
    groupBy: isTag ? 'tag' : (alert.groupBy ?? ''),
    tag: isTag ? (alert.groupBy ?? '').slice(4) : '',
    ...conditionFields(condition, unitOf(measure).factor),
    minRequests: String(alert.minRequests ?? 0),
    forMinutes: String(alert.forMinutes ?? 0),
    renotifyMinutes: alert.renotifyMinutes == null ? '' : String(alert.renotifyMinutes),
  };
}

function conditionFields(condition: AlertCondition, factor: number): Partial<RuleForm> {
  if (condition.kind !== 'threshold')
    return condition.kind === 'change' ? { ...condition, percent: String(condition.percent) } : condition;
  const { kind, operator, warning, critical } = condition;
  return {
    kind,
    operator,
    critical: shown(critical, factor),
    warning: warning === undefined ? '' : shown(warning, factor),
  };
}

/** The rule of a form, or the field that keeps it from being one. */
export type Written =
  | { readonly rule: AlertDraft; readonly problem: null }
  | { readonly rule: null; readonly problem: { readonly field: keyof RuleForm; readonly message: string } };

/** Reads a form; the server checks the rest. */
export function readForm(form: RuleForm): Written {
  const problem = problemOf(form);
  if (problem !== null) return { rule: null, problem };
  const { name, enabled, measure, window, noData, channelIds, opensIncident, environment, filter } = form;
  const groupBy = form.groupBy === 'tag' ? `tag:${form.tag}` : form.groupBy === '' ? null : form.groupBy;
  return {
    problem: null,
    rule: {
      ...{ name, enabled, measure, window, noData, channelIds, opensIncident },
      filters: {
        ...form.kept,
        ...(environment !== '' && { environment }),
        ...(filter.trim() !== '' && { filter }),
      },
      groupBy: groupBy as AlertDimension | null,
      condition: readCondition(form),
      minRequests: Number(form.minRequests),
      forMinutes: Number(form.forMinutes),
      renotifyMinutes: form.renotifyMinutes === '' ? null : Number(form.renotifyMinutes),
    },
  };
}

function readCondition(form: RuleForm): AlertCondition {
  const { kind, operator, direction, compare, sensitivity } = form;
  if (kind === 'change') return { kind, direction, percent: Number(form.percent), compare };
  if (kind === 'anomaly') return { kind, sensitivity };
  const { factor } = unitOf(form.measure);
  const warning = form.warning.trim() === '' ? undefined : Number(form.warning) / factor;
  const critical = Number(form.critical) / factor;
  return { kind, operator, ...(warning !== undefined && { warning }), critical };
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
const isCount = (text: string): boolean => /^\d{1,10}$/.test(text.trim());

function problemOf(form: RuleForm): Written['problem'] {
  const wrong = (field: keyof RuleForm, message: string) => ({ field, message });
  if (form.groupBy === 'tag' && form.tag.trim() === '') return wrong('tag', 'Name the tag');
  if (form.kind === 'threshold' && !isNumber(form.critical)) return wrong('critical', 'Write a number');
  if (form.kind === 'threshold' && form.warning.trim() !== '' && !isNumber(form.warning))
    return wrong('warning', 'Write a number, or leave it empty');
  if (form.kind === 'change' && !(isNumber(form.percent) && Number(form.percent) > 0))
    return wrong('percent', 'Write a number above 0');
  if (!isCount(form.minRequests)) return wrong('minRequests', 'Write a whole number');
  if (!isCount(form.forMinutes)) return wrong('forMinutes', 'Write whole minutes');
  if (form.renotifyMinutes !== '' && !isCount(form.renotifyMinutes))
    return wrong('renotifyMinutes', 'Write whole minutes');
  return null;
}

/** A name for a rule without one. */
export function suggestName({ measure, groupBy, tag, environment }: RuleForm): string {
  const by = groupBy === '' ? '' : ` by ${groupBy === 'tag' ? tag : groupBy}`;
  return `${measureOption(measure)}${by}${environment === '' ? '' : ` in ${environment}`}`;
}
