import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { faultOfPattern } from './sound-pattern.ts';

describe('a regular expression of an operator', () => {
  it('is taken where both engines read it alike, and no text makes it run for long', () => {
    for (const pattern of [
      'admin',
      '^/api/v[12]/',
      String.raw`\.(?:php|asp|jsp)$`,
      String.raw`(?:select|union)\s+.*from`,
      '^[a-z0-9_-]{3,32}$',
      '(?:ab){2,5}',
      String.raw`(?:\d{3}-)*`,
      String.raw`[^\]\[]+?x`,
      String.raw`\x00|\x1f`,
      'a|b|',
    ]) {
      assert.equal(faultOfPattern(pattern), undefined, pattern);
    }
  });

  it('is refused where it means something else elsewhere, or is none', () => {
    for (const [pattern, why] of [
      [String.raw`(a)\1`, /"\\1"/],
      [String.raw`(?<n>a)\k<n>`, /groups only/],
      ['(?<=a)b', /groups only/],
      ['(?<!a)b', /groups only/],
      ['(?=a)b', /groups only/],
      ['(?!a)b', /groups only/],
      ['(?i)a', /groups only/],
      ['(?P<n>a)', /groups only/],
      ['(?>a)b', /groups only/],
      ['(?(1)a|b)', /groups only/],
      ['(?#words)', /groups only/],
      ['a++', /possessive/],
      ['a{2}+', /possessive/],
      [String.raw`\p{L}`, /"\\p"/],
      [String.raw`\Qa\E`, /"\\Q"/],
      [String.raw`\u0061`, /"\\u"/],
      [String.raw`\v`, /"\\v"/],
      ['[[:alpha:]]', /inside of a class/],
      ['[]a]', /empty class/],
      ['[^]', /empty class/],
      ['[a', /without its "]"/],
      ['(a', /without its "\)"/],
      ['a)', /without its "\("/],
      ['{', /no regular expression/],
      ['*a', /no regular expression/],
      ['[b-a]', /no regular expression/],
      ['a\\', /not taken/],
    ] as const) {
      assert.match(faultOfPattern(pattern) ?? 'taken', why, pattern);
    }
  });

  it('is refused where a text of a stranger could make it run for long', () => {
    for (const [pattern, why] of [
      ['(a+)+b', /repetitions inside/],
      ['(?:a*)*', /repetitions inside/],
      ['(?:a|a)*b', /alternatives/],
      ['(?:a?){30}a', /repetitions inside/],
      ['(?:(?:a|b)c){2,}', /alternatives/],
      ['(?:(?:a{1,9})x)*', /repetitions inside/],
      ['.*.*x', /side by side/],
      ['a{1,}a+', /side by side/],
      [Array.from({ length: 7 }, (_, index) => `${index}.*`).join(''), /more than 6/],
      ['a?'.repeat(17), /more than 16/],
      ['a{1001}', /more than 1000/],
    ] as const) {
      assert.match(faultOfPattern(pattern) ?? 'taken', why, pattern);
    }
  });

  it('that is taken compiles, and answers any text at once', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '*',
      '+',
      '?',
      '{2}',
      '{2,}',
      '(',
      '(?:',
      ')',
      '|',
      '[ab]',
      '\\d',
      '^',
      '$',
    );
    const pattern = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    let taken = 0;
    fc.assert(
      fc.property(pattern, (text) => {
        if (faultOfPattern(text) !== undefined) return;
        taken++;
        assert.doesNotThrow(() => new RegExp(text, 'u'));
        // One that takes exponential time would not come back from this.
        assert.equal(typeof new RegExp(text, 'u').test(`${'a'.repeat(60)}!`), 'boolean');
      }),
      { numRuns: 3000 },
    );
    assert.ok(taken > 100, `${taken} were`);
  });
});
