import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditBody, type AuditEntry, MeshError, newId, WHOLE_MESH } from '@meshwork/contract';
import type { Entry, Journal, LogQuery } from '@meshwork/store';
import { Model } from '../../mesh/model.ts';
import type { Call, Stream } from '../handler.ts';
import { listAudit } from './read-audit.ts';

function entryAt(seq: number): Entry {
  const id = newId('audit', seq);
  const at = new Date(seq).toISOString();
  const actor = { kind: 'system', id: null, name: 'coordinator' } as const;
  const rest = {
    code: null,
    count: 1,
    token: null,
    target: null,
    request_id: null,
    address: null,
    detail: null,
    changes: [],
  };
  const body: AuditBody = { id, at, action: 'test.write', outcome: 'done', actor, scope: WHOLE_MESH, ...rest };
  const labels = { actor: null, action: body.action, target: null };
  return { log: 'audit', seq, id, at_ms: seq, revision: seq, hash: null, body: JSON.stringify(body), ...labels };
}

/** A trail in memory, to which every read adds an entry. */
class BusyTrail {
  readonly #entries: Entry[];

  constructor(entries: number) {
    this.#entries = Array.from({ length: entries }, (_, index) => entryAt(index + 1));
  }

  async range({ order, limit, after_seq }: LogQuery): Promise<readonly Entry[]> {
    const ordered = order === 'newest_first' ? this.#entries.toReversed() : [...this.#entries];
    this.#entries.push(entryAt(this.#entries.length + 1));
    const isAfter = ({ seq }: Entry) =>
      after_seq === undefined || (order === 'newest_first' ? seq < after_seq : seq > after_seq);
    return ordered.filter(isAfter).slice(0, limit);
  }
}

async function exportOf(trail: BusyTrail, ensureStillAllowed: () => void): Promise<Stream> {
  const asked = { wants: 'application/x-ndjson', query: {}, actor: { scope: WHOLE_MESH }, ensureStillAllowed };
  // Only what an export asks of the two: the real ones cannot be made to change at a given chunk.
  return (await listAudit(
    { journal: trail as unknown as Journal, model: new Model() },
    asked as unknown as Call<'audit.list'>,
  )) as Stream;
}

describe('the export of the audit trail', () => {
  it('ends with the entry that was the newest when it began', async () => {
    const { lines } = await exportOf(new BusyTrail(1100), () => undefined);
    const seqs = (await Array.fromAsync(lines)).map((line) => (JSON.parse(line) as AuditEntry).seq);
    assert.deepEqual(
      seqs,
      Array.from({ length: 1100 }, (_, index) => index + 1),
    );
  });

  it('breaks off once its token may no longer read', async () => {
    let allowed = 2;
    const { lines } = await exportOf(new BusyTrail(2000), () => {
      allowed -= 1;
      if (allowed < 0) throw new MeshError('token_revoked', 'The token was revoked.');
    });
    let count = 0;
    const read = async () => {
      for await (const _ of lines) count += 1;
    };
    await assert.rejects(read, { code: 'token_revoked' });
    assert.equal(count, 1000);
  });
});
