import type { WantedDefinition } from '../../scores/index.ts';
import type { EvaluatorRules } from '../config/contract.ts';

const yesNo = { type: 'boolean', min: null, max: null, categories: null, direction: 'higher' } as const;
const number = { ...yesNo, type: 'numeric' } as const;

/** What the scores of an evaluator are. */
export function definitionOf(rules: EvaluatorRules, name: string): WantedDefinition {
  switch (rules.kind) {
    case 'judge':
    case 'webhook':
      return { name, ...rules.output };
    case 'similarity':
      return { name, ...number, min: 0, max: 1 };
    case 'latency':
      return rules.config.maxMs === undefined ? { name, ...number, direction: 'lower' } : { name, ...yesNo };
    case 'cost':
      return rules.config.maxUsd === undefined ? { name, ...number, direction: 'lower' } : { name, ...yesNo };
    default:
      return { name, ...yesNo };
  }
}
