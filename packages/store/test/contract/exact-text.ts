import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { NAME_LIMIT } from '../../src/index.ts';
import { loaded, node, note, Scribe } from '../scribe.ts';
import type { Subject } from './subject.ts';

const BODIES = {
  'emoji and other planes': '{"name":"🕸️ 界 𐍈 é"}',
  'escaped NUL': '{"name":"\\u0000"}',
  'escaped half of a surrogate pair': '{"name":"\\ud83d"}',
  'quotes, braces and backslashes': '{"a":"\\"\\\\{},NULL\'\'$1 ?1 \\\\u0000"}',
  'the word NULL': 'NULL',
  nothing: '',
  'line ends and spaces': ' \r\n\t ',
  'a megabyte': JSON.stringify('é\\"'.repeat(250_000)),
};

export function exactText({ open }: Subject): void {
  describe('text', () => {
    it('comes back exactly as it was given', async (t) => {
      const scribe = new Scribe(await open(t));
      const { journal } = scribe;
      for (const [what, body] of Object.entries(BODIES)) {
        await scribe.commit({ changes: [node(what, body)], appends: [note(what, { body })] });
        await journal.mark([{ key: what, at_ms: 1, count: 0, body }]);
      }
      const { documents } = await loaded(journal);
      const news = await journal.since(0);
      const { marks } = await journal.marks(0);
      for (const [what, body] of Object.entries(BODIES)) {
        const read = [
          documents.get(what)?.body,
          news.documents.find(({ id }) => id === what)?.body,
          (await journal.entry('audit', what))?.body,
          marks.find(({ key }) => key === what)?.body,
        ];
        // Compared one by one: a failure would print a megabyte.
        for (const text of read) assert.ok(text === body, what);
      }
    });

    it('that no engine could keep as it is, is misuse', async (t) => {
      const scribe = new Scribe(await open(t));
      for (const text of ['a raw \0 NUL', 'half a pair \ud83d']) {
        await assert.rejects(scribe.put(node('a', text)), { fault: 'misuse' });
        await assert.rejects(scribe.put(node(text)), { fault: 'misuse' });
        await assert.rejects(scribe.note(note('e', { body: text })), { fault: 'misuse' });
        await assert.rejects(scribe.note(note('e', { target: text })), { fault: 'misuse' });
        await assert.rejects(scribe.journal.mark([{ key: 'k', at_ms: 1, count: 0, body: text }]), { fault: 'misuse' });
      }
      for (const name of ['', 'x'.repeat(NAME_LIMIT + 1)]) {
        await assert.rejects(scribe.put(node(name)), { fault: 'misuse' });
        await assert.rejects(scribe.note(note(name)), { fault: 'misuse' });
        await assert.rejects(scribe.note(note('e', { actor: name })), { fault: 'misuse' });
        await assert.rejects(scribe.journal.mark([{ key: name, at_ms: 1, count: 0, body: null }]), { fault: 'misuse' });
      }
      await assert.rejects(scribe.note(note('e', { at_ms: 0.5 })), { fault: 'misuse' });
      await scribe.journal.mark([{ key: 'k', at_ms: 0, count: 0, body: null }]);
      for (const [at_ms, count] of [[0.5, 0] as const, [1, 0.5] as const, [0.5, 0.5] as const]) {
        await assert.rejects(scribe.journal.mark([{ key: 'k', at_ms, count, body: null }]), { fault: 'misuse' });
      }
      assert.equal((await loaded(scribe.journal)).revision, 0);
    });

    it('of the longest names possible can be kept and found', async (t) => {
      const scribe = new Scribe(await open(t));
      // Random, so that no engine can compress it, and three bytes a character.
      const long = () => String.fromCharCode(...Array.from({ length: NAME_LIMIT }, () => randomInt(0x4e00, 0x9fff)));
      const [kind, id, log, actor, key] = [long(), long(), long(), long(), long()];
      await scribe.put({ kind, id, body: '{}' });
      await scribe.note(note(id, { log, actor, action: actor, target: actor }));
      await scribe.journal.mark([{ key, at_ms: 1, count: 0, body: null }]);
      assert.equal((await loaded(scribe.journal)).documents.get(id)?.kind, kind);
      const [found] = await scribe.journal.range({ log, order: 'newest_first', limit: 1, actor, action: actor });
      assert.equal(found?.id, id);
      assert.equal((await scribe.journal.marks(0)).marks[0]?.key, key);
    });
  });
}
