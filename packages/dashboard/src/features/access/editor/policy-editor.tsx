import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { MeshWords } from '../../../mesh/mesh-words.ts';
import { policyCompletion } from './completion.ts';
import { diagnosticsOf, type PolicyFault } from './diagnostics.ts';
import { find } from './find-panel.ts';
import { jsoncLanguage } from './jsonc-language.ts';
import classes from './policy-editor.module.css';
import { editorTheme } from './theme.ts';

interface PolicyEditorProps {
  /** What it begins with. From then on the text is the editor's, and `view` is how others change it. */
  readonly initial: string;
  readonly onChange: (text: string) => void;
  readonly readOnly: boolean;
  readonly words: MeshWords;
  readonly faults: readonly PolicyFault[];
  /** Another text to merge with, whose differences are shown between the lines. Null: none. */
  readonly other: string | null;
  readonly view: RefObject<EditorView | null>;
}

/** What can change while the editor stays. */
const scheme = new Compartment();
const writing = new Compartment();
const merging = new Compartment();

export function PolicyEditor({ initial, onChange, readOnly, words, faults, other, view }: PolicyEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const dark = useComputedColorScheme('light') === 'dark';
  const changed = useEffectEvent(onChange);
  const wordsNow = useRef(words);
  wordsNow.current = words;

  const create = useEffectEvent((): EditorView => {
    const state = EditorState.create({
      doc: initial,
      extensions: [
        fixed(() => wordsNow.current),
        scheme.of(editorTheme(dark)),
        writing.of(writable(readOnly)),
        merging.of(mergingWith(other)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    });
    return new EditorView({ state, ...(parent.current === null ? {} : { parent: parent.current }) });
  });

  useEffect(() => {
    const made = create();
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [view]);
  useEffect(() => view.current?.dispatch({ effects: scheme.reconfigure(editorTheme(dark)) }), [view, dark]);
  useEffect(() => view.current?.dispatch({ effects: writing.reconfigure(writable(readOnly)) }), [view, readOnly]);
  useEffect(() => view.current?.dispatch({ effects: merging.reconfigure(mergingWith(other)) }), [view, other]);
  useEffect(() => {
    if (view.current !== null) view.current.dispatch(setDiagnostics(view.current.state, [...diagnosticsOf(faults)]));
  }, [view, faults]);

  return <div ref={parent} className={classes.editor} />;
}

function fixed(words: () => MeshWords): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
  return [
    EditorView.cspNonce.of(nonce),
    // What people write is kept as they write it, whatever their system ends lines with.
    EditorState.lineSeparator.of('\n'),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    drawSelection(),
    history(),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    jsoncLanguage(),
    policyCompletion(words),
    lintGutter(),
    find(),
    EditorView.lineWrapping,
    // Read-only text must be reachable by keyboard too, to scroll.
    EditorView.contentAttributes.of({ 'aria-label': 'Policy, as JSON with comments', tabindex: '0' }),
    // Escape and then Tab leaves the editor without a mouse.
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
  ];
}

function writable(readOnly: boolean): Extension {
  return readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [];
}

function mergingWith(other: string | null): Extension {
  if (other === null) return [];
  return unifiedMergeView({ original: other, mergeControls: mergeChoice, gutter: true, allowInlineDiffs: false });
}

const WORDS = { accept: 'Keep mine', reject: 'Take theirs' } as const;

/** The two buttons beside each difference. The library calls it "accept" when what was typed stays. */
function mergeChoice(type: 'accept' | 'reject', action: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cm-merge-choice';
  button.textContent = WORDS[type];
  // Before the editor takes the press for a click into its text; by keyboard there is no press, only a click.
  button.addEventListener('mousedown', action);
  button.addEventListener('click', (event) => {
    if (event.detail === 0) action(event);
  });
  return button;
}
