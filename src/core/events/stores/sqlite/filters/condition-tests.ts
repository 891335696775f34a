import { numberTest, textTest } from '../../../../../lib/filter/values.ts';
import { outcomeOfCode } from '../../../../../lib/guardrails/outcome-code.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from '../../../contract.ts';
import type { FILTER_FIELDS, FilterField } from '../../../filter/contract.ts';
import { isOfScores } from '../../../filter/targets.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { costStatusByte, FLAG, KIND, STATUS, type TextColumn } from '../columns.ts';
import { tagText } from '../labels/labels.ts';
import type { Fields } from '../packs/fields.ts';
import type { Chunk } from '../scan/chunk.ts';
import { NUMBER_FIELDS, type ReadNumber } from '../scan/number-fields.ts';
import type { RowCondition } from './row-condition.ts';
import { ofTargets } from './score-test.ts';

/** Whether the event at a place fulfils a condition, `not` left aside. */
export type PlaceTest = (place: number) => boolean;
type Make = (chunk: Chunk, condition: RowCondition) => PlaceTest;

/** The test of a condition over a chunk. Values are tested once per chunk, not once per event. */
export function testOf(chunk: Chunk, condition: RowCondition): PlaceTest {
  const { field } = condition;
  const dot = field.indexOf('.');
  if (field.startsWith('tag.'))
    return ofShape((shape) => namedValue(shape.tags, field.slice(dot + 1)))(chunk, condition);
  if (field.startsWith('metadata.'))
    return ofDetail((detail) => namedValue(detail.metadata, field.slice(dot + 1)))(chunk, condition);
  if (isOfScores(condition)) return ofScores(chunk, condition);
  return TESTS[field as PlainField](chunk, condition);
}

type PlainField = keyof typeof FILTER_FIELDS | 'text';

/** The lower a field's number, the earlier it is tested: columns of bytes, texts, numbers, then JSON. */
export const costOf = ({ field }: { readonly field: FilterField }): number => {
  if (field === 'status' || field === 'kind' || field === 'user' || field === 'session') return 0;
  if (field === 'text' || field === 'message' || field.startsWith('metadata.')) return 3;
  return field in SHAPE_FIELDS || field.startsWith('tag.') || field.startsWith('score.') ? 2 : 1;
};

const ofText =
  (column: TextColumn): Make =>
  (chunk, condition) => {
    const texts = chunk.texts(column);
    return byCode(texts.codes, (code) => textTest(condition)(texts.at(code)));
  };

/** Tests each code once. */
function byCode(codes: ArrayLike<number>, test: (code: number) => boolean): PlaceTest {
  const known = new Map<number, boolean>();
  return (place) => {
    const code = codes[place] as number;
    let found = known.get(code);
    if (found === undefined) {
      found = test(code);
      known.set(code, found);
    }
    return found;
  };
}

const ofBytes =
  (column: 'kind' | 'status' | 'cost_status', numbersOf: (name: string) => readonly number[]): Make =>
  (chunk, { values }) => {
    const wanted = new Set(values?.flatMap(numbersOf));
    const bytes = chunk.bytes(column);
    if (values === undefined) return (place) => column !== 'cost_status' || bytes[place] !== 0;
    return (place) => wanted.has(bytes[place] as number);
  };

const FAILED = FAILED_STATUSES.map((name) => STATUS[name]);
const failed = new Set<number>(FAILED);
const placeIn = (names: readonly string[], name: string): readonly number[] => [names.indexOf(name)];
/** The stored numbers of a status; `failed` is several. */
export const statusNumbers = (name: string): readonly number[] =>
  name === 'failed' ? FAILED : placeIn(EVENT_STATUSES, name);
/** The stored number of a kind. */
export const kindNumbers = (name: string): readonly number[] => placeIn(EVENT_KINDS, name);
const costStatusNumbers = (name: string): readonly number[] =>
  COST_STATUSES.filter((status) => status === name).map(costStatusByte);

/** The error group: of a failed event its code, or its status where it has none. */
const ofErrorGroup: Make = (chunk, condition) => {
  const test = textTest(condition);
  const texts = chunk.texts('error_code');
  const statuses = chunk.bytes('status');
  const ofCode = byCode(texts.codes, (code) => test(texts.at(code)));
  const ofStatus = byCode(statuses, (status) => test(EVENT_STATUSES[status] ?? null));
  const isEmpty = texts.codeOf('');
  return (place) => {
    if (!failed.has(statuses[place] as number)) return false;
    const code = texts.codes[place] as number;
    return code === 0 || code === isEmpty ? ofStatus(place) : ofCode(place);
  };
};

/** What a guardrail did; other events have no value. */
const ofGuardrail: Make = (chunk, condition) => {
  const test = textTest(condition);
  const texts = chunk.texts('error_code');
  const kinds = chunk.bytes('kind');
  const ofOutcome = byCode(texts.codes, (code) => test(outcomeOfCode(texts.at(code))));
  return (place) => kinds[place] === KIND.guardrail && ofOutcome(place);
};

/** Whether an event is of a target whose scores fulfil a condition. */
const ofScores: Make = (chunk, { sought }) => {
  const own = sought?.get(chunk.project);
  return own === undefined ? () => false : ofTargets(chunk, own);
};

