import type { Reader } from '../../../../../db/reader.ts';
import { EVENT_STATUSES } from '../../../contract.ts';
import type { ContrastDimension } from '../../../contrast.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import type { Having, Source } from '../../shared/contrast/values.ts';
import { namedProvider } from '../../shared/metrics/dimensions.ts';
import { type NumberColumn, STATUS, type TextColumn } from '../columns.ts';
import { textOf } from '../labels/label-value.ts';
import type { Fields } from '../packs/fields.ts';
import { codesOfNumber } from '../scan/codes.ts';
import type { Columns } from '../scan/select-events.ts';

/** Reads the columns of one chunk after another; what labels stand for is looked up once. */
export function createSources(reader: Reader): (columns: Columns) => Source[] {
  const labels = new Map<number, readonly Having[]>();
  const havingOf = (label: number): readonly Having[] => {
    const known = labels.get(label);
    if (known !== undefined) return known;
    const [row] = reader.rows('SELECT json FROM event_labels WHERE id = ?', [label]);
    const found = row === undefined ? [] : ofLabel(String(row[0]));
    labels.set(label, found);
    return found;
  };
  return (columns) => [
    ofText(columns, 'model', 'model'),
    ofText(columns, 'provider', 'provider'),
    ofText(columns, 'environment', 'environment'),
    ofText(columns, 'user_id', 'userId'),
    ofErrors(columns),
    ofShapes(columns),
    ofNumbers(columns, 'label', havingOf),
  ];
}

function ofText(columns: Columns, column: TextColumn, dimension: ContrastDimension): Source {
  const { codes, at } = columns.texts(column);
  if (dimension === 'provider')
    return { codes, valuesOf: (code) => valued(dimension, namedProvider(at(code))) };
  return { codes, valuesOf: (code) => valued(dimension, at(code)) };
}

const valued = (dimension: ContrastDimension, value: unknown): Having[] =>
  typeof value === 'string' && value !== '' ? [[dimension, value]] : [];

const FAILED = new Set<number>(FAILED_STATUSES.map((name) => STATUS[name]));
const STATUSES = EVENT_STATUSES.length;

/** The error group of failed calls: the code, or the status of those without one. */
function ofErrors(columns: Columns): Source {
  const errors = columns.texts('error_code');
  const statuses = columns.bytes('status');
  const codes = new Uint32Array(statuses.length);
  for (let place = 0; place < codes.length; place++) {
    const status = statuses[place] as number;
    if (FAILED.has(status)) codes[place] = (errors.codes[place] as number) * STATUSES + status + 1;
  }
  return {
    codes,
    valuesOf(code) {
      if (code === 0) return [];
      const text = errors.at(Math.floor((code - 1) / STATUSES));
      return valued('errorCode', text || EVENT_STATUSES[(code - 1) % STATUSES]);
    },
  };
}

function ofShapes(columns: Columns): Source {
  const { codes, at } = columns.texts('shape');
  return {
    codes,
    valuesOf(code) {
      const json = at(code);
      if (json === null) return [];
      const {
        release,
        agent,
        tool,
        prompt_name: prompt,
        prompt_version: version,
      } = JSON.parse(json) as Fields;
      return [
        ...valued('release', release),
        ...valued('agent', agent),
        ...valued('tool', tool),
        ...valued('promptName', prompt),
        ...(typeof prompt === 'string' && typeof version === 'string'
          ? valued('promptVersion', `${prompt}@${version}`)
          : []),
      ];
    },
  };
}

function ofNumbers(
  columns: Columns,
  column: NumberColumn,
  valuesOf: (value: number) => readonly Having[],
): Source {
  const { codes, valueAt } = codesOfNumber(columns, column);
  return { codes, valuesOf: (code) => valuesOf(Number(valueAt(code))) };
}

/** A label is the JSON of `[key, tags]`. */
function ofLabel(json: string): Having[] {
  const [key, tags] = JSON.parse(json) as [string | null, Record<string, unknown> | string | null];
  const own = valued('keyId', key);
  if (tags === null || typeof tags === 'string') return own;
  return [...own, ...Object.entries(tags).flatMap(([name, value]) => valued(`tag:${name}`, textOf(value)))];
}
