import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditEntry, OPERATIONS } from '@meshwork/contract';
import { CHAIN_START, type ChainPoint, chainHash } from '@meshwork/contract/chain';
import { verifyExport } from './verify-export.ts';

/** A trail as a coordinator would have written it. */
function trail(length: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  const [example] = OPERATIONS['audit.list'].example.answer.items;
  let previous = CHAIN_START;
  for (let seq = 1; seq <= length; seq++) {
    const { seq: _seq, revision: _revision, hash: _hash, ...rest } = example as AuditEntry;
    const body = { ...rest, id: `audit_${seq}`, detail: `a line \u2028 that ${seq} splits nowhere` };
    const revision = seq + 100;
    previous = chainHash({ previous, seq, revision, body: JSON.stringify(body) });
    entries.push({ ...body, seq, revision, hash: previous });
  }
  return entries;
}

async function verify(entries: readonly (AuditEntry | string)[], anchor?: ChainPoint) {
  const lines = (async function* () {
    for (const entry of entries) yield typeof entry === 'string' ? entry : JSON.stringify(entry);
  })();
  const report = await verifyExport(lines, anchor);
  return { report, faults: report?.faults.map(({ seq, id, reason }) => [seq, id, reason]) };
}

const at = (entries: readonly AuditEntry[], seq: number): ChainPoint => {
  const entry = entries.find((one) => one.seq === seq);
  return { seq, hash: entry?.hash ?? '' };
};

test('an untouched export is intact from the first entry to its head', async () => {
  const entries = trail(5);
  const { report } = await verify(entries, at(entries, 3));
  assert.deepEqual(report, {
    intact: true,
    checked: 5,
    base: { seq: 0, hash: CHAIN_START },
    taken_as_given: null,
    head: at(entries, 5),
    faults: [],
  });
});

test('entries of versions that did not name the token are intact, and not if one is put in', async () => {
  const [first] = trail(1) as [AuditEntry];
  const { seq, revision, hash: _, token: __, ...older } = first;
  const hash = chainHash({ previous: CHAIN_START, seq, revision, body: JSON.stringify(older) });
  const shown = (token: string | null): AuditEntry => ({ ...older, token, seq, revision, hash });
  assert.deepEqual((await verify([shown(null)])).faults, []);
  assert.deepEqual((await verify([shown('token_1')])).faults, [[1, 'audit_1', 'altered']]);
});

test('an altered entry is named, and only that one', async () => {
  const change = (entry: AuditEntry): AuditEntry[] => [
    { ...entry, action: 'tokens.forged' },
    { ...entry, revision: entry.revision + 1 },
    { ...entry, changes: [] },
    { ...entry, hash: 'f'.repeat(64) },
  ];
  for (const changed of change(trail(5)[2] as AuditEntry)) {
    const { faults, report } = await verify(trail(5).with(2, changed));
    assert.deepEqual(faults, [[3, 'audit_3', 'altered']]);
    assert.equal(report?.intact, false);
  }
});

test('an altered entry with a hash made to fit gives itself away in the next one', async () => {
  const entries = trail(5);
  const { seq, revision, hash: _, ...body } = { ...(entries[2] as AuditEntry), action: 'tokens.forged' };
  const hash = chainHash({ previous: at(entries, 2).hash, seq, revision, body: JSON.stringify(body) });
  const { faults } = await verify(entries.with(2, { ...body, seq, revision, hash }));
  assert.deepEqual(faults, [[4, 'audit_4', 'altered']]);
});

test('a removed entry is missing, a moved one misplaced, a mangled one altered', async () => {
  const entries = trail(6);
  assert.deepEqual((await verify(entries.toSpliced(2, 2))).faults, [[3, null, 'missing']]);
  const [one, two, three, ...rest] = entries as [AuditEntry, AuditEntry, AuditEntry];
  assert.deepEqual((await verify([one, three, two, ...rest])).faults, [
    [2, null, 'missing'],
    [2, 'audit_2', 'misplaced'],
  ]);
  assert.deepEqual((await verify([one, two, two, three, ...rest])).faults, [[2, 'audit_2', 'misplaced']]);
  assert.deepEqual((await verify([one, '{"torn', three, ...rest])).faults, [[2, null, 'altered']]);
});

test('an export from the middle is checked from its first entry on, whose hash is taken as given', async () => {
  const entries = trail(6).slice(2);
  const { report } = await verify(entries);
  assert.deepEqual(
    [report?.intact, report?.checked, report?.taken_as_given, report?.base],
    [true, 3, at(entries, 3), at(entries, 3)],
  );
  assert.deepEqual((await verify(entries.with(1, { ...(entries[1] as AuditEntry), count: 9 }))).faults, [
    [4, 'audit_4', 'altered'],
  ]);
});

test('an anchor shows that the trail was cut off or rewritten, which the trail alone cannot', async () => {
  const entries = trail(6);
  assert.deepEqual((await verify(entries.slice(0, 4), at(entries, 6))).faults, [[6, null, 'cut_off']]);
  const rewritten = { seq: 4, hash: 'f'.repeat(64) };
  assert.deepEqual((await verify(entries, rewritten)).faults, [[4, null, 'anchor_mismatch']]);
  assert.deepEqual((await verify(entries, { seq: 0, hash: CHAIN_START })).faults, []);
});

test('a file without entries says nothing about a trail', async () => {
  assert.equal((await verify([])).report, undefined);
  assert.equal((await verify(['', '  '])).report, undefined);
});
