import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllows, without } from './allow-difference.ts';

const CASES: readonly (readonly [list: string, taken: string, left: string])[] = [
  ['tcp:22', '', 'tcp:22'],
  ['tcp:22', 'tcp:22', ''],
  ['tcp:22', 'udp:22', 'tcp:22'],
  ['tcp:10-20', 'tcp:15', 'tcp:10-14 tcp:16-20'],
  ['tcp:10-20', 'tcp:1-10', 'tcp:11-20'],
  ['tcp:10-20', 'tcp:20-30', 'tcp:10-19'],
  ['tcp:10-20', 'tcp:21-30', 'tcp:10-20'],
  ['tcp:10-20', 'tcp:12 tcp:14', 'tcp:10-11 tcp:13 tcp:15-20'],
  ['tcp:*', 'tcp:22', 'tcp:1-21 tcp:23-65535'],
  ['tcp:22 icmp udp:53', 'tcp:* icmp', 'udp:53'],
  ['tcp:22 icmp', '*', ''],
  ['*', 'tcp:* udp:* icmp', '*'],
  ['*', '*', ''],
];

for (const [list, taken, left] of CASES) {
  test(`${list} without ${taken || 'anything'} leaves ${left || 'nothing'}`, () => {
    assert.deepEqual(without(allows(list), allows(taken)), left === '' ? [] : left.split(' '));
  });
}

function allows(text: string) {
  return parseAllows(text === '' ? [] : text.split(' '));
}
