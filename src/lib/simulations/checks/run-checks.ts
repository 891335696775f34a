import type { Check, Verdict } from '../definition.ts';
import { type Checked, type CompiledCheck, compileCheck } from './compile-check.ts';

/** Checks that take longer let other work run in between. */
const SLICE_MS = 10;

/** Checks are prepared once for each suite. */
const compiled = new WeakMap<Check, CompiledCheck>();

/** What checks say of an answer, in their order and in slices of some milliseconds. None asks a guardrail of the project. */
export function* verdictsOf(checks: readonly Check[], checked: Checked): Generator<Verdict[], void, void> {
  let verdicts: Verdict[] = [];
  let since = performance.now();
  for (const check of checks) {
    const ready = compiled.get(check) ?? compileCheck(check);
    compiled.set(check, ready);
    if (ready.run !== null) verdicts.push(ready.run(checked));
    if (performance.now() - since < SLICE_MS) continue;
    yield verdicts;
    verdicts = [];
    since = performance.now();
  }
  yield verdicts;
}
