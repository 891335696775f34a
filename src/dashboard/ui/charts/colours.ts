/** Colours of things of one kind, side by side; the last is for all that is left. */
export const COLOURS: readonly string[] = [1, 2, 3, 4, 5, 6].map((place) => `var(--sl-chart-${place})`);
export const REST_COLOUR = 'var(--sl-chart-rest)';
