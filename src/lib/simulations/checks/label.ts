import type { Check, Criterion } from '../definition.ts';

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const some = (texts: string | readonly string[]): string => {
  const list = typeof texts === 'string' ? [texts] : texts;
  const shown = list.slice(0, 2).map((one) => JSON.stringify(short(one)));
  return list.length > 2 ? `${shown.join(', ')} and ${list.length - 2} more` : shown.join(', ');
};

/** A check or criterion in words. */
export function labelOf(check: Check | Criterion): string {
  switch (check.kind) {
    case 'contains':
      return `${{ all: 'contains', any: 'contains any of', none: 'does not contain' }[check.mode ?? 'all']} ${some(check.texts)}`;
    case 'regex':
      return `${check.mode === 'absent' ? 'does not match' : 'matches'} /${short(check.pattern)}/`;
    case 'json_schema':
      return 'is JSON of the schema';
    case 'tool_call': {
      const { tool, arguments: given, mode = 'every' } = check;
      const name = `${tool}(${given === undefined ? '' : short(JSON.stringify(given))})`;
      return mode === 'never' ? `does not call ${name}` : `calls ${name}`;
    }
    case 'guardrail':
      return check.detect === undefined
        ? `passes the guardrail ${check.name}`
        : `has no ${check.detect.replaceAll('_', ' ')}`;
    case 'leak':
      return check.texts === undefined ? 'shows no system prompt' : 'does not repeat secret text';
    case 'latency':
      return `within ${check.maxMs} ms`;
    case 'cost':
      return `at most $${check.maxUsd}`;
    case 'judge':
      return short(check.criterion);
  }
}
