import { type Check, LOCAL_KINDS } from '../../../src/lib/guardrails/definition.ts';
import { type CompiledGuardrail, compileGuardrail } from '../../../src/lib/guardrails/run-guardrails.ts';

const configs = (
  pattern: string,
): { readonly [K in (typeof LOCAL_KINDS)[number]]: Extract<Check, { kind: K }>['config'] } => ({
  pii: { countries: ['US', 'DE', 'GB', 'FR'] },
  secrets: {},
  prompt_injection: {},
  regex: { pattern },
  keywords: { words: ['falcon', 'project x', 'geheim'] },
  length: { maxWords: 1_000_000 },
  json_schema: { schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a|aa)+$' } } } },
  urls: { deny: ['evil.example'], allow: ['example.com'] },
  language: { allow: ['en'] },
});

/** A guardrail with every check that needs nothing but the text. */
export const allChecks = (pattern: string): CompiledGuardrail => {
  const config = configs(pattern);
  return compileGuardrail({
    name: 'all',
    version: 1,
    stage: 'both',
    checks: LOCAL_KINDS.map((kind) => ({ kind, config: config[kind], action: 'flag' }) as Check),
    failureMode: 'closed',
    environments: [],
    sampleRate: 1,
    enabled: true,
  });
};

/** With a pattern that would take for ever by backtracking. */
export const ALL_CHECKS = allChecks('(order|case)[- ]?\\d{3,10}|(a+)+b');
