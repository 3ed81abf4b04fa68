/** Every name and note that is taken refuses what cannot be seen. Walks both tables, so that none is forgotten. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATIONS } from './operations.ts';
import { PANEL_OPERATIONS } from './panel/panel-operations.ts';
import { VISIBLE_NOTE, VISIBLE_TEXT } from './visible-text.ts';

const INVISIBLE: Readonly<Record<string, string>> = {
  'a NUL': '\0',
  'an escape': '\u001b',
  'a zero-width space': '\u200b',
  'a zero-width non-joiner': '\u200c',
  'a zero-width joiner': '\u200d',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a left-to-right mark': '\u200e',
  'an override': '\u202e',
  'an isolate': '\u2066',
  'an Arabic letter mark': '\u061c',
  'a soft hyphen': '\u00ad',
  'a tag': '\u{e0061}',
  'a Hangul filler': '\u3164',
  'a half-width Hangul filler': '\uffa0',
  'a Hangul choseong filler': '\u115f',
  'a variation selector': '\ufe00',
  'a supplementary variation selector': '\u{e0100}',
  'a combining grapheme joiner': '\u034f',
  'a Mongolian vowel separator': '\u180e',
  'an empty Braille pattern': '\u2800',
  'half of a pair': '\ud800',
  'something private': '\ue000',
  'something unassigned': '\u0378',
  'a line separator': '\u2028',
  'a no-break space': '\u00a0',
  'an em space': '\u2003',
};
const NAMES = [
  'git',
  'ci deploy',
  'Zoë',
  'Zoe\u0308',
  '田中',
  'نور',
  'a-b_c (old) #2',
  'build 🚀',
  '\u{1f469}\u{1f3fd}\u200d\u{1f680}',
  'I \u2764\ufe0f it',
];

describe('a name', () => {
  const isName = (text: string) => new RegExp(VISIBLE_TEXT, 'u').test(text);
  for (const name of NAMES) it(`may be ${name}`, () => assert.ok(isName(name)));
  for (const [what, character] of Object.entries(INVISIBLE)) {
    it(`has no ${what}`, () => {
      for (const text of [`a${character}b`, `${character}ab`, `ab${character}`, character]) assert.ok(!isName(text));
    });
  }
  it('has single spaces between words, none at the ends, and parts of emoji only inside of them', () => {
    for (const text of [
      '',
      ' ',
      ' a',
      '\u{1f680}\u200d',
      '\u{1f680}\ufe0f\ufe0f',
      '1\ufe0f',
      'a ',
      'a  b',
      'a\nb',
      'a\tb',
    ])
      assert.ok(!isName(text), JSON.stringify(text));
  });
});

describe('a note', () => {
  const isNote = (text: string) => new RegExp(VISIBLE_NOTE, 'u').test(text);
  it('may be empty, have several lines, and emoji with what they are made of', () => {
    for (const text of ['', 'one\n\ttwo  three\n', 'I \u2764\ufe0f it', '\u{1f469}\u200d\u{1f4bb}'])
      assert.ok(isNote(text), text);
  });
  for (const [what, character] of Object.entries(INVISIBLE)) {
    it(`has no ${what}`, () => assert.ok(!isNote(`a${character}b`)));
  }
});

/** What names things that exist already: nothing is made under it. */
const LOOKED_UP: ReadonlySet<string> = new Set([
  'auth.login /name', // what a person signs in with
  'agents.heartbeat /observed/relays/*/name',
  'agents.heartbeat /observed/relay_proofs/*/name',
  'delegations.create /person/name', // the panel has checked it, perhaps by the rule of an older version
  'delegations.retire /person/name',
  'delegations.pass /person/name',
  'delegations.retire /by/name',
]);
const LABELS = /(?:^|_)(?:name|note|reason|label|description|title|comment)$/;

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

function* labelsIn(schema: Schema | undefined, at = ''): Generator<readonly [place: string, schema: Schema]> {
  if (schema === undefined) return;
  if (schema.type === 'string' && LABELS.test(at.slice(at.lastIndexOf('/') + 1))) yield [at, schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* labelsIn(inner, `${at}/${name}`);
  if (schema.items !== undefined) yield* labelsIn(schema.items, `${at}/*`);
  for (const inner of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) yield* labelsIn(inner, at);
}

describe('names and notes in requests', () => {
  const found = [...Object.entries(OPERATIONS), ...Object.entries(PANEL_OPERATIONS)].flatMap(([id, operation]) => {
    const { body, query, text } = operation as { body?: Schema; query?: Schema; text?: unknown };
    // A text is read by its own parser (the policy), which takes only plain letters in names.
    return [...(text === undefined ? labelsIn(body) : []), ...labelsIn(query)].map(
      ([place, schema]) => [`${id} ${place}`, schema] as const,
    );
  });

  it('are found', () => assert.ok(found.length >= 15, `${found.length} fields`));
  for (const [place, { pattern = '' }] of found) {
    if (LOOKED_UP.has(place)) continue;
    it(`${place} takes nothing invisible`, () => {
      for (const [what, character] of Object.entries(INVISIBLE)) {
        assert.ok(!new RegExp(pattern, 'u').test(`a${character}b`), `${what} is taken by ${pattern}`);
      }
    });
  }
});
