import { heapStats } from 'bun:jsc';
import { parseArgs } from 'node:util';
import { injectionTexts } from '../../../src/lib/detect/corpus/injection.ts';
import { piiExamples } from '../../../src/lib/detect/corpus/pii.ts';
import { secretExamples } from '../../../src/lib/detect/corpus/secrets.ts';
import { runLocalGuardrails } from '../../../src/lib/guardrails/run-guardrails.ts';
import { createRandom } from '../../helpers/random.ts';
import { ALL_CHECKS } from './all-checks.ts';

/** Most characters of an input: larger texts are checked on another thread. */
const MAX_LENGTH = 10_000;
/** Pieces that are long, repeated, or almost something that a detector looks for. */
const PIECES = [
  'a@',
  '@a.',
  'a.b.',
  '1-',
  '12 34 ',
  '4539 5787 ',
  '4539578763621486',
  'DE89 3704 ',
  'GB33BUKB',
  '+49 170 ',
  '(555) 123-',
  '%41',
  '%E0%A4',
  'eyJ',
  'eyJhbGciOiJIUzI1NiJ9.',
  'sk-',
  'sk-proj-',
  'AKIA',
  'ghp_',
  'xox',
  'key=',
  'password: ',
  'token ',
  'Bearer ',
  'AAAA',
  'QUFB',
  'c2stcHJvai0',
  '-----BEGIN PRIVATE KEY-----',
  '://',
  'http://a:b@',
  'www.',
  'javascript:',
  '1.2.3.',
  '::',
  'fe80:',
  'ignore ',
  'all previous ',
  'instructions ',
  'born on ',
  'passport no ',
  'order ',
  '\n',
  '\r\n> ',
  '\t',
  ' ',
  '  ',
  '{"a":',
  '[[',
  '"',
  '\\',
  '\u200b',
  '\u202e',
  '\u00e9',
  'e\u0301',
  '\u4e2d\u6587',
  '\u0430',
  '\uff11',
  '\u{1f600}',
  '\u{e0041}',
  '\ud800',
  '\u0660',
  '\u3002',
  '\u00df',
  'x',
  '0',
  '9',
  '.',
  '-',
  '_',
  '/',
  '=',
] as const;

type Random = () => number;

/** Inputs of many kinds: random characters, repeated pieces, damaged examples, and all of them one after the other. */
export function createInputs(random: Random): () => string {
  const examples = [...piiExamples(), ...secretExamples()].map(({ text }) => text);
  examples.push(...injectionTexts.attacks, ...injectionTexts.requests);
  const int = (below: number): number => Math.floor(random() * below);
  const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;
  const repeated = (length: number): string => {
    const unit = Array.from({ length: 1 + int(4) }, () => pick(PIECES)).join('');
    return unit.repeat(Math.ceil(length / unit.length));
  };
  const mixed = (length: number): string => {
    let text = '';
    while (text.length < length) text += random() < 0.2 ? pick(examples) : pick(PIECES);
    return text;
  };
  const characters = (length: number): string => {
    const top = pick([0x7f, 0x24f, 0xffff, 0x1ffff]);
    return Array.from({ length }, () => String.fromCodePoint(int(top) + 1)).join('');
  };
  const damaged = (length: number): string => {
    let text = '';
    while (text.length < length) {
      const own = pick(examples);
      const at = int(own.length);
      text += own.slice(0, at) + pick(PIECES) + own.slice(at + int(3));
    }
    return text;
  };
  return () => {
    // Most are short, some as long as they may be.
    const length = 1 + Math.floor(MAX_LENGTH * random() ** 10);
    return pick([repeated, mixed, characters, damaged])(length).slice(0, MAX_LENGTH);
  };
}

/** CPU time of all threads in milliseconds: other processes do not count. */
const checkOnce = (text: string): number => {
  const started = process.cpuUsage();
  runLocalGuardrails([ALL_CHECKS], text, 'input');
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
};

/** What a run found: the longest CPU time of an input in milliseconds, and how much the heap grew after its first tenth. */
export type FuzzReport = {
  readonly cases: number;
  readonly slowest: number;
  readonly text: string;
  readonly grownBytes: number;
};

/** Checks random texts with all deterministic checks. An input that seems slow is timed again, since others run too. */
export function fuzzChecks(seed: number, cases: number): FuzzReport {
  const next = createInputs(createRandom(seed));
  let slowest = 0;
  let text = '';
  let before = 0;
  for (let i = 0; i < cases; i++) {
    const input = next();
    let took = checkOnce(input);
    for (let again = 0; again < 4 && took > Math.max(slowest, 10); again++)
      took = Math.min(took, checkOnce(input));
    if (took > slowest) [slowest, text] = [took, input];
    if (i === Math.floor(cases / 10)) before = heapAfterCollection();
  }
  return { cases, slowest, text, grownBytes: heapAfterCollection() - before };
}

function heapAfterCollection(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { cases: { type: 'string' }, seed: { type: 'string' } } });
  const total = Number(values.cases ?? 100_000);
  const first = Number(values.seed ?? Date.now() % 1_000_000);
  const step = Math.min(total, 50_000);
  for (let done = 0; done < total; done += step) {
    const { slowest, text, grownBytes } = fuzzChecks(first + done, step);
    const rss = Math.round(process.memoryUsage().rss / 1e6);
    console.log(
      `${done + step} inputs, seed ${first + done}: slowest ${slowest.toFixed(1)} ms (${text.length} characters), heap ${Math.round(grownBytes / 1e3)} kB more, ${rss} MB`,
    );
    if (slowest > 50) console.log(JSON.stringify(text).slice(0, 3_000));
  }
}
