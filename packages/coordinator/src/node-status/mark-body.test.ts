import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markBody, parseMark } from './mark-body.ts';
import { type NodeStatus, unseen } from './node-status.ts';

const BOOT = 'b1';

function statusWith(rest: Partial<NodeStatus> = {}): NodeStatus {
  return { ...unseen(0), boot_id: BOOT, seq: 1, address: '192.0.2.1', clock_skew_s: 0.1, ...rest };
}

describe('what is kept of a heartbeat', () => {
  it('says the same after it was written and read, with the number of the heartbeat', () => {
    const applied = { peers: { revision: 3, digest: 'd' } } as NodeStatus['applied'];
    const relays = [{ name: 'eu', rtt_ms: 12 }];
    const relay_proofs = [{ name: 'eu', carries: true, via: 'udp' as const }];
    const serving = ['ingress_1'];
    const shown = { ingress_1: 'ab' };
    const text = markBody(BOOT, statusWith({ applied, observed: { relays, relay_proofs }, serving, shown }));
    const said = {
      boot_id: BOOT,
      address: '192.0.2.1',
      clock_skew_s: 0.1,
      applied,
      relays,
      relay_proofs,
      serving,
      shown,
    };
    assert.deepEqual(parseMark(9, text), { seq: 9, ...said });
  });

  it('of a node that has said little is read as that', () => {
    const { address, clock_skew_s, applied, relays } = parseMark(1, markBody(BOOT, { ...unseen(0), boot_id: BOOT }));
    assert.deepEqual(
      { address, clock_skew_s, applied, relays },
      {
        address: undefined,
        clock_skew_s: undefined,
        applied: {},
        relays: undefined,
      },
    );
  });

  it('does not change with the number of the heartbeat, nor with a clock that flickers', () => {
    const status = statusWith();
    const text = markBody(BOOT, status);
    Object.assign(status, { seq: 2, clock_skew_s: -0.2, seen_at: 5 });
    assert.equal(markBody(BOOT, status), text);
  });

  it('changes with everything that it says', () => {
    const changes: Partial<NodeStatus>[] = [
      { address: '192.0.2.2' },
      { clock_skew_s: 0.6 },
      { clock_skew_s: undefined },
      { applied: { peers: { revision: 4, digest: 'e' } } as NodeStatus['applied'] },
      { observed: { relays: [] } },
      { observed: { relay_proofs: [] } },
      { serving: ['ingress_1'] },
      { shown: { ingress_1: 'ab' } },
    ];
    for (const change of changes) {
      const status = statusWith();
      const before = markBody(BOOT, status);
      assert.notEqual(markBody(BOOT, Object.assign(status, change)), before, JSON.stringify(change));
      assert.equal(markBody(BOOT, status), markBody(BOOT, statusWith(change)));
    }
    const status = statusWith();
    assert.notEqual(markBody(BOOT, status), markBody('b2', status));
  });

  it('began with that number before it was kept apart, and can still be read', () => {
    const text = markBody(BOOT, statusWith());
    assert.deepEqual(parseMark(0, `57 ${text}`), parseMark(57, text));
  });
});
