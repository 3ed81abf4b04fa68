/** How the dashboard looks: Mantine's defaults, with colours whose contrast suffices (WCAG AA) in both schemes. */
import {
  Anchor,
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  Drawer,
  type MantineColorsTuple,
  Modal,
  Notification,
} from '@mantine/core';

const systemFont =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif, "Apple Color Emoji"';

/** From text to the deepest ground: a hint of blue, so that it does not look like switched off. */
const dark: MantineColorsTuple = [
  '#d3d6da',
  '#b4b9c0',
  '#8b9199',
  '#6b7179',
  '#41464d',
  '#363b41',
  '#2a2e33',
  '#1f2124',
  '#191b1e',
  '#141618',
];

const CLOSE = { 'aria-label': 'Close' };
/** The head of a dialog is a `<header>`, and outside of everything: a second banner of the page, were it not said otherwise. */
const DIALOG_PARTS = { header: { role: 'presentation' } };

export const theme = createTheme({
  colors: { dark },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  fontFamily: systemFont,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", Consolas, monospace',
  headings: { fontWeight: '600' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // WCAG 1.4.1: a link differs from the text around it by more than colour. `main.css` makes the underline faint.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: CLOSE, attributes: DIALOG_PARTS } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: CLOSE, attributes: DIALOG_PARTS } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: CLOSE } }),
  },
});

type Variables = Record<string, string>;

/** Text on a tint of its own colour: Mantine's shade is too light for it in red, orange, yellow, lime, green and teal. */
function readableOnTint(colours: Readonly<Record<string, MantineColorsTuple>>, shade: 2 | 9): Variables {
  const variables: Variables = {};
  for (const [name, tuple] of Object.entries(colours)) {
    if (name === 'dark') continue;
    variables[`--mantine-color-${name}-light-color`] = tuple[shade];
    variables[`--mantine-color-${name}-outline`] = tuple[shade];
  }
  return variables;
}

const DARK_YELLOW = '#7a4a00';
/** Under white text, in both schemes: Mantine's red is too light for it. */
const FILLED_RED: Variables = {
  '--mantine-color-red-filled': '#c92a2a',
  '--mantine-color-red-filled-hover': '#b02525',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...readableOnTint(DEFAULT_THEME.colors, 9),
    ...FILLED_RED,
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-yellow-light-color': DARK_YELLOW,
    '--mantine-color-orange-light-color': '#8a3a00',
    '--mantine-color-lime-light-color': '#3d6b06',
    '--mantine-color-green-light-color': '#1f6b33',
    '--mantine-color-teal-light-color': '#06674a',
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-placeholder': '#6b727a',
    '--mantine-color-error': '#c02626',
    '--mesh-color-ground': '#f6f7f9',
    '--mesh-color-inset': '#f4f5f7',
    '--mesh-color-hover': '#f3f5fb',
    '--mesh-color-hairline': '#e9ecef',
  },
  dark: {
    ...readableOnTint(DEFAULT_THEME.colors, 2),
    ...FILLED_RED,
    '--mantine-color-dimmed': '#a8adb4',
    '--mantine-color-placeholder': '#8f959c',
    '--mantine-color-error': '#ff9a9a',
    '--mesh-color-ground': '#17191b',
    '--mesh-color-inset': '#191b1e',
    '--mesh-color-hover': '#272a31',
    '--mesh-color-hairline': '#30343a',
  },
});
