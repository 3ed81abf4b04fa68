import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Thread } from './thread.ts';

const DYING = new URL('../../test/dying-worker.ts', import.meta.url);
const BATCH = { after: 0, revision: 1, documents: [], appends: [] };

describe('a thread of the store that dies', () => {
  it('rejects every call under way, and leaves open whether a commit took effect', async () => {
    const thread = await Thread.start({ role: 'write', file: '/data/mesh.db', options: {} }, DYING);
    const marking = assert.rejects(thread.call('mark', { text: '[]', settled: null }), { fault: 'unavailable' });
    const committing = assert.rejects(thread.call('commit', BATCH), {
      fault: 'outcome_unknown',
      message: /disk controller caught fire/,
    });
    await Promise.all([marking, committing]);
    await assert.rejects(thread.call('touch'), { fault: 'unavailable', message: /disk controller caught fire/ });
    await thread.close();
  });

  it('leaves open whether observations were written', async () => {
    const thread = await Thread.start({ role: 'observe', file: '/data/mesh.db-observations', options: {} }, DYING);
    const reading = assert.rejects(thread.call('firstBeyond', 'telemetry', 1), { fault: 'unavailable' });
    await assert.rejects(thread.call('append', ['telemetry', 'a', 1, '1', '{}']), { fault: 'outcome_unknown' });
    await reading;
    await thread.close();
  });

  it('before it has opened, is unavailable', async () => {
    const script = new URL('../../test/no-such-worker.ts', import.meta.url);
    const start = { role: 'read', file: '/data/mesh.db', options: {} } as const;
    await assert.rejects(Thread.start(start, script), { fault: 'unavailable' });
  });
});
