/** Colours of things of one kind, side by side; the last is for all that is left. */
export const COLOURS: readonly string[] = [1, 2, 3, 4, 5, 6].map((place) => `var(--sl-chart-${place})`);
export const REST_COLOUR = 'var(--sl-chart-rest)';

/** How much of the text's colour is in the second round of the colours: darker on white, lighter on black. */
export const SECOND_ROUND = 0.4;

/** How many series are told apart by colour alone. More bars than that are drawn as one. */
export const MOST_COLOURS = 2 * COLOURS.length;

/** How the series at a place is drawn, from 0: its colour, and the dashes of a line that has the colour of another. */
export function lookAt(
  place: number,
  colours: readonly string[] = COLOURS,
): { readonly color: string; readonly dash?: string } {
  const colour = colours[place % colours.length] ?? REST_COLOUR;
  const round = Math.floor(place / colours.length);
  const color =
    round % 2 === 0
      ? colour
      : `color-mix(in oklab, ${colour}, var(--mantine-color-text) ${SECOND_ROUND * 100}%)`;
  return round < 2 ? { color } : { color, dash: round < 4 ? '2 3' : '7 3 2 3' };
}
