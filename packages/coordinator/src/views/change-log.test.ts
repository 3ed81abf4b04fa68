import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import { ChangeLog } from './change-log.ts';

const node = (number: number) => `node_${number}` as NodeId;

describe('a log of changes', () => {
  it('says what came after a revision', () => {
    const log = new ChangeLog(10);
    for (const revision of [11, 12, 12, 15]) log.add(node(revision), revision);
    assert.deepEqual([...log.after(11)], [[node(12), 12], [node(12), 12], [node(15), 15]]); // biome-ignore format: a table
    assert.deepEqual([...log.after(15)], []);
    assert.equal(log.since, 10);
  });

  it('forgets what is old when it gets long, and says so', () => {
    const log = new ChangeLog(0);
    for (let revision = 1; revision <= 2001; revision++) log.add(node(revision), revision);
    assert.equal(log.since, 1000);
    assert.deepEqual([...log.after(1000)].length, 1001);
  });

  it('of one commit that is longer than it can keep knows nothing before that commit', () => {
    const log = new ChangeLog(0);
    for (let peer = 0; peer < 5000; peer++) log.add(node(peer), 7);
    assert.equal(log.since, 7);
  });

  it('finds the newest line that is about another node', () => {
    const log = new ChangeLog(0);
    log.add(node(1), 3);
    log.add(node(2), 4);
    log.add(node(2), 5);
    assert.equal(log.newestBut(node(2)), 3);
    assert.equal(log.newestBut(node(1)), 5);
    assert.equal(new ChangeLog(9).newestBut(node(1)), 0);
  });
});