const ofNumber =
  (read: (chunk: Chunk) => ReadNumber): Make =>
  (chunk, condition) => {
    const test = numberTest(condition);
    const at = read(chunk);
    return (place) => {
      const value = at(place);
      return test(Number.isNaN(value) ? null : value);
    };
  };

const parse = (json: string | null): Fields => (json === null ? {} : (JSON.parse(json) as Fields));

/** A tag's or metadata's value as text, as `NAME=VALUE` of the parameter `tag` writes it. */
function namedValue(values: unknown, name: string): string | null {
  if (typeof values !== 'object' || values === null || !Object.hasOwn(values, name)) return null;
  const value = (values as Record<string, unknown>)[name];
  if (value === null || value === undefined) return null;
  return tagText(value);
}

/** A value in JSON, compared as text, or as a number where the condition has bounds. */
const jsonTest = (condition: RowCondition): ((value: string | null) => boolean) => {
  if (condition.ranges === undefined) return textTest(condition);
  const test = numberTest(condition);
  return (value) => value !== null && value.trim() !== '' && test(Number(value));
};

function ofShape(read: (shape: Fields) => string | null): Make {
  return (chunk, condition) => {
    const test = jsonTest(condition);
    const shapes = chunk.texts('shape');
    return byCode(shapes.codes, (code) => test(read(parse(shapes.at(code)))));
  };
}

function ofDetail(read: (detail: Fields) => string | null): Make {
  return (chunk, condition) => {
    const test = jsonTest(condition);
    return (place) => test(read(parse(chunk.detail(place))));
  };
}

const ofField = (name: keyof Fields) =>
  ofShape((shape) => (typeof shape[name] === 'string' ? (shape[name] as string) : null));

/** Whether a text is in the names, the model or the error of an event. */
const ofAnyText: Make = (chunk, condition) => {
  const test = textTest(condition);
  const shapes = chunk.texts('shape');
  const names = ['name', 'agent', 'tool', 'prompt_name'] as const;
  const columns = (['model', 'operation', 'error_code'] as const).map((column) =>
    ofText(column)(chunk, condition),
  );
  const inShape = byCode(shapes.codes, (code) => {
    const shape = parse(shapes.at(code));
    return names.some((name) => test((shape[name] as string | undefined) ?? null));
  });
  const inMessage = TESTS.message(chunk, condition);
  return (place) => columns.some((column) => column(place)) || inShape(place) || inMessage(place);
};

/** Fields that many events share: `packs/fields.ts`. */
const SHAPE_FIELDS = {
  name: 'name',
  agent: 'agent',
  agentVersion: 'agent_version',
  tool: 'tool',
  release: 'release',
  prompt: 'prompt_name',
  promptVersion: 'prompt_version',
  finish: 'finish_reason',
  sdk: 'sdk_version',
} as const satisfies Partial<Record<PlainField, keyof Fields>>;

const ofMessage = ofDetail((detail) => (detail.error_message as string | undefined) ?? null);

const TESTS: Readonly<Record<PlainField, Make>> = {
  model: ofText('model'),
  provider: ofText('provider'),
  environment: ofText('environment'),
  operation: ofText('operation'),
  user: ofText('user_id'),
  session: ofText('session_id'),
  status: ofBytes('status', statusNumbers),
  kind: ofBytes('kind', kindNumbers),
  costStatus: (chunk, condition) => {
    const isStatus = ofBytes('cost_status', (name) => costStatusNumbers(name))(chunk, condition);
    const flags = chunk.bytes('flags');
    return (place) => ((flags[place] as number) & FLAG.call) !== 0 && isStatus(place);
  },
  stream: (chunk, { values }) => {
    const flags = chunk.bytes('flags');
    return (place) =>
      values === undefined || values.includes(String(((flags[place] as number) & FLAG.stream) !== 0));
  },
  key: (chunk, { labels }) => {
    if (labels === undefined) throw new Error('labels were not looked up');
    const numbers = chunk.numbers('label');
    const wanted = new Set(labels);
    return (place) => wanted.has(numbers[place] as number);
  },
  error: ofErrorGroup,
  guardrail: ofGuardrail,
  message: (chunk, condition) => {
    const test = ofMessage(chunk, condition);
    const statuses = chunk.bytes('status');
    return (place) => statuses[place] !== STATUS.success && test(place);
  },
  name: ofField('name'),
  agent: ofField('agent'),
  agentVersion: ofField('agent_version'),
  tool: ofField('tool'),
  release: ofField('release'),
  prompt: ofField('prompt_name'),
  promptVersion: ofField('prompt_version'),
  finish: ofField('finish_reason'),
  sdk: ofField('sdk_version'),
  latency: ofNumber(NUMBER_FIELDS.latency),
  ttft: ofNumber(NUMBER_FIELDS.ttft),
  cost: ofNumber(NUMBER_FIELDS.cost),
  input: ofNumber(NUMBER_FIELDS.input),
  output: ofNumber(NUMBER_FIELDS.output),
  cached: ofNumber(NUMBER_FIELDS.cached),
  reasoning: ofNumber(NUMBER_FIELDS.reasoning),
  tokens: ofNumber(NUMBER_FIELDS.tokens),
  text: ofAnyText,
};
