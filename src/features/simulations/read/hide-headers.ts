import type { Suite, Target } from '../../../lib/simulations/definition.ts';
import { toYaml } from '../change/suite-text.ts';
import type { SimulationDetail } from '../contract.ts';

/** What viewers see of a header whose value names no secret of the suite: it may be one itself. */
const HIDDEN = '(hidden)';

/** A suite without the values of headers that may be credentials; its text is made anew where there are some. */
export function hideHeaders(detail: SimulationDetail): SimulationDetail {
  const suite = detail.suite as unknown as Suite;
  const shown = {
    ...suite,
    ...(suite.target && { target: ofTarget(suite.target) }),
    scenarios: suite.scenarios.map((one) => ({
      ...one,
      ...(one.target && { target: ofTarget(one.target) }),
    })),
  };
  if (Bun.deepEquals(shown, suite)) return detail;
  return { ...detail, suite: shown as unknown as Record<string, unknown>, source: toYaml(shown) };
}

function ofTarget(target: Target): Target {
  if (!('headers' in target) || target.headers === undefined) return target;
  const headers = Object.entries(target.headers).map(([name, text]) => [name, ofHeader(text)]);
  return { ...target, headers: Object.fromEntries(headers) };
}

/** `Bearer ${AGENT_KEY}` has no secret in it; `Bearer abc` and `abc${REST}` have. */
const ofHeader = (text: string): string => (/^(\w+ +)?\$\{[A-Z][A-Z0-9_]*\}$/.test(text) ? text : HIDDEN);
