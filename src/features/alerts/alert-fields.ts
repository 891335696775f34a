import type { RowFields } from '../../lib/filter/rows.ts';
import type { Alert, SentAlert } from './contract.ts';

const STATES: Readonly<Record<Alert['state'], true>> = {
  critical: true,
  warning: true,
  no_data: true,
  pending: true,
  ok: true,
};
const KINDS: Readonly<Record<Alert['condition']['kind'], true>> = {
  threshold: true,
  change: true,
  anomaly: true,
};
const YES_NO = ['true', 'false'];

const textsOf = (text: string | null | undefined): readonly string[] =>
  text === null || text === undefined ? [] : [text];

/** The fields by which alerts are filtered; those of calls, such as `model`, are what a rule filters calls by. */
export const ALERT_FIELDS: RowFields<SentAlert> = {
  name: { label: 'Name', type: 'text', example: 'name:*errors*', of: ({ name }) => [name] },
  state: { label: 'State', type: 'choice', choices: Object.keys(STATES), of: ({ state }) => state },
  measure: { label: 'Measure', type: 'text', of: ({ measure }) => [measure] },
  group: { label: 'Grouped by', type: 'text', of: ({ groupBy }) => textsOf(groupBy) },
  window: { label: 'Window', type: 'text', of: ({ window }) => [window] },
  kind: {
    label: 'Condition',
    type: 'choice',
    choices: Object.keys(KINDS),
    of: ({ condition }) => condition.kind,
  },
  value: { label: 'Value now', type: 'number', example: 'value>0.1', of: ({ value }) => value },
  firing: {
    label: 'Groups that fire',
    type: 'number',
    example: 'firing>0',
    of: ({ groups }) => groups.critical + groups.warning,
  },
  enabled: {
    label: 'Enabled',
    type: 'choice',
    choices: YES_NO,
    of: ({ enabled }) => String(enabled ?? true),
  },
  silenced: {
    label: 'Silenced',
    type: 'choice',
    choices: YES_NO,
    of: ({ silencedUntil }) => String(silencedUntil !== null),
  },
  failing: {
    label: 'Cannot be judged',
    type: 'choice',
    choices: YES_NO,
    of: ({ error }) => String(error !== null),
  },
  model: { label: 'Model', type: 'text', of: ({ filters }) => textsOf(filters?.model) },
  provider: { label: 'Provider', type: 'text', of: ({ filters }) => textsOf(filters?.provider) },
  environment: { label: 'Environment', type: 'text', of: ({ filters }) => textsOf(filters?.environment) },
  agent: { label: 'Agent', type: 'text', of: ({ filters }) => textsOf(filters?.agent) },
  tool: { label: 'Tool', type: 'text', of: ({ filters }) => textsOf(filters?.tool) },
};
