import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { elementsIn, escaped, readXml, textIn } from './small-xml.ts';

const ANSWER = `<?xml version="1.0"?>
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
  <!-- of a router --><u:R xmlns:u="urn:x"><A>1 &lt; 2 &amp; 3</A><B/><A> second </A></u:R>
</s:Body></s:Envelope>`;

describe('the XML of a router', () => {
  it('is read as elements and text, whatever their prefixes', () => {
    const answer = readXml(ANSWER);
    assert.equal(answer.name, 'Envelope');
    assert.deepEqual(
      elementsIn(answer, 'A').map(({ text }) => text),
      ['1 < 2 & 3', 'second'],
    );
    assert.equal(textIn(answer, 'B'), '');
    assert.equal(textIn(answer, 'C'), undefined);
  });

  const refused: Readonly<Record<string, string>> = {
    'is empty': '',
    'is no XML': 'hello',
    'is not closed': '<a><b></b>',
    'is closed twice': '<a></a></a>',
    'is closed in the wrong order': '<a><b></a></b>',
    'has two roots': '<a/><b/>',
    'has a document type': '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    'has an entity of its own': '<a>&x;</a>',
    'has a number for a sign': '<a>&#60;</a>',
    'has CDATA': '<a><![CDATA[<b>]]></a>',
    'is too deep': '<a>'.repeat(40) + '</a>'.repeat(40),
    'has too many elements': `<a>${'<b/>'.repeat(6000)}</a>`,
  };
  for (const [what, text] of Object.entries(refused)) {
    it(`is refused when it ${what}`, () => assert.throws(() => readXml(text), /^Error: it answers with/));
  }

  it('is read or refused, however it was damaged', () => {
    for (let round = 0; round < 2000; round += 1) {
      const [from, to] = [randomInt(0, ANSWER.length), randomInt(0, ANSWER.length)].toSorted((a, b) => a - b);
      const text = ANSWER.slice(0, from) + '<>/&;"!- a'.charAt(round % 10) + ANSWER.slice(to);
      try {
        assert.equal(typeof readXml(text).name, 'string');
      } catch (error) {
        assert.match((error as Error).message, /^it answers with/, text);
      }
    }
  });

  it('that we send has no sign that means something', () => {
    assert.equal(escaped(`<a b="c">&'`), '&#60;a b=&#34;c&#34;&#62;&#38;&#39;');
  });
});
