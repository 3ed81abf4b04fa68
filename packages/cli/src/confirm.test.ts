import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lossesOf } from './commands/node/what-goes.ts';
import { confirmRemoval } from './confirm.ts';

const answering = (answer: string) => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer;
  };
  return { asked, terminal: { isTerminal: true, ask } };
};

describe('what cannot be undone', () => {
  it('is done when the person says yes', async () => {
    for (const answer of ['y', 'Y\n', ' yes']) {
      const { asked, terminal } = answering(answer);
      await confirmRemoval({}, 'removing git-1', () => 'git-1 leaves the mesh.', terminal);
      assert.deepEqual(asked, ['git-1 leaves the mesh.\nThis cannot be undone. Continue? [y/N] ']);
    }
  });

  it('is not done on any other answer', async () => {
    for (const answer of ['', 'n', 'yep', 'git-1']) {
      const { terminal } = answering(answer);
      await assert.rejects(
        confirmRemoval({}, 'x', () => 'x', terminal),
        { code: 'not_confirmed', exit: 'failed' },
      );
    }
  });

  it('is not asked for with --yes, and refused where there is no terminal', async () => {
    const fails = () => assert.fail('nothing is described without a reader');
    const terminal = { isTerminal: false, ask: fails };
    await confirmRemoval({ yes: true }, 'x', fails, terminal);
    await assert.rejects(confirmRemoval({}, 'removing git-1', fails, terminal), {
      message: 'removing git-1 cannot be undone, and there is no terminal to confirm it on',
      exit: 'usage',
    });
  });
});

it('what goes with a node is named, and what it does not have is not', () => {
  const node = { name: 'git-1', address: '100.64.0.7/32', routes_provided: ['10.0.0.0/8'], services: [] };
  assert.deepEqual(lossesOf(node, { relays: ['fra-1'], ingresses: [] }), [
    '  the networks it forwards to: 10.0.0.0/8',
    '  relays it runs: fra-1',
    '  its keys, its name git-1 and its address 100.64.0.7: enrolling it again makes another node',
  ]);
});
