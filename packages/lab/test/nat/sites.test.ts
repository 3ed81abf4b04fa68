/** That the routers of a lab do to packets what their names say, measured from outside by plain sockets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Lab } from '../../src/namespaces/lab.ts';
import { LabError } from '../../src/namespaces/lab-error.ts';
import { PUBLIC_UNDERLAY } from '../../src/namespaces/plan/fixed.ts';
import { NAT_BEHAVIOURS, NAT_KINDS, type NatKind } from '../../src/namespaces/plan/nat-kinds.ts';
import { newLabName } from '../lab-names.ts';
import { tracesOf } from '../lab-traces.ts';
import { type BareSocket, BareSockets, type Endpoint } from './bare-sockets.ts';
import { EVERY_SITE, NODE_IN_EVERY_SITE } from './every-site.ts';
import { measureNat, newText, type Server, type Servers, seenBy } from './measure-nat.ts';

const PORTS = [5001, 5002] as const;
const SOON_S = 1;
const STRICT = { mapping: 'endpoint-independent', filtering: 'address-and-port-dependent', keeps_port: true };

describe('the sites of a lab', () => {
  const name = newLabName();
  const stack = new AsyncDisposableStack();
  const inside = new Map<string, BareSockets>();
  const servers = new Map<4 | 6, Servers>();
  let lab: Lab;
  let port = 6000;
  /** Each measurement has ports of its own: a router remembers what it did. */
  const newPort = () => {
    port += 2;
    return port;
  };
  const at = (node: string): BareSockets => {
    const sockets = inside.get(node) ?? stack.use(new BareSockets(lab.place(node)));
    inside.set(node, sockets);
    return sockets;
  };
  const serversOf = (family: 4 | 6 = 4) => servers.get(family) as Servers;
  const address = (node: string) => lab.node(node).address;
  const router = (site: string) => lab.plan.sites.find((each) => each.name === site)?.four?.address ?? '';

  before(async () => {
    const coordinator = createServer((socket) => socket.end(`hello ${socket.remoteAddress}\n`));
    coordinator.listen(0, '127.0.0.1');
    await once(coordinator, 'listening');
    stack.defer(() => {
      coordinator.close();
    });
    const second = (['full-cone', 'port-restricted', 'masquerade'] as const).map((site) => ({
      name: `${site}-2`,
      site,
    }));
    lab = stack.use(
      await Lab.up({
        name,
        nodes: [...NODE_IN_EVERY_SITE, ...second, { name: 'roamer', site: 'full-cone' }],
        sites: EVERY_SITE,
        coordinator: `http://127.0.0.1:${(coordinator.address() as AddressInfo).port}`,
        program: [],
      }),
    );
    for (const family of [4, 6] as const) {
      servers.set(family, [await serverOn('pub-1', family), await serverOn('pub-2', family)]);
    }
  });
  after(() => stack.disposeAsync());

  async function serverOn(node: string, family: 4 | 6): Promise<Server> {
    const { address: four, address6 } = lab.node(node).planned;
    const sockets = [await at(node).bind(PORTS[0], family), await at(node).bind(PORTS[1], family)] as const;
    return { host: family === 4 ? four : (address6 ?? ''), ports: PORTS, sockets };
  }

  for (const kind of NAT_KINDS) {
    test(`${kind} maps, filters and keeps ports as RFC 4787 says of it`, async () => {
      const measured = await measureNat(at(`${kind}-1`), serversOf(), { port: newPort() });
      assert.deepEqual(measured, { ...NAT_BEHAVIOURS[kind], seen_at: router(kind) });
    });
  }

  test('two nodes with the same port have one each outside, and each gets its own answers', async () => {
    for (const kind of ['full-cone', 'port-restricted', 'masquerade']) {
      const same = newPort();
      const sockets = [await at(`${kind}-1`).bind(same), await at(`${kind}-2`).bind(same)] as const;
      // Linux by itself keeps the port of both as long as they send to different places.
      const [one, other] = kind === 'masquerade' ? [serversOf()[0], serversOf()[0]] : serversOf();
      const seen = [await seenBy(one, 0, sockets[0]), await seenBy(other, 0, sockets[1])] as const;
      assert.equal(seen[0].port, same);
      assert.notEqual(seen[1].port, same, kind);
      for (const [which, server] of [one, other].entries()) {
        const [socket, own] = [sockets[which], seen[which]] as [BareSocket, Endpoint];
        const text = newText();
        await server.sockets[0].send(own, text);
        await socket.from(text);
        assert.ok(!sockets[1 - which]?.has(text), kind);
        assert.equal((await seenBy(one, 1, socket)).port, own.port, `${kind} goes on so`);
      }
    }
  });

  test('a router with a hairpin translates between its own nodes, and both look as from outside', async () => {
    const [called, caller] = [await at('full-cone-1').bind(newPort()), await at('full-cone-2').bind(newPort())];
    const [one] = serversOf();
    const [calledAt, callerAt] = [await seenBy(one, 0, called), await seenBy(one, 0, caller)];
    const [call, answer] = [newText(), newText()];
    await caller.send(calledAt, call);
    assert.deepEqual(endpoint(await called.from(call)), endpoint(callerAt));
    await called.send(callerAt, answer);
    assert.deepEqual(endpoint(await caller.from(answer)), endpoint(calledAt));
  });

  test('a router without one loses it, and they meet by their addresses inside', async () => {
    const calledPort = newPort();
    const [called, caller] = [
      await at('port-restricted-1').bind(calledPort),
      await at('port-restricted-2').bind(newPort()),
    ];
    const [one] = serversOf();
    const calledAt = await seenBy(one, 0, called);
    const [lost, direct] = [newText(), newText()];
    await caller.send(calledAt, lost);
    await caller.send({ host: lab.node('port-restricted-1').planned.inner_address ?? '', port: calledPort }, direct);
    assert.equal((await called.from(direct)).host, lab.node('port-restricted-2').planned.inner_address);
    assert.ok(!called.has(lost));
  });

  test('behind a carrier a node is seen at the address of the carrier, and the stricter router decides', async () => {
    const soft = await measureNat(at('double-1'), serversOf(), { port: newPort() });
    assert.deepEqual(soft, { ...STRICT, seen_at: router('carrier') });
    assert.match(router('double'), /^100\.64\./);
    const hard = await measureNat(at('hard-double-1'), serversOf(), { port: newPort() });
    assert.deepEqual(hard, { ...NAT_BEHAVIOURS['masquerade-fully-random'], seen_at: router('hard-carrier') });
  });

  test('a site that lets out TCP alone, or port 443 of it alone, loses every datagram', async () => {
    const [one] = serversOf();
    for (const node of ['tcp-only-1', 'tcp-443-only-1']) {
      const text = newText();
      await (await at(node).bind(newPort())).send({ host: one.host, port: PORTS[0] }, text);
      await at(node).greeting(DOOR[4], 20); // had the datagram passed, it would have been there before
      assert.ok(!one.sockets[0].has(text), node);
    }
    // An open port that no program listens on refuses; a closed one is silent.
    await assert.rejects(at('tcp-only-1').greeting({ host: one.host, port: 8443 }, 20), /refused/);
    await assert.rejects(at('tcp-443-only-1').greeting({ host: one.host, port: 8443 }, SOON_S), /timed out/);
    await assert.rejects(at('tcp-443-only-1').greeting({ host: one.host, port: 443 }, 20), /refused/);
  });

  test('every node has a way to the coordinator, whatever its site lets out', async () => {
    for (const { name: node, planned } of lab.nodes.values()) {
      const door = planned.site === 'ipv6-only' ? DOOR[6] : DOOR[4];
      assert.match(await at(node).greeting(door, 20), /^hello /, node);
    }
    assert.match(await at('dual-stack-1').greeting(DOOR[6], 20), /^hello /);
    assert.match(await lab.node('ipv6-only-1').exec('cat', ['/etc/hosts']), /2001:db8::1\tcoordinator\.test/);
  });

  test('IPv6 is not translated, and lets in only what answers', async () => {
    for (const node of ['ipv6-only-1', 'dual-stack-1']) {
      const measured = await measureNat(at(node), serversOf(6), { port: newPort(), family: 6 });
      assert.deepEqual(measured, { ...STRICT, seen_at: lab.node(node).planned.address6 });
    }
    const four = await measureNat(at('dual-stack-1'), serversOf(), { port: newPort() });
    assert.deepEqual(four, { ...STRICT, seen_at: router('dual-stack') });
    assert.equal(await lab.node('ipv6-only-1').exec('ip', ['-4', 'addr', 'show', 'dev', 'eth0']), '');
    assert.equal(address('ipv6-only-1'), lab.node('ipv6-only-1').planned.address6);
  });

  test('two that send to each other meet unless one port is unknown and the other side is strict', async () => {
    const [one] = serversOf();
    for (const [index, a] of NAT_KINDS.entries()) {
      for (const b of NAT_KINDS.slice(index + 1)) {
        const ends: readonly [BareSocket, BareSocket] = [
          await at(`${a}-1`).bind(newPort()),
          await at(`${b}-1`).bind(newPort()),
        ];
        const seen = [await seenBy(one, 0, ends[0]), await seenBy(one, 0, ends[1])] as const;
        const texts = [newText(), newText()] as const;
        for (let round = 0; round < 2; round += 1) {
          await ends[0].send(seen[1], texts[0]);
          await ends[1].send(seen[0], texts[1]);
        }
        const last = newText();
        for (const which of [0, 1] as const) {
          await one.sockets[0].send(seen[which], last);
          await ends[which].from(last);
        }
        const met = ends[0].has(texts[1]) || ends[1].has(texts[0]);
        assert.equal(met, canMeet(a, b), `${a} and ${b}`);
      }
    }
  });

  test('a node that moves is elsewhere at once, with the socket that it has', async () => {
    const socket = await at('roamer').bind(newPort());
    const [one] = serversOf();
    assert.equal((await seenBy(one, 0, socket)).host, router('full-cone'));
    await lab.move('roamer', 'masquerade');
    assert.equal((await seenBy(one, 0, socket)).host, router('masquerade'));
    assert.equal(address('roamer'), router('masquerade'));
    await lab.move('roamer', 'internet');
    assert.equal((await seenBy(one, 0, socket)).host, address('roamer'));
    assert.match(address('roamer'), /^203\.0\.113\./);
    const other = await Lab.open(name, []);
    assert.deepEqual(other.node('roamer').planned, lab.node('roamer').planned);
    await Promise.all([lab.move('roamer', 'double'), other.move('roamer', 'dual-stack')]);
    const { site } = (await Lab.open(name, [])).node('roamer').planned;
    assert.equal((await seenBy(one, 0, socket)).host, router(site === 'double' ? 'carrier' : 'dual-stack'));
    assert.deepEqual((await lab.node('roamer').exec('ip', ['-br', 'link'])).match(/eth\d/g), ['eth0']);
  });

  test('where a node cannot move is said in words', async () => {
    const refused = (message: RegExp) => (error: unknown) => error instanceof LabError && message.test(error.message);
    await assert.rejects(lab.move('roamer', 'moon'), refused(/no site "moon".*there are full-cone, .*internet/));
    await assert.rejects(lab.move('roamer', 'carrier'), refused(/carrier is the carrier of double/));
    await assert.rejects(lab.move('x', 'internet'), refused(/no node "x"/));
  });

  test('a site is cut off as a whole', async () => {
    const socket = await at('symmetric-1').bind(newPort());
    const [one, other] = serversOf();
    await lab.cut('symmetric', 'pub-1');
    assert.deepEqual(await lab.cuts(), [['pub-1', 'symmetric']]);
    const lost = newText();
    await socket.send({ host: one.host, port: PORTS[0] }, lost);
    await seenBy(other, 0, socket);
    assert.ok(!one.sockets[0].has(lost));
    await lab.mend('symmetric-1', 'pub-1');
    await seenBy(one, 0, socket);
    const refused = (message: RegExp) => (error: unknown) => error instanceof LabError && message.test(error.message);
    await assert.rejects(lab.cut('full-cone-1', 'pub-1'), refused(/shares the router of full-cone/));
    await assert.rejects(lab.cut('double-1', 'pub-1'), refused(/double-1 is behind carrier: cut carrier itself/));
  });

  test('nothing of it is left on the machine when it is over', async () => {
    await lab.down();
    for (const sockets of inside.values()) await sockets[Symbol.asyncDispose]();
    assert.deepEqual(tracesOf(name), []);
  });
});

const DOOR = {
  4: { host: PUBLIC_UNDERLAY.gateway, port: 443 },
  6: { host: PUBLIC_UNDERLAY.gateway6, port: 443 },
} as const;

/** A port that differs for each destination cannot be known, so the other side must let in a stranger's. */
function canMeet(a: NatKind, b: NatKind): boolean {
  const isHard = (kind: NatKind) => NAT_BEHAVIOURS[kind].mapping !== 'endpoint-independent';
  const isStrict = (kind: NatKind) => NAT_BEHAVIOURS[kind].filtering === 'address-and-port-dependent';
  return !((isHard(a) && isStrict(b)) || (isHard(b) && isStrict(a)));
}

function endpoint({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host}:${port}`;
}
