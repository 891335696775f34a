import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { lookAt, MOST_COLOURS, SECOND_ROUND } from '../../../src/dashboard/ui/charts/colours.ts';

type Variables = Readonly<Record<string, string>>;
// By its path: the types of the theme's library would change those of every test.
const { cssVariables } = (await import(join(import.meta.dir, '../../../src/dashboard/shell/theme.ts'))) as {
  cssVariables: () => { readonly light: Variables; readonly dark: Variables };
};

type Three = readonly [number, number, number];

const linear = (hex: string): Three => {
  const of = (at: number): number => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [of(1), of(3), of(5)];
};

/** Source: Ottosson, "A perceptual color space for image processing" (2020). */
function toOklab([r, g, b]: Three): Three {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function luminance([L, a, b]: Three): number {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mixed = (a: Three, b: Three, share: number): Three => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

const contrast = (one: Three, other: Three): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

for (const scheme of ['light', 'dark'] as const)
  test(`${MOST_COLOURS} series and all others are told apart, and stand out from a ${scheme} panel`, () => {
    const variables = cssVariables()[scheme];
    const colourOf = (css: string): Three => {
      const name = /var\((--sl-chart-\w+)\)/.exec(css)?.[1] ?? '';
      const own = toOklab(linear(variables[name] ?? ''));
      const text = toOklab(linear(variables['--mantine-color-text'] ?? ''));
      return css.startsWith('color-mix') ? mixed(own, text, SECOND_ROUND) : own;
    };
    const panel = toOklab(linear(variables['--sl-panel'] ?? ''));
    const places = Array.from({ length: MOST_COLOURS }, (_, place) => lookAt(place).color);
    const colours = [...places, 'var(--sl-chart-rest)'].map(colourOf);
    for (const [place, colour] of colours.entries()) {
      expect([place, contrast(colour, panel) >= 3]).toEqual([place, true]);
      for (const [other, second] of colours.slice(0, place).entries()) {
        const apart = Math.hypot(...colour.map((part, axis) => part - (second[axis] ?? 0)));
        // In Oklab 0.02 is a difference that is just noticed side by side.
        expect([place, other, Math.round(apart * 1_000) >= 50]).toEqual([place, other, true]);
      }
    }
  });

test('lines beyond these have dashes', () => {
  const looks = Array.from({ length: 4 * 6 }, (_, place) => JSON.stringify(lookAt(place)));
  expect(new Set(looks).size).toBe(looks.length);
  expect(lookAt(MOST_COLOURS - 1).dash).toBeUndefined();
  expect(lookAt(MOST_COLOURS).dash).toBe('2 3');
});
