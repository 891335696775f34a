import { describe, expect, test } from 'bun:test';
import { chooseVersion, type WeightedVersion } from '../../../src/lib/prompts/choose-version.ts';
import { expandIncludes, type Included } from '../../../src/lib/prompts/expand-includes.ts';
import { renderPrompt } from '../../../src/lib/prompts/fill-template.ts';
import {
  formatTemplate,
  type Part,
  parseTemplate,
  TemplateError,
} from '../../../src/lib/prompts/parse-template.ts';
import type { VariableNames } from '../../../src/sdk/prompts/variable-names.ts';
import { cpuMs } from '../../helpers/cpu.ts';
import { randomBelow } from '../../helpers/random.ts';

const render = (template: string, values: Record<string, unknown> = {}): string =>
  renderPrompt({ template }, values);
const message = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
  return 'no error';
};

describe('a template', () => {
  test.each([
    ['Hi {{name}}', { name: 'Ada' }, 'Hi Ada'],
    ['{{ name }}{{name}}', { name: 'A' }, 'AA'],
    ['{"id": {{{id}}}}', { id: 1 }, '{"id": {1}}'],
    ["{{'{{'}}name}}", {}, '{{name}}'],
    ['a } b }} c { d', {}, 'a } b }} c { d'],
    ['{{größe}} {{a.b-c_1}}', { größe: 2, 'a.b-c_1': true }, '2 true'],
    ['{{o}} {{empty}}|', { o: { a: [1] }, empty: '' }, '{"a":[1]} |'],
    ['{{a}}', { a: '{{b}} {{> c}}', b: 'never' }, '{{b}} {{> c}}'],
    ['{{constructor}}', { constructor: 'own' }, 'own'],
  ])('%s', (template, values, expected) => {
    expect(render(template, values)).toBe(expected);
  });

  test.each([
    ['{{name', /\{\{ in line 1 is never closed/],
    ['a\nb {{if x}}', /\{\{if x\}\} in line 2 is neither a variable/],
    ['{{}}', /neither/],
    ['{{> }}', /neither/],
    ['{{ a\nb }}', /neither/],
    [`{{${'x'.repeat(500)}}}`, /neither/],
  ])('%s is refused with its line', (template, expected) => {
    expect(message(() => parseTemplate(template))).toMatch(expected);
  });

  test('names every variable without a value, and takes none from the prototype', () => {
    expect(message(() => render('{{a}} {{b}}', { a: null }))).toBe(
      'The variables a, b have no value; pass them, or an empty string',
    );
    expect(message(() => render('{{toString}}'))).toMatch(/The variable toString has no value/);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(message(() => render('{{a}}', { a: circular }))).toMatch(
      /The value of a can't be written as text/,
    );
    expect(message(() => render('{{a}}', { a: () => 1 }))).toMatch(/can't be written as text/);
  });

  test('is the same after it was formatted, for random parts', () => {
    const below = randomBelow();
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const pieces = ['{', '}', '{{', '}}', "'{{'", ' ', 'a', '\n', '\\', '> x'];
    for (let round = 0; round < 500; round++) {
      const parts: Part[] = Array.from({ length: 1 + below(6) }, () =>
        below(3) === 0
          ? { kind: 'variable', name: 'v' }
          : { kind: 'text', text: Array.from({ length: 1 + below(5) }, () => pick(pieces)).join('') },
      );
      const text = formatTemplate(parts);
      const expected = parts.map((part) => (part.kind === 'text' ? part.text : '<v>')).join('');
      expect(render(text, { v: '<v>' })).toBe(expected);
    }
  });
});

/** Most CPU of one template, in milliseconds. */
const MOST_MS = 50;

/** What a work says and its CPU: of three tries the fastest, so that garbage of other tests does not count. */
function measured(act: () => unknown): { readonly text: string; readonly ms: number } {
  let text = '';
  let ms = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && ms >= MOST_MS; i++) {
    const took = cpuMs(() => {
      text = message(act);
    });
    ms = Math.min(ms, took);
  }
  return { text, ms };
}

const texts =
  (library: Record<string, string>) =>
  (name: string): Included => {
    const text = library[name];
    if (text === undefined) throw new TemplateError(`{{> ${name}}}: there is no prompt ${name}`);
    return { id: name, parts: parseTemplate(text) };
  };
const expandText = (template: string, library: Record<string, string>): string =>
  expandIncludes([parseTemplate(template)], 'root', texts(library))
    .map(formatTemplate)
    .join('');

describe('includes', () => {
  test('are resolved at any depth, and their variables join', () => {
    const library = { a: 'A {{x}} {{> b}}', b: "B {{y}} {{'{{'}}" };
    expect(expandText('> {{> a}} <', library)).toBe("> A {{x}} B {{y}} {{'{{'}} <");
  });

  test.each([
    ['a cycle', { a: '{{> b}}', b: '{{> a}}' }, /form a cycle: \{\{> a\}\} → \{\{> b\}\} → \{\{> a\}\}/],
    ['itself', { a: '{{> root}}', root: 'x' }, /form a cycle/],
    ['a missing one', { a: '{{> gone}}' }, /there is no prompt gone/],
  ])('%s is refused with the way to it', (_name, library, expected) => {
    expect(message(() => expandText('{{> a}}', library as Record<string, string>))).toMatch(expected);
  });

  test('hostile libraries end in an error, quickly', () => {
    const deep = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`d${i}`, `{{> d${i + 1}}}`]));
    const wide = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`w${i}`, `{{> w${i + 1}}}`.repeat(1_000)]),
    );
    const huge = { h: 'x'.repeat(190_000) };
    const hostile: (() => unknown)[] = [
      () => expandText('{{> d0}}', deep),
      () => expandText('{{> w0}}', { ...wide, w8: 'x' }),
      () => expandText('{{> h}}'.repeat(150), huge),
      () => parseTemplate('{{'.repeat(100_000)),
      () => parseTemplate(`${'{'.repeat(190_000)}}}`),
      () => parseTemplate('{{a}}'.repeat(40_000)),
      () => parseTemplate('x'.repeat(300_000)),
      () => parseTemplate(`{{>${' '.repeat(380)}}}`.repeat(500)),
      () => render('{{a}}'.repeat(2_000), { a: 'x'.repeat(100_000) }),
      () => render(Array.from({ length: 2_001 }, (_, i) => `{{v${i}}}`).join('')),
    ];
    for (const [place, act] of hostile.entries()) {
      const { text, ms } = measured(act);
      expect([place, text]).not.toEqual([place, 'no error']);
      expect([place, ms < MOST_MS || ms]).toEqual([place, true]);
    }
  });

  // The long form: TEMPLATE_ROUNDS=20000.
  test('random libraries are read or refused, each within 50 ms, never anything else', () => {
    const below = randomBelow();
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const names = ['a', 'b', 'c', 'd', 'root'];
    const pieces = [
      ...['{{', '}}', '{', '}', '>', '@', ' ', 'a', "'", '\n', '\u0000', '😀', '\ud800', '> a@b', '{{v}}'],
      ...names.flatMap((name) => [`{{> ${name}}}`, `{{> ${name}@2}}`]),
    ];
    const text = (): string => {
      const few = Array.from({ length: below(30) }, () => pick(pieces)).join('');
      // One of fifty is huge.
      return below(50) === 0 ? few.repeat(1 + below(3_000)) : few;
    };
    const seen = { read: 0, refused: 0, slowest: 0 };
    for (let round = 0; round < Number(process.env.TEMPLATE_ROUNDS ?? 2_000); round++) {
      const library = Object.fromEntries(names.map((name) => [name, text()]));
      const template = text();
      const { text: said, ms } = measured(() => render(expandText(template, library), { v: template, a: 1 }));
      if (said === 'no error') seen.read++;
      else seen.refused++;
      seen.slowest = Math.max(seen.slowest, ms);
      if (ms >= MOST_MS) throw new Error(`round ${round} took ${ms} ms`);
    }
    expect(seen.read).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
    if (process.env.TEMPLATE_ROUNDS !== undefined) console.log(JSON.stringify(seen));
  });
});

