import type { Recommendation, RecommendationKind } from '../../src/features/ai/recommendations/contract.ts';
import { moneyText, numberText } from '../../src/lib/figures.ts';
import { money, number } from '../format.ts';
import { shortTime, span } from '../moment.ts';
import type { Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { facts, section, warnLeftOut } from '../report/pieces.ts';
import { wrap } from './wrap.ts';

/** What has to change in the application that makes the calls. */
const CHANGES: Readonly<Record<RecommendationKind, string>> = {
  'failed-calls': 'Mend what makes these calls fail, or retry them fewer times.',
  'unused-output': 'Cancel earlier, or ask for less output with a maximum of tokens.',
  'repeated-prompts': 'Keep the answer of a prompt and use it again.',
  'context-tier': 'Send less input: below the tier of the model all tokens are cheaper.',
  'cache-gap': 'Put what stays the same at the start of the prompt, so that the prompt cache serves it.',
  batch: "Send these calls to the provider's batch API.",
  'cheaper-model': 'Change the model of these calls, and compare both in an experiment first.',
};

const CONFIDENCE = {
  high: 'paid for nothing',
  medium: 'exact, if the calls allow it',
  low: 'test first',
} as const;

/** What to do about a recommendation in one's own code, wrapped. */
export const printChange = (output: Output, { kind }: Recommendation): void => {
  for (const line of wrap(CHANGES[kind], output.columns)) output.line(line);
};

/** A recommendation with its evidence, what it can become, and what it saved. */
export function printRecommendation(output: Output, one: Recommendation): void {
  const { title, basis, monthlyUsd, range, confidence, evidence, query, documents, id, state } = one;
  for (const line of wrap(title, output.columns)) output.line(tinted(line, 'bold'));
  output.raw('\n');
  facts(output, [
    { label: 'Id', value: { text: id } },
    { label: 'State', value: { text: state } },
    {
      label: 'Saving in 30 days',
      value: money(monthlyUsd),
      note: `${moneyText(range.lowUsd)} to ${moneyText(range.highUsd)}`,
    },
    { label: 'Confidence', value: { text: confidence }, note: CONFIDENCE[confidence] },
    { label: 'Calls', value: number(evidence.calls) },
    { label: 'Cost', value: money(evidence.costUsd) },
    { label: 'Output tokens each', value: number(Math.round(evidence.outputTokensAvg)) },
  ]);
  output.raw('\n');
  for (const line of wrap(basis, output.columns)) output.line(line);
  section(output, 'Calls', span(Date.parse(query.start), Date.parse(query.end)));
  for (const line of wrap(query.filter, output.columns)) output.line(line);
  section(output, 'In your application');
  printChange(output, one);
  if (state !== 'open') {
    printDecision(output, one);
    return;
  }
  section(output, 'Or watch it');
  for (const { as } of documents)
    output.line(`spanledger recommendations apply ${id.slice(0, 12)} --as ${as}`);
}

function printDecision(output: Output, { decision, saved }: Recommendation): void {
  if (decision === null) return;
  const as = decision.as === null || decision.as === 'change' ? '' : ` as ${decision.as}`;
  section(
    output,
    `${decision.as === null ? 'Dismissed' : 'Applied'}${as}`,
    `${shortTime(Date.parse(decision.at))}${decision.by === null ? '' : `, ${decision.by}`}`,
  );
  for (const line of wrap(decision.reason ?? '', output.columns)) output.line(line);
  if (saved === null) return;
  const { savedUsd, beforeUsdPerDay, afterUsdPerDay, beforeCallsPerDay, afterCallsPerDay, days } = saved;
  const why =
    saved.deletedBefore === undefined ? 'known after a day' : 'unknown: retention has deleted calls';
  const calls = (count: number): string => `${numberText(Math.round(count))} calls`;
  facts(output, [
    {
      label: 'Saved',
      value: money(savedUsd),
      note: savedUsd === null ? why : `in ${numberText(Math.round(days))} days`,
    },
    { label: 'A day before', value: money(beforeUsdPerDay), note: calls(beforeCallsPerDay) },
    { label: 'A day since', value: money(afterUsdPerDay), note: calls(afterCallsPerDay) },
  ]);
  warnLeftOut(output, { countedWhole: saved.countedWhole });
}
