/** Another program changes what the agent manages: it is found, put back and reported, and what is not the agent's stays. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EventRecord } from '@meshwork/contract';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { type ForeignChange, foreignChanges } from './foreign-change-cases.ts';
import { ForeignThings } from './foreign-things.ts';
import { setGrants } from './grants.ts';
import { untilDropped, untilReached } from './reach.ts';
import { postureOf, untilInSync } from './standing.ts';

const [GRANTED, FORBIDDEN] = [80, 81];
/** Most changes are heard at once. WireGuard's peers and names are looked at every ten seconds, or as long as that takes where the machine is busy. */
const FOUND_WITHIN_MS = 90_000;

/** By the node that it happens to: one after the other there, and on all nodes at the same time. */
const CASES = foreignChanges({ granted: GRANTED, forbidden: FORBIDDEN });
const TARGETS = [...new Set(CASES.map(({ on }) => on))];

describe('what another program changes on a node', { concurrency: true }, () => {
  let scene: Scene;
  const events: EventRecord[] = [];
  const ended = new AbortController();
  let following: Promise<void> = Promise.resolve();
  const addresses = new Map<string, string>();
  const others = new Map<string, ForeignThings>();
  const at = (name: string, port: number) => ({ host: addresses.get(name) ?? '', port });

  before(async () => {
    const nodes = ['source', ...TARGETS].map((name) => ({ name }));
    scene = await Scene.start({ nodes, settings: { nodes: { heartbeat_interval_s: 2 } } });
    following = follow(scene, events, ended.signal);
    await setGrants(
      scene,
      TARGETS.flatMap((to) => [
        { from: 'source', to, allow: [`tcp:${GRANTED}`] },
        { from: to, to: 'source', allow: [`tcp:${GRANTED}`] },
      ]),
    );
    for (const { name } of nodes) {
      addresses.set(name, await scene.addressOf(name));
      for (const port of [GRANTED, FORBIDDEN]) await scene.prober(name).listen(port);
    }
    await Promise.all(TARGETS.map(assertAsGranted));
    await untilInSync(scene, TARGETS);
    for (const name of TARGETS) others.set(name, await ForeignThings.put(scene.lab.node(name)));
  });
  after(async () => {
    ended.abort();
    await following.finally(() => scene?.[Symbol.asyncDispose]());
  });

  /** Packets: what is granted gets through, both ways, and what is not does not. */
  async function assertAsGranted(name: string): Promise<void> {
    await untilReached(scene.prober('source'), at(name, GRANTED));
    await untilReached(scene.prober(name), at('source', GRANTED));
    await untilReached(scene.prober(name), { host: 'source.mesh', port: GRANTED });
    await untilDropped(scene.prober('source'), at(name, FORBIDDEN));
  }

  for (const name of TARGETS) {
    test(`on ${name}`, { concurrency: false }, async (context) => {
      for (const change of CASES.filter(({ on }) => on === name)) {
        await context.test(`${change.what}: found, put back, and reported`, () => changed(change));
      }
      await context.test('it is reported as an event', () => reportedAsEvent(name));
      await context.test('and all that is not the agent’s is as it was', async () => {
        await others.get(name)?.assertUntouched();
      });
    });
  }

  async function changed({ on, make, found, section }: ForeignChange): Promise<void> {
    const source = await scene.node('source');
    const { repaired: before } = await postureOf(scene, on);
    await make(scene.lab.node(on), {
      address: addresses.get('source') ?? '',
      key: source.wireguard_key ?? '',
      own: addresses.get(on) ?? '',
    });
    let last = before;
    await until(
      async () => {
        last = (await postureOf(scene, on)).repaired;
        const isNew = last?.at !== before?.at || last?.found !== before?.found; // there may be two in a second
        return isNew && last?.sections.includes(section) === true && found.test(last.found);
      },
      () => `${on} tells of ${found}; it tells ${JSON.stringify(last)}`,
      FOUND_WITHIN_MS,
    );
    await assertAsGranted(on);
    await untilInSync(scene, [on]);
  }

  /** Of one node once a minute at most, so the first of its changes is reported at once, and the others together later. */
  async function reportedAsEvent(name: string): Promise<void> {
    const [first] = CASES.filter(({ on }) => on === name);
    let event: RepairEvent | undefined;
    await until(
      () => {
        event = events.map(({ data }) => data as unknown as RepairEvent).find((data) => data.name === name);
        return event !== undefined;
      },
      () => `an event tells of ${name}`,
    );
    assert.deepEqual(event?.sections, [first?.section]);
    assert.match(event?.reason ?? '', first?.found ?? /^$/);
  }
});

/** What an event says of a repair. */
interface RepairEvent {
  readonly name: string;
  readonly sections: readonly string[];
  readonly reason: string;
}

async function follow({ client }: Scene, events: EventRecord[], signal: AbortSignal): Promise<void> {
  try {
    for await (const event of client.events({ type: 'node.drift_repaired' }, { signal })) {
      if (event.type !== 'reset') events.push(event);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
