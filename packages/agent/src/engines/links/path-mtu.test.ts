import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PACKET_SIZES, PathMtu, SMALL_PACKET } from './path-mtu.ts';

const ROUND_MS = 400;
const FULL = 1420;

/** Asks until it is over, and answers what gets through, which may be another time than at first. Answers with what was asked. */
function asked(path: PathMtu, passes: (size: number, round: number) => boolean): number[][] {
  const rounds: number[][] = [];
  for (let now_ms = 0; now_ms < 60_000; now_ms += ROUND_MS) {
    const sizes = path.due(now_ms);
    if (sizes.length === 0) continue;
    path.asked(now_ms);
    rounds.push([...sizes]);
    for (const size of sizes) if (passes(size, rounds.length)) path.answered(size, 20);
  }
  assert.ok(path.isOver);
  return rounds;
}

describe('how large packets get to a peer', () => {
  it('is asked once where the largest gets through', () => {
    const path = new PathMtu();
    assert.equal(path.mtu, undefined);
    assert.deepEqual(
      asked(path, () => true),
      [[SMALL_PACKET, FULL]],
    );
    assert.equal(path.mtu, FULL);
  });

  for (const carried of [1419, 1400, 1344, 1280, 1200, 1184]) {
    it(`is the largest that gets through where ${carried} do`, () => {
      const path = new PathMtu();
      const rounds = asked(path, (size) => size <= carried);
      assert.equal(
        path.mtu,
        PACKET_SIZES.find((size) => size <= carried),
      );
      const count = rounds.flat().length;
      assert.ok(rounds.length === 3 && count <= 22, `${count} questions in ${rounds.length} rounds`);
    });
  }

  it('is the smallest that is tried where even that is lost', () => {
    const path = new PathMtu();
    asked(path, (size) => size === SMALL_PACKET);
    assert.equal(path.mtu, 1184);
  });

  it('is not known while nothing is answered, and that is given up', () => {
    const path = new PathMtu();
    const rounds = asked(path, () => false);
    assert.deepEqual(rounds, Array(5).fill([SMALL_PACKET, FULL]));
    assert.equal(path.mtu, undefined);
  });

  it('is not taken for less because packets of any size are lost for a while', () => {
    const path = new PathMtu();
    asked(path, (_, round) => round > 3);
    assert.equal(path.mtu, FULL);
  });

  it('is not taken for less because one was lost', () => {
    const path = new PathMtu();
    asked(path, (size, round) => size === SMALL_PACKET || round > 1);
    assert.equal(path.mtu, FULL);
  });

  it('is corrected by an answer that comes late', () => {
    const path = new PathMtu();
    asked(path, (size) => size <= 1280);
    path.answered(FULL, 3000);
    assert.equal(path.mtu, FULL);
  });

  it('waits longer where answers take longer', () => {
    const path = new PathMtu();
    path.asked(0);
    path.answered(SMALL_PACKET, 600);
    assert.deepEqual(path.due(1700), []);
    assert.ok(path.due(1800).includes(1408));
  });
});
