import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  ifNotIn,
  startCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { MeshWords } from '../../../mesh/mesh-words.ts';
import { placeAt } from '../text/place.ts';
import { wordsAt } from './policy-words.ts';

/** `words` is asked each time: names in the mesh change while the policy is edited. */
export function policyCompletion(words: () => MeshWords): Extension {
  return autocompletion({
    override: [policyCompletions(words)],
    icons: false,
    maxRenderedOptions: 60,
  });
}

export function policyCompletions(words: () => MeshWords): CompletionSource {
  return ifNotIn(['comment'], (context) => complete(context, words()));
}

async function complete(context: CompletionContext, mesh: MeshWords): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const place = placeAt(text, context.pos);
  if (place === undefined) return null;
  const { written } = place;
  // Without a quote no name or value was begun: only on request.
  if (written?.kind !== 'string' && !context.explicit) return null;
  const words = await wordsAt(place, text, mesh);
  if (words.length === 0 || context.aborted) return null;
  const quoted = written?.kind === 'string';
  const from = written === undefined ? context.pos : written.start + (quoted ? 1 : 0);
  const end = written === undefined ? context.pos : written.end - (quoted && !written.is_open ? 1 : 0);
  return {
    from,
    to: Math.max(end, context.pos),
    options: words.map(({ label, detail }) => ({
      label,
      ...(detail === undefined ? {} : { detail }),
      apply: (view, _, start, to) => {
        const insert = quoted ? (written.is_open ? `${label}"` : label) : `"${label}"`;
        const inside = start + insert.length - (insert.endsWith('"') ? 1 : 0);
        const goesOn = label.endsWith(':');
        const anchor = goesOn ? inside : quoted && !written.is_open ? start + insert.length + 1 : start + insert.length;
        view.dispatch({ changes: { from: start, to, insert }, selection: { anchor }, userEvent: 'input.complete' });
        if (goesOn) startCompletion(view);
      },
    })),
    // Node names are searched again with each letter.
    filter: true,
  };
}
