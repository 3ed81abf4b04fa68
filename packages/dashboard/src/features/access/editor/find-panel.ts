/** Finding in the text. The browser's own search sees only the lines that are drawn. */
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, keymap, type Panel, showPanel } from '@codemirror/view';

const openFind = StateEffect.define<boolean>();
const findText = StateEffect.define<string>();

/** Marking more would cost more than it helps. */
const MOST_MARKS = 1_000;
const mark = Decoration.mark({ class: 'cm-found' });

interface Find {
  readonly is_open: boolean;
  readonly text: string;
}

const findState = StateField.define<Find>({
  create: () => ({ is_open: false, text: '' }),
  update(find, { effects }) {
    let { is_open, text } = find;
    for (const effect of effects) {
      if (effect.is(openFind)) is_open = effect.value;
      if (effect.is(findText)) text = effect.value;
    }
    return is_open === find.is_open && text === find.text ? find : { is_open, text };
  },
  provide: (field) => [
    showPanel.from(field, ({ is_open }) => (is_open ? findPanel : null)),
    EditorView.decorations.compute([field, 'doc'], (state) => {
      const { is_open, text } = state.field(field);
      const ranges = is_open ? placesOf(state, text).slice(0, MOST_MARKS) : [];
      return Decoration.set(ranges.map((from) => mark.range(from, from + text.length)));
    }),
  ],
});

function placesOf(state: EditorState, text: string): readonly number[] {
  if (text === '') return [];
  const [all, wanted] = [state.doc.toString().toLowerCase(), text.toLowerCase()];
  const places: number[] = [];
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function findPanel(view: EditorView): Panel {
  const dom = document.createElement('form');
  dom.className = 'cm-find';
  dom.setAttribute('role', 'search');
  const input = document.createElement('input');
  input.type = 'search';
  input.value = view.state.field(findState).text;
  input.setAttribute('aria-label', 'Find in the policy');
  input.placeholder = 'Find';
  const count = document.createElement('span');
  count.setAttribute('role', 'status');
  dom.append(
    input,
    button('Previous', () => go(view, -1)),
    button('Next', () => go(view, 1)),
    button('Close', () => close(view)),
    count,
  );
  const tell = () => {
    const { text } = view.state.field(findState);
    const found = placesOf(view.state, text).length;
    count.textContent = text === '' ? '' : `${found} found`;
  };
  input.addEventListener('input', () => {
    view.dispatch({ effects: findText.of(input.value) });
    go(view, 0);
  });
  dom.addEventListener('submit', (event) => event.preventDefault());
  dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close(view);
    else if (event.key === 'Enter' && event.target === input) go(view, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  });
  tell();
  return { dom, top: true, mount: () => input.select(), update: tell };
}

function button(word: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = word;
  made.addEventListener('click', onClick);
  return made;
}

/** To the next place, the one before, or, while typing, the one at or behind the cursor. */
function go(view: EditorView, step: -1 | 0 | 1): boolean {
  const { text } = view.state.field(findState);
  const places = placesOf(view.state, text);
  const { from, to } = view.state.selection.main;
  const next =
    step < 0
      ? (places.findLast((place) => place < from) ?? places.at(-1))
      : (places.find((place) => place >= (step === 0 ? from : to)) ?? places[0]);
  if (next === undefined) return true;
  const selection = { anchor: next, head: next + text.length };
  view.dispatch({ selection, effects: EditorView.scrollIntoView(next, { y: 'center' }) });
  return true;
}

function close(view: EditorView): boolean {
  if (!view.state.field(findState).is_open) return false;
  view.dispatch({ effects: openFind.of(false) });
  view.focus();
  return true;
}

/** Opens the field, with what is selected in it. */
export function startFind(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const selected = view.state.sliceDoc(from, Math.min(to, from + 100));
  const effects = [openFind.of(true), ...(selected === '' || selected.includes('\n') ? [] : [findText.of(selected)])];
  view.dispatch({ effects });
  view.dom.querySelector<HTMLInputElement>('.cm-find input')?.select();
  return true;
}

export function find(): Extension {
  return [
    findState,
    keymap.of([
      { key: 'Mod-f', run: startFind },
      { key: 'Escape', run: close },
      { key: 'F3', run: (view) => go(view, 1), shift: (view) => go(view, -1) },
    ]),
  ];
}
