import type { ContrastQuery } from '../../../contrast.ts';
import type { RowValues } from '../../shared/contrast/values.ts';
import { adderOf, createSums, S } from '../scan/call-sums.ts';
import type { Columns, Selected } from '../scan/select-events.ts';

/** The values of a measure for the calls of a chunk. */
export function rowValues({ columns, mask }: Selected, measure: ContrastQuery['measure']): RowValues {
  const parts = new Float64Array(mask.length);
  const wholes = new Float64Array(mask.length);
  if ('of' in measure) {
    const times = columns.numbers(measure.of === 'latency' ? 'latency_ms' : 'ttft_ms');
    for (let place = 0; place < mask.length; place++) {
      const time = times[place] as number;
      if (mask[place] === 0 || Number.isNaN(time)) continue;
      wholes[place] = 1;
      parts[place] = time > measure.overMs ? 1 : 0;
    }
    return { parts, wholes };
  }
  addSums(columns, mask, { measure, parts, wholes });
  return { parts, wholes };
}

function addSums(
  columns: Columns,
  mask: Uint8Array,
  {
    measure: { part, whole },
    parts,
    wholes,
  }: RowValues & { readonly measure: Exclude<ContrastQuery['measure'], { of: unknown }> },
): void {
  const add = adderOf(columns, whole === null ? [part] : [part, whole]);
  const sums = createSums();
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    sums.fill(0);
    add(sums, place);
    parts[place] = sums[S[part]] as number;
    if (whole !== null) wholes[place] = sums[S[whole]] as number;
  }
}
