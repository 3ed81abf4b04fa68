import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, prose } from './html.ts';

const HOSTILE = `<script>alert("1" & '2')</script>`;
const HARMLESS = '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;';

test('what is filled in is escaped, wherever it stands', () => {
  assert.equal(html`<p title="${HOSTILE}">${HOSTILE}</p>`.text, `<p title="${HARMLESS}">${HARMLESS}</p>`);
  assert.equal(html`${[HOSTILE, [HOSTILE]]}`.text, HARMLESS + HARMLESS);
});

test('markup inside markup is kept as it is', () => {
  assert.equal(html`<p>${html`<b>${'<'}</b>`}${[html`<i></i>`, 1]}</p>`.text, '<p><b>&lt;</b><i></i>1</p>');
});

test('what is not there leaves no trace', () => {
  assert.equal(html`<p>${undefined}${[]}</p>`.text, '<p></p>');
});

test('a backslash in the source stays what it means', () => {
  assert.equal(html`a\n${'b\\n'}`.text, 'a\nb\\n');
});

test('words between backticks are code, and escaped like all others', () => {
  assert.equal(prose('Send `a < b` & wait.').text, 'Send <code>a &lt; b</code> &amp; wait.');
  assert.equal(prose(`\`${HOSTILE}\``).text, `<code>${HARMLESS}</code>`);
  assert.equal(prose(undefined).text, '');
});
