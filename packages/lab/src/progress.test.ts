import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressBar, StatusLine } from './progress.ts';

function setUp(isTTY: boolean, columns?: number) {
  let text = '';
  let now = 0;
  const write = (piece: string) => {
    text += piece;
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { screen: { isTTY, columns, write }, now: () => now, text: () => text, pass };
}

test('on a terminal the line is written over, and never wider than the window', () => {
  const it = setUp(true, 20);
  const line = new StatusLine(it);
  line.update('a long status that does not fit');
  line.update('too soon');
  it.pass(100);
  line.update('short');
  line.end('end');
  const blank = ' '.repeat(19);
  assert.equal(it.text(), `\ra long status that…\r${blank}\rshort\r     \rend\n`);
});

test('elsewhere it is whole lines, and few of them', () => {
  const it = setUp(false);
  const bar = new ProgressBar('enrolling', 4000, it);
  for (let done = 0; done <= 4000; done += 1) {
    it.pass(10);
    bar.update(done);
  }
  bar.end(4000);
  assert.deepEqual(it.text().split('\n'), [
    'enrolling  [------------------------------]  0 of 4,000',
    'enrolling  [########----------------------]  1,000 of 4,000  0:30 left',
    'enrolling  [###############---------------]  2,000 of 4,000  0:20 left',
    'enrolling  [#######################-------]  3,000 of 4,000  0:10 left',
    'enrolling  [##############################]  4,000 of 4,000',
    '',
  ]);
});

test('a note stands above the line', () => {
  const it = setUp(true);
  const line = new StatusLine(it);
  line.update('status');
  line.note('note');
  assert.equal(it.text(), '\rstatus\r      \rnote\nstatus');
});
