import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_PROBES, type NodeId, newId, type ProbeResult } from '@meshwork/contract';
import { ProbeDesk } from './probe-desk.ts';
import { ProbeMessages } from './probe-messages.ts';

const NODE = newId('node', 1) as NodeId;
const OTHER = newId('node', 2) as NodeId;
const LOOK = { look: { peers: [], rules: [], within_ms: 100 } };
const LONG_MS = 60_000;

/** What all coordinators of a mesh hear. */
class Store {
  readonly shared = true;
  readonly #receivers: ((message: string) => void)[] = [];

  async send(message: string): Promise<void> {
    for (const receive of this.#receivers) receive(message);
  }

  receive(receive: (message: string) => void): () => Promise<void> {
    this.#receivers.push(receive);
    return async () => undefined;
  }
}

interface Opened {
  readonly desk: ProbeDesk;
  readonly woken: NodeId[];
}

/** `here`: whose heartbeats wait at it. */
function open(here: readonly NodeId[], store = new Store()): Opened {
  const woken: NodeId[] = [];
  const waiting = { has: (node: NodeId) => here.includes(node), wake: (node: NodeId) => void woken.push(node) };
  return { desk: new ProbeDesk(waiting, new ProbeMessages(store, assert.ifError)), woken };
}

const said: Omit<ProbeResult, 'id'> = { look: { links: [], rules: [] } };

describe('the probe desk', () => {
  it('hands a probe out once, with the next answer, and gives its result to whom asked', async () => {
    const { desk, woken } = open([NODE]);
    const asked = desk.ask(NODE, LOOK, LONG_MS);
    assert.deepEqual([woken, desk.pending(NODE), desk.pending(OTHER)], [[NODE], true, false]);
    const [probe] = desk.take(NODE);
    assert.deepEqual(probe?.look, LOOK.look);
    assert.deepEqual([desk.pending(NODE), desk.take(NODE)], [false, []]);
    desk.receive(NODE, [{ id: probe?.id ?? '', ...said }]);
    assert.deepEqual((await asked)?.look, said.look);
    desk.close();
  });

  it('takes no answer of another node', async () => {
    const { desk } = open([NODE]);
    const asked = desk.ask(NODE, LOOK, LONG_MS);
    const id = desk.take(NODE)[0]?.id ?? '';
    desk.receive(OTHER, [{ id, error: 'not mine' }]);
    desk.receive(NODE, [{ id, ...said }]);
    assert.equal((await asked)?.error, undefined);
    desk.close();
  });

  it('is without an answer when the time is over, and then hands nothing out', async () => {
    const { desk } = open([NODE]);
    assert.equal(await desk.ask(NODE, LOOK, 1), undefined);
    assert.equal(desk.pending(NODE), false);
    desk.close();
  });

  it('takes two results of a watch', async () => {
    const { desk } = open([NODE]);
    const flow = { from: '100.64.0.1', to: '100.64.0.2', protocol: 'tcp', port: 22, source_port: 20_000 } as const;
    const watched = desk.watch(NODE, { watch: { flow, for_ms: 100 } }, LONG_MS);
    const id = desk.take(NODE)[0]?.id ?? '';
    desk.receive(NODE, [{ id, watch: { state: 'begun', arrived: 0, passed: 0 } }]);
    assert.equal((await watched.begun)?.watch?.state, 'begun');
    desk.receive(NODE, [{ id, watch: { state: 'ended', arrived: 1, passed: 1 } }]);
    assert.equal((await watched.ended)?.watch?.passed, 1);
    desk.close();
  });

  it('keeps no more for a node than one answer holds', () => {
    const { desk } = open([]);
    for (let count = 0; count < MAX_PROBES + 5; count++) void desk.ask(NODE, LOOK, LONG_MS);
    assert.equal(desk.take(NODE).length, MAX_PROBES);
    desk.close();
  });

  it('reaches a node whose heartbeat waits at another coordinator', async () => {
    const store = new Store();
    const [here, there] = [open([], store), open([NODE], store)];
    const asked = here.desk.ask(NODE, LOOK, LONG_MS);
    assert.deepEqual(there.woken, [NODE]);
    const id = there.desk.take(NODE)[0]?.id ?? '';
    there.desk.receive(NODE, [{ id, ...said }]);
    assert.deepEqual((await asked)?.look, said.look);
    here.desk.close();
    there.desk.close();
  });

  it('passes on in the place of too many foreign rules one that excludes nothing', async () => {
    const store = new Store();
    const [here, there] = [open([], store), open([NODE], store)];
    const asked = here.desk.ask(NODE, LOOK, LONG_MS);
    const id = there.desk.take(NODE)[0]?.id ?? '';
    const rule = { kind: 'filter', direction: 'in', text: 'x'.repeat(300), protocol: 'tcp', ports: ['22'] } as const;
    const foreign = Array.from({ length: 40 }, () => ({ ...rule, ports: ['22'] }));
    there.desk.receive(NODE, [{ id, look: { links: [], rules: [], foreign } }]);
    const got = (await asked)?.look?.foreign ?? [];
    assert.deepEqual(
      got.map(({ direction, protocol }) => [direction, protocol]),
      [
        ['in', undefined],
        ['out', undefined],
        ['forward', undefined],
      ],
    );
    here.desk.close();
    there.desk.close();
  });
});
