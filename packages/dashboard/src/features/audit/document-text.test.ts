import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentText } from './document-text.ts';

describe('a document of the trail as text', () => {
  it('has its fields in one order, regardless of the writer', () => {
    assert.equal(documentText({ b: 1, a: null }), documentText({ a: null, b: 1 }));
    assert.equal(documentText({ b: 1, a: [true, { c: 'x' }] }), 'a:\n  - true\n  -\n    c: x\nb: 1');
  });

  it('shows text of several lines as lines', () => {
    assert.equal(documentText({ text: '{\n  "grants": []\n}' }), 'text:\n  | {\n  |   "grants": []\n  | }');
  });

  it('tells nothing at all from an empty list and an empty record', () => {
    assert.equal(documentText({ tags: [], more: {} }), 'more: {}\ntags: []');
    assert.equal(documentText(null), '');
  });
});
