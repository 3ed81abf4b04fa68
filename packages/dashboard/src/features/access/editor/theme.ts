import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// Each pair has a contrast of 4.5 or more against the ground it stands on, in both schemes.
const MARKED = 'light-dark(#fff2b8, #5b4a12)';
const GONE = 'light-dark(#ffe9e9, #4a1d1f)';
const NEW = 'light-dark(#e6f7ef, #11352a)';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#1a4fa0, #9cc2ff)' },
  { tag: tags.string, color: 'light-dark(#05603f, #7fd8b0)' },
  { tag: [tags.number, tags.bool], color: 'light-dark(#8a3a00, #ffb98a)' },
  { tag: tags.comment, color: 'light-dark(#5c636a, #a3abb3)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'light-dark(#a61b1b, #ffb0b0)' },
]);

const looks = (dark: boolean) =>
  EditorView.theme(
    {
      '&': { color: 'var(--mantine-color-text)', backgroundColor: 'var(--mantine-color-body)', fontSize: '0.8125rem' },
      // The frame around it shows the focus, so that no gutter covers a side of it.
      '&.cm-focused': { outline: 'none' },
      '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
      '.cm-content': { caretColor: 'var(--mantine-color-text)' },
      '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
      '.cm-gutters': {
        color: 'var(--mantine-color-dimmed)',
        backgroundColor: 'light-dark(#f8f9fa, #25262b)',
        borderRight: '1px solid var(--mantine-color-default-border)',
      },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(#00000008, #ffffff0a)' },
      '.cm-matchingBracket': { backgroundColor: MARKED, outline: '1px solid light-dark(#b58900, #d9b64a)' },
      '.cm-found': { backgroundColor: MARKED },
      '.cm-panels': {
        color: 'inherit',
        backgroundColor: 'light-dark(#f8f9fa, #25262b)',
        borderColor: 'var(--mantine-color-default-border)',
      },
      '.cm-find': {
        display: 'flex',
        flexWrap: 'wrap',
        gap: '0.375rem',
        alignItems: 'center',
        padding: '0.375rem 0.5rem',
      },
      '.cm-find input, .cm-find button, .cm-merge-choice': {
        font: 'inherit',
        color: 'inherit',
        backgroundColor: 'var(--mantine-color-default)',
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 'var(--mantine-radius-sm)',
        padding: '0.125rem 0.5rem',
      },
      '.cm-find input': { minWidth: '12rem', flex: '0 1 20rem' },
      '.cm-merge-choice': { cursor: 'pointer', marginLeft: '0.25rem', fontSize: '0.75rem' },
      '.cm-tooltip': {
        color: 'var(--mantine-color-text)',
        backgroundColor: 'var(--mantine-color-body)',
        border: '1px solid var(--mantine-color-default-border)',
        maxWidth: 'min(36rem, 90vw)',
      },
      '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
        color: 'light-dark(#ffffff, #ffffff)',
        backgroundColor: 'light-dark(#2b44b8, #3b54c8)',
      },
      '.cm-deletedChunk': { backgroundColor: GONE },
      '.cm-deletedChunk .cm-deletedText': { backgroundColor: 'light-dark(#ffc9c9, #7a2c30)', textDecoration: 'none' },
      '.cm-changedLine, .cm-inlineChangedLine': { backgroundColor: `${NEW} !important` },
      '.cm-changedText': { background: 'light-dark(#b8e8d0, #174a39) !important' },
    },
    { dark },
  );

/** The dashboard's own colours. `dark` is for what CodeMirror decides by itself, such as the colour of a selection. */
export function editorTheme(dark: boolean): Extension {
  return [looks(dark), syntaxHighlighting(colours)];
}
