import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareVersions, isVersion } from './version.ts';

describe('versions', () => {
  it('come in the order of semver, and whatever is none comes first', () => {
    const order = [
      'dev',
      '0.9',
      '1.0.0-1',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0--x',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-beta',
      '1.0.0',
    ];
    const sorted = [...order, '1.0.0.1', '1.4.0-rc.2', '1.4.0-rc.10', '1.4', '1.10.0', '20270101123059123456'];
    for (const [index, earlier] of sorted.entries()) {
      assert.equal(compareVersions(earlier, earlier), 0);
      for (const later of sorted.slice(index + 1)) {
        assert.ok(compareVersions(earlier, later) < 0, `${earlier} < ${later}`);
        assert.ok(compareVersions(later, earlier) > 0, `${later} > ${earlier}`);
      }
    }
  });

  it('are the same with zeros at the end, zeros in front, and another build', () => {
    for (const text of ['1.4', '1.4.0', '1.4.0.0', '01.04', '1.4.0+build.7'])
      assert.equal(compareVersions(text, '1.4.0'), 0);
  });

  it('are dotted numbers with an optional pre-release', () => {
    for (const text of ['1', '1.4.0', '2.0.0-rc.1', '0.1.0-x-y.2']) assert.ok(isVersion(text), text);
    for (const text of [
      '',
      'v1.4.0',
      '1.',
      '.1',
      '1.x',
      '1.4.0-',
      '1.4.0-a..b',
      '>=1.4',
      '1.4 ',
      `1${'0'.repeat(64)}`,
    ]) {
      assert.ok(!isVersion(text), text);
    }
  });
});
