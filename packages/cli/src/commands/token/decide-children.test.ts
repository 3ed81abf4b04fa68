import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleToken } from '@meshwork/contract';
import { Failure } from '../../failure.ts';
import { decideChildren } from './decide-children.ts';

describe('whether what a token made ends with it', () => {
  const decide = async (given: {
    wanted?: boolean;
    children?: (typeof exampleToken)[] | 'unknown';
    answer?: string;
  }) => {
    const notices: string[] = [];
    const asked: string[] = [];
    const { wanted, children = [exampleToken], answer } = given;
    const decided = await decideChildren({
      wanted,
      find: async () => (children === 'unknown' ? undefined : children),
      ask:
        answer === undefined
          ? undefined
          : async (question) => {
              asked.push(question);
              return answer;
            },
      tell: (text) => void notices.push(text),
    });
    return { decided, notices: notices.join('\n'), asked: asked.length };
  };

  it('is what the flags say, without a question', async () => {
    for (const wanted of [true, false]) {
      assert.deepEqual(await decide({ wanted, answer: 'y' }), { decided: wanted, notices: '', asked: 0 });
    }
  });

  it('is asked on a terminal, with the list', async () => {
    const { decided, notices } = await decide({ answer: 'y' });
    assert.equal(decided, true);
    assert.ok(notices.includes(exampleToken.id) && notices.includes(exampleToken.name));
    assert.equal((await decide({ answer: ' K ' })).decided, false);
  });

  it('cancels everything for any other answer, also for Ctrl-D', async () => {
    for (const answer of ['', 'n', 'maybe']) {
      await assert.rejects(
        decide({ answer }),
        (error) => error instanceof Failure && /nothing was revoked/.test(error.message),
      );
    }
  });

  it('is no question where it made nothing', async () => {
    assert.deepEqual(await decide({ children: [], answer: 'y' }), { decided: false, notices: '', asked: 0 });
  });

  it('is no without a terminal, and what stays is named', async () => {
    const { decided, notices } = await decide({});
    assert.equal(decided, false);
    assert.match(notices, /They stay valid\..*--with-children/);
    assert.ok(notices.includes(exampleToken.id));
  });

  it('is no where they cannot be listed, and says why', async () => {
    const { decided, notices } = await decide({ children: 'unknown', answer: 'y' });
    assert.equal(decided, false);
    assert.match(notices, /needs tokens:read/);
  });
});
