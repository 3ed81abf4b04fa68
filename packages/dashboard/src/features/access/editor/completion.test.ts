import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { policyCompletions } from './completion.ts';
import { jsoncLanguage } from './jsonc-language.ts';

const source = policyCompletions(() => ({
  tags: ['role:dev'],
  scopes: [],
  ports: new Map(),
  networks: ['10.20.0.0/16'],
  nodesLike: async () => [],
}));

/** What is offered where the bar is, and the text that it replaces. */
async function offered(marked: string) {
  const doc = marked.replace('|', '');
  const state = EditorState.create({ doc, extensions: [jsoncLanguage()] });
  const result = await source(new CompletionContext(state, marked.indexOf('|'), true));
  return result && { labels: result.options.map(({ label }) => label), replaces: doc.slice(result.from, result.to) };
}

describe('completion in a policy', () => {
  it('replaces what is written, with or without quotes', async () => {
    const grant = (to: string) => `{"groups": {"dev": []}, "grants": [{"to": ${to}}]}`;
    const labels = ['dev', '10.20.0.0/16'];
    assert.deepEqual(await offered(grant('"de|"')), { labels, replaces: 'de' });
    assert.deepEqual(await offered(grant('10.20.0|.0/16')), { labels, replaces: '10.20.0.0/16' });
    assert.deepEqual(await offered(grant('|')), { labels, replaces: '' });
  });

  it('offers nothing in a comment', async () => {
    assert.equal(await offered('{ // gr|'), null);
    assert.equal(await offered('{ /* "gr| */ }'), null);
  });
});
