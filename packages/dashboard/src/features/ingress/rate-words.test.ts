import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Point, rateText, recentRate, shareText, widerSteps } from './rate-words.ts';

const at = (second: number) => new Date(Date.parse('2026-11-15T09:00:00Z') + second * 1000).toISOString();
const point = (second: number, ok: number, failed = 0): Point => ({
  ...{ at: at(second), requests: ok + failed, errors: failed },
  classes: { '1xx': 0, '2xx': ok, '3xx': 1, '4xx': 0, '5xx': failed, other: 1 },
});

describe('rates of an ingress in words', () => {
  it('have as many digits as say something', () => {
    assert.deepEqual([0, 0.004, 0.5, 12.34, 1234.5].map(rateText), ['0/s', '<0.01/s', '0.5/s', '12.3/s', '1,235/s']);
  });

  it('are shares of something', () => {
    assert.equal(shareText(0, 0), null);
    assert.deepEqual(
      [shareText(0, 9), shareText(1, 100_000), shareText(1, 300), shareText(1, 3)],
      ['0%', '<0.01%', '0.33%', '33.3%'],
    );
  });

  it('are put together by whole minutes, each request once', () => {
    const points = [45, 60, 75, 90, 105, 120].map((second, index) => point(second, index + 1, 1));
    assert.deepEqual(widerSteps(points, 60_000), [
      { at: at(0), counts: [1, 0, 2, 1] },
      { at: at(60), counts: [4, 0, 8, 2 + 3 + 4 + 5] },
      { at: at(120), counts: [1, 0, 2, 6] },
    ]);
  });

  it('are of the last whole minute, not of the step that has just begun', () => {
    const points = [0, 15, 30, 45, 60].map((second) => point(second, second === 60 ? 1 : 30));
    assert.equal(recentRate(points, 15), 2);
    assert.equal(recentRate([], 15), 0);
  });
});
