import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent. Everything else is grey, but for what means good, careful or bad. */
const ink: MantineColorsTuple = [
  '#eef2ff',
  '#dfe5fe',
  '#bcc8fb',
  '#96a8f7',
  '#7489f2',
  '#5b72ec',
  '#4a61e4',
  '#3b50cf',
  '#3243ab',
  '#2a3886',
];

/** A cool grey, nearly black at its end. Mantine paints the dark scheme with it. */
const dark: MantineColorsTuple = [
  '#e4e6eb',
  '#c3c7d0',
  '#9aa0ad',
  '#717885',
  '#3d434e',
  '#2c313a',
  '#22262e',
  '#16191f',
  '#101217',
  '#0b0c10',
];

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace';

export const theme = createTheme({
  respectReducedMotion: true,
  colors: { ink, dark },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.5' },
  defaultRadius: 6,
  cursorType: 'pointer',
  focusRing: 'auto',
  headings: {
    fontFamily: SANS,
    fontWeight: '600',
    sizes: { h1: { fontSize: '18px' }, h2: { fontSize: '14px' } },
  },
  components: {
    Button: { defaultProps: { size: 'xs' }, styles: { root: { fontWeight: 500 } } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: false } },
    // Its placeholder is no item, which a menu may not hold (axe: aria-required-children).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.25 } } },
  },
});

/** Greys for text that keep the contrast of WCAG AA, and the lines between things. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5f6673',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-default-border': '#e3e5ea',
    '--mantine-color-text': '#16181d',
    '--sl-panel': '#ffffff',
    '--sl-page': '#f7f8fa',
    '--sl-line': '#e6e8ed',
    '--sl-hover': '#f1f3f7',
    '--sl-accent-text': '#3347c4',
    '--sl-bad': '#c92a2a',
    '--sl-good': '#217a3c',
    '--sl-warn': '#9a5b00',
    '--sl-bad-soft': '#fdecec',
    '--sl-good-soft': '#e8f6ec',
    '--sl-warn-soft': '#fdf3df',
    '--sl-accent-soft': '#eef1fe',
    '--sl-chart-1': '#4a61e4',
    '--sl-chart-2': '#2a9d8f',
    '--sl-chart-3': '#c77a12',
    '--sl-chart-4': '#9256c9',
    '--sl-chart-5': '#4d9bd6',
    '--sl-chart-6': '#b5577c',
    '--sl-chart-rest': '#8b92a1',
    '--sl-chart-bad': '#e03131',
    '--sl-on-chart': '#ffffff',
  },
  dark: {
    '--mantine-color-body': '#101217',
    '--mantine-color-dimmed': '#9aa0ad',
    '--mantine-color-placeholder': '#8a909d',
    '--mantine-color-default-border': '#2c313a',
    '--mantine-color-text': '#e4e6eb',
    '--sl-panel': '#16191f',
    '--sl-page': '#101217',
    '--sl-line': '#262a33',
    '--sl-hover': '#1d2128',
    '--sl-accent-text': '#a3b2fb',
    '--sl-bad': '#ff8787',
    '--sl-good': '#69db7c',
    '--sl-warn': '#f2b84b',
    '--sl-bad-soft': '#331a1d',
    '--sl-good-soft': '#15291c',
    '--sl-warn-soft': '#2f2513',
    '--sl-accent-soft': '#1d2340',
    '--sl-chart-1': '#7489f2',
    '--sl-chart-2': '#3fbdae',
    '--sl-chart-3': '#e0a14a',
    '--sl-chart-4': '#ac7fdc',
    '--sl-chart-5': '#6db3e6',
    '--sl-chart-6': '#d07a9c',
    '--sl-chart-rest': '#626978',
    '--sl-chart-bad': '#fa5252',
    '--sl-on-chart': '#101217',
  },
});
