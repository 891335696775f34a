import { parseArgs } from 'node:util';
import { injectionTexts } from '../../../src/lib/detect/corpus/injection.ts';
import { languageTexts } from '../../../src/lib/detect/corpus/languages.ts';
import { piiExamples } from '../../../src/lib/detect/corpus/pii.ts';
import { secretExamples } from '../../../src/lib/detect/corpus/secrets.ts';
import { runLocalGuardrails } from '../../../src/lib/guardrails/run-guardrails.ts';
import { createRandom } from '../../helpers/random.ts';
import { allChecks } from './all-checks.ts';

const LENGTH = 10_000;
/** Texts of each kind that are checked before the first one is timed, as in a server that has run for a while. */
const WARM_UP = 60;

/** Texts of 10,000 characters by what they are made of. */
export function createTexts(random: () => number): Readonly<Record<string, () => string>> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const fill = (next: () => string, between = ' '): string => {
    let text = '';
    while (text.length < LENGTH) text += `${next()}${between}`;
    return text.slice(0, LENGTH);
  };
  const pii = piiExamples().map(({ text }) => text);
  const secrets = secretExamples().map(({ text }) => text);
  const prose = [...injectionTexts.requests, ...Object.values(languageTexts).flat()];
  const latin = [...(languageTexts.en ?? []), ...(languageTexts.de ?? []), ...injectionTexts.requests];
  const ofType = (type: string): string[] =>
    [...piiExamples(), ...secretExamples()].flatMap(({ text, expected }) =>
      expected.filter((one) => one.type === type).map(({ start, end }) => text.slice(start, end)),
    );
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
  const repeated =
    (type: string, between = ' ') =>
    (): string => {
      const values = ofType(type);
      return fill(() => pick(values), between);
    };
  return {
    prose: () => fill(() => pick(latin)),
    'prose of many scripts': () => fill(() => pick(prose)),
    'prose with a few hits': () => fill(() => (random() < 0.05 ? pick([...pii, ...secrets]) : pick(latin))),
    'personal data': () => fill(() => pick(pii)),
    credentials: () => fill(() => pick(secrets)),
    'all examples': () => fill(() => pick([...pii, ...secrets, ...injectionTexts.attacks])),
    'all examples in lines': () => fill(() => pick([...pii, ...secrets, ...injectionTexts.attacks]), '\n'),
    attacks: () => fill(() => pick(injectionTexts.attacks)),
    emails: repeated('email', ', '),
    cards: repeated('card', '\n'),
    'IBANs only': repeated('iban', '\n'),
    'phone numbers': repeated('phone', '; '),
    'keys of OpenAI': repeated('openai_key', '\n'),
    'web tokens': repeated('jwt', '\n'),
    'numbers in a table': () =>
      fill(() => `${digits(4)} ${digits(9)} ${digits(16)} ${digits(2)}.${digits(2)}`, '\n'),
    'a log': () =>
      fill(
        () =>
          `2026-03-0${digits(1)}T12:${digits(2)}:01.${digits(3)}Z INFO 10.0.${digits(2)}.${digits(2)} GET /v1/users/${digits(9)}?token=abc&id=${digits(12)} 200 ${digits(3)}ms`,
        '\n',
      ),
    'JSON records': () =>
      fill(
        () =>
          JSON.stringify({
            id: digits(8),
            user: { name: 'Ann Lee', active: true },
            tags: ['a', 'b'],
            at: 1.5,
          }),
        ',',
      ),
    links: () => fill(() => `https://www.example.com/a/b/${digits(6)}?q=${digits(3)}&u=x.example.org`, ' '),
    'pieces of Base64': () => fill(() => base64(pick(latin)), '\n'),
    'one piece of Base64': () => base64(fill(() => pick(latin)).slice(0, 7_400)).slice(0, LENGTH),
    'percent encoding': () => fill(() => encodeURIComponent(pick(prose)), '&'),
    'full width': () =>
      fill(() => pick([...pii]).replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))),
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Times = { readonly wall: number; readonly cpu: number };

/** Milliseconds that a check takes, and those of all threads: the engine collects garbage and compiles beside it. */
function timed(run: () => void): Times {
  const usage = process.cpuUsage();
  const started = performance.now();
  run();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(usage);
  return { wall, cpu: (user + system) / 1_000 };
}

/** A text in one piece, as requests bring it. */
const flat = (text: string): string => Buffer.from(text).toString();

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2).padStart(6);
  const mean = (sorted.reduce((sum, one) => sum + one, 0) / sorted.length).toFixed(2).padStart(6);
  return `mean ${mean}  p50 ${at(0.5)}  p99 ${at(0.99)}`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
  });
  const rounds = Number(values.rounds ?? 300);
  const seed = Number(values.seed ?? 1);
  const kinds = Object.entries(createTexts(createRandom(seed))).filter(([name]) =>
    name.includes(values.only ?? ''),
  );
  const guardrail = allChecks('(order|case)[- ]?\\d{3,10}');
  const check = (text: string): void => void runLocalGuardrails([guardrail], text, 'input');
  for (const [, next] of kinds) for (let i = 0; i < WARM_UP; i++) check(flat(next()));
  for (const [name, next] of kinds) {
    const texts = Array.from({ length: rounds }, () => flat(next()));
    // What making the texts left behind is not the checks' to collect.
    Bun.gc(true);
    const took = texts.map((text) => timed(() => check(text)));
    const [wall, cpu] = [took.map((one) => one.wall), took.map((one) => one.cpu)];
    console.log(`${name.padEnd(24)} ${summary(wall)} ms  CPU of all threads: ${summary(cpu)} ms`);
  }
}
