import { readJsonSchema } from '../../detect/content/json-schema.ts';
import { compilePattern } from '../../detect/content/pattern.ts';
import { viewsOf } from '../../detect/text/views.ts';
import { compileCheck as compileDetector } from '../../guardrails/compile-check.ts';
import type { LocalCheck } from '../../guardrails/definition.ts';
import { budgetOf } from '../../pace/budget.ts';
import { containsText } from '../../text/contains-text.ts';
import type { Check, ToolCall, Verdict } from '../definition.ts';
import { labelOf } from './label.ts';
import { createLeakCheck } from './leak.ts';
import { judgeCalls } from './tool-calls.ts';

/** What a check looks at: an answer, or all of a conversation. Costs in USD, null if unknown. */
export type Checked = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly latencyMs: number;
  readonly costUsd: number | null;
  /** All that the user has said so far: what is repeated from it is no leak. */
  readonly said: readonly string[];
};

/** A check, ready to run. Guardrails of the project need a server: null. */
export type CompiledCheck = { readonly label: string; readonly run: ((checked: Checked) => Verdict) | null };

const MAX_TEXT = 1_000_000;
const TOO_LONG = 'the answer has more than a million characters';
/** Most milliseconds that a search for a pattern may take. */
const PATTERN_MS = 50;

type Found = { readonly passed: boolean; readonly reason: string | null };
const pass: Found = { passed: true, reason: null };
const fail = (reason: string): Found => ({ passed: false, reason });
const quoted = (list: readonly string[]): string =>
  list
    .slice(0, 3)
    .map((one) => JSON.stringify(one.length > 80 ? `${one.slice(0, 80)}…` : one))
    .join(', ');

export const listOf = (given: string | readonly string[]): readonly string[] =>
  typeof given === 'string' ? [given] : given;

type Of<K extends Check['kind']> = Extract<Check, { readonly kind: K }>;
type Compilers = { readonly [K in Check['kind']]: (check: Of<K>) => ((checked: Checked) => Found) | null };

const COMPILERS: Compilers = {
  contains({ texts, mode = 'all', ignoreCase = false }) {
    const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
    const sought = listOf(texts);
    return ({ text }) => {
      const within = fold(text);
      const found = sought.filter((one) => containsText(within, fold(one)));
      if (mode === 'none') return found.length === 0 ? pass : fail(`found ${quoted(found)}`);
      if (mode === 'any') return found.length > 0 ? pass : fail(`without ${quoted(sought)}`);
      const missing = sought.filter((one) => !found.includes(one));
      return missing.length === 0 ? pass : fail(`without ${quoted(missing)}`);
    };
  },
  regex({ pattern, mode = 'matches', ignoreCase = false }) {
    const compiled = compilePattern(pattern, ignoreCase ? 'is' : 's');
    return ({ text }) => {
      if (text.length > MAX_TEXT) return fail(TOO_LONG);
      const isFound = compiled.test(text, budgetOf(PATTERN_MS));
      if (mode === 'matches') return isFound ? pass : fail('no match');
      const [first] = isFound ? compiled.find(text, PATTERN_MS) : [];
      if (first !== undefined) return fail(`found ${quoted([text.slice(first.start, first.end)])}`);
      return isFound ? fail('found an empty match') : pass;
    };
  },
  json_schema({ schema }) {
    const { check } = readJsonSchema(schema);
    return ({ text }) => {
      const value = parseJson(text);
      if (value === undefined) return fail('the answer is not JSON');
      const [first] = check(value);
      return first === undefined
        ? pass
        : fail(`${first.path === '' ? 'it' : first.path} breaks ${first.keyword}`);
    };
  },
  tool_call(check) {
    return ({ toolCalls }) => {
      const reason = judgeCalls(check, toolCalls);
      return reason === null ? pass : fail(reason);
    };
  },
  guardrail({ detect, config = {} }) {
    if (detect === undefined) return null;
    const { run } = compileDetector({ kind: detect, config, action: 'block' } as LocalCheck);
    return ({ text, said }) => {
      if (text.length > MAX_TEXT) return fail(TOO_LONG);
      const { isHit, matches } = run(text, () => viewsOf(text));
      if (!isHit) return pass;
      const own = said.join('\n');
      const others = matches.filter(
        ({ start, end }) => end - start === text.length || !own.includes(text.slice(start, end)),
      );
      if (others.length === 0) return pass;
      return fail(`found ${[...new Set(others.map(({ type }) => type))].slice(0, 10).join(', ')}`);
    };
  },
  leak(check) {
    const find = createLeakCheck({ ...check, texts: check.texts === undefined ? [] : listOf(check.texts) });
    return ({ text, said }) => {
      if (text.length > MAX_TEXT) return fail(TOO_LONG);
      const found = find(text, said);
      return found === null ? pass : fail(`repeats ${quoted([found])}`);
    };
  },
  latency({ maxMs }) {
    return ({ latencyMs }) => (latencyMs <= maxMs ? pass : fail(`took ${Math.round(latencyMs)} ms`));
  },
  cost({ maxUsd }) {
    return ({ costUsd }) => {
      if (costUsd === null) return fail('the cost is not known');
      return costUsd <= maxUsd ? pass : fail(`cost $${Number(costUsd.toPrecision(6))}`);
    };
  },
};

/**
 * Prepares a check once, for all answers.
 * @throws Error that says what is wrong with its settings
 */
export function compileCheck(check: Check): CompiledCheck {
  const compile = COMPILERS[check.kind] as (given: Check) => ((checked: Checked) => Found) | null;
  const run = compile(check);
  const label = labelOf(check);
  return { label, run: run === null ? null : (checked) => ({ check: label, ...safely(run, checked) }) };
}

/** A pattern or schema that takes too long fails its check, not the run. */
function safely(run: (checked: Checked) => Found, checked: Checked): Found {
  try {
    return run(checked);
  } catch (error) {
    return fail(error instanceof Error ? error.message : 'could not be checked');
  }
}

/** Models wrap JSON in a code fence. */
function parseJson(text: string): unknown {
  const inside = text
    .trim()
    .replace(/^```\w{0,10}\s*/, '')
    .replace(/```$/, '');
  try {
    return JSON.parse(inside);
  } catch {
    return undefined;
  }
}