describe('a weighted split', () => {
  const KEYS = Array.from({ length: 100_000 }, (_, i) => `user-${i}`);
  const shares = (split: readonly WeightedVersion[], name = 'support/triage'): Map<number, string[]> =>
    Map.groupBy(KEYS, (key) => chooseVersion(split, name, key).version);

  test.each([[[1, 1]], [[90, 10]], [[1, 2, 3, 4]], [[0.5, 99.5]], [[1_000_000, 1]]])(
    'of %p gives each version its share of 100,000 keys, within 1 percent of them',
    (weights) => {
      const split = weights.map((weight, i) => ({ version: i + 1, weight }));
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const found = shares(split);
      for (const { version, weight } of split) {
        const share = (found.get(version)?.length ?? 0) / KEYS.length;
        expect(Math.abs(share - weight / total)).toBeLessThan(0.01);
      }
    },
  );

  test('moves only keys to a version that is added, and only those of one that is removed', () => {
    const two = [
      { version: 3, weight: 60 },
      { version: 4, weight: 40 },
    ];
    const three = [...two, { version: 9, weight: 25 }];
    for (const key of KEYS.slice(0, 20_000)) {
      const [before, after] = [chooseVersion(two, 'p', key).version, chooseVersion(three, 'p', key).version];
      if (after !== 9) expect(after).toBe(before);
      expect(chooseVersion(three.toReversed(), 'p', key).version).toBe(after);
    }
  });

  test('more weight only takes keys from others, and prompts are divided independently', () => {
    const at = (weight: number) => [
      { version: 1, weight: 50 },
      { version: 2, weight },
    ];
    let both = 0;
    for (const key of KEYS.slice(0, 20_000)) {
      if (chooseVersion(at(50), 'p', key).version === 2)
        expect(chooseVersion(at(80), 'p', key).version).toBe(2);
      if (chooseVersion(at(50), 'p', key).version === chooseVersion(at(50), 'q', key).version) both++;
    }
    expect(Math.abs(both / 20_000 - 0.5)).toBeLessThan(0.02);
  });
});

test('the variables of a literal are its type', () => {
  type Names = VariableNames<"Hi {{name}}, {{ place }} {{> other}} {{'{{'}} {{{id}}}">;
  const names: Names[] = ['name', 'place', 'id'];
  // @ts-expect-error: the literal has no such variable
  const wrong: Names = 'other';
  const any: VariableNames<string> = 'whatever';
  expect([...names, wrong, any].length).toBe(5);
});
