import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RiseAndFall } from './rise-and-fall.ts';

/** Takes `+` for a pass, `-` for a failure and `?` for what could not be checked. Answers with the state after each. */
function states(results: string, { rise = 2, fall = 3 } = {}, checks = newChecks({ rise, fall })): string {
  const letters = { up: 'U', down: 'D', unknown: '.' };
  return [...results]
    .map((result) => {
      if (result === '+') checks.passed();
      else if (result === '-') checks.failed('no');
      else checks.unchecked('own fault');
      return letters[checks.found.state];
    })
    .join('');
}

function newChecks({ rise = 2, fall = 3, now = (): number => 0 } = {}) {
  return new RiseAndFall({ rise, fall, now });
}

test('the first result decides, and from then on as many in a row as it says', () => {
  assert.equal(states('+'), 'U');
  assert.equal(states('-'), 'D');
  assert.equal(states('+--+---'), 'UUUUUUD');
  assert.equal(states('-+-++'), 'DDDDU');
  assert.equal(states('+---+-++--+---'), 'UUUDDDDUUUUUUD');
  assert.equal(states('+-+-', { rise: 1, fall: 1 }), 'UDUD');
  assert.equal(states('-+++', { rise: 3 }), 'DDDU');
});

test('flapping moves nothing', () => {
  assert.equal(states(`+${'-+'.repeat(20)}`), 'U'.repeat(41));
  assert.equal(states(`-${'+-'.repeat(20)}`), 'D'.repeat(41));
});

test('what could not be checked says nothing, and does not interrupt a row', () => {
  assert.equal(states('??+'), '..U');
  assert.equal(states('+--?-'), 'UUUUD');
  assert.equal(states('+---+?+'), 'UUUDDDU');
});

test('since is when the state changed, and why is the last failure until it is up again', () => {
  let now = 0;
  const checks = newChecks({ now: () => now });
  const at = (ms: number, result: () => void) => {
    now = ms;
    result();
    return checks.found;
  };
  assert.deepEqual(checks.found, { state: 'unknown', since: '1970-01-01T00:00:00Z', why: null });
  const pass = () => checks.passed();
  const fail = (why: string) => () => checks.failed(why);
  assert.deepEqual(at(1000, pass), { state: 'up', since: '1970-01-01T00:00:01Z', why: null });
  assert.deepEqual(at(2000, fail('one')), { state: 'up', since: '1970-01-01T00:00:01Z', why: 'one' });
  assert.deepEqual(at(3000, pass), { state: 'up', since: '1970-01-01T00:00:01Z', why: null });
  at(4000, fail('one'));
  at(5000, fail('two'));
  assert.deepEqual(at(6000, fail('three')), { state: 'down', since: '1970-01-01T00:00:06Z', why: 'three' });
  assert.deepEqual(at(7000, pass), { state: 'down', since: '1970-01-01T00:00:06Z', why: 'three' });
  assert.deepEqual(at(8000, pass), { state: 'up', since: '1970-01-01T00:00:08Z', why: null });
});

test('a reason is one line of 200 characters at most, and the same result is the same object', () => {
  const checks = newChecks();
  checks.failed(`a\r\n\tb\u0000c ${'x'.repeat(300)}`);
  const { why } = checks.found;
  assert.match(`${why}`, /^a b c x+$/);
  assert.equal(why?.length, 200);
  const { found } = checks;
  checks.failed(`a b c ${'x'.repeat(300)}`);
  assert.equal(checks.found, found);
});

test('what another check found counts until the first result, which decides', () => {
  const before = { state: 'up', since: '1970-01-01T00:00:00Z', why: null } as const;
  const after = (results: string) => {
    const checks = new RiseAndFall({ rise: 2, fall: 3, now: () => 9000, before });
    return `${states(results, {}, checks)} ${checks.found.since}`;
  };
  assert.equal(after('?'), 'U 1970-01-01T00:00:00Z');
  assert.equal(after('+'), 'U 1970-01-01T00:00:00Z');
  assert.equal(after('-'), 'D 1970-01-01T00:00:09Z');
});
