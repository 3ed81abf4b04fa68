/** Names of the mesh on real hosts: each with a resolver of Debian, asked as any program asks. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { NamedHost, OTHER_SERVER, peer, SELF } from '../../../../test/named-host.ts';
import { until } from '../../../../test/namespaces.ts';

const BEFORE = `# by hand\nsearch lan.example\nnameserver ${OTHER_SERVER}\noptions timeout:1 attempts:1\n`;
const HOSTS = '127.0.0.1 localhost\n';
const WEB = ['100.64.0.2', 'fd64::2'];

/** What every way has to do. */
async function assertResolves(host: NamedHost): Promise<void> {
  assert.deepEqual((await host.lookUp('web-1.mesh'))?.toSorted(), WEB);
  assert.deepEqual((await host.lookUp('web-1'))?.toSorted(), WEB, 'by its name alone');
  assert.deepEqual((await host.lookUp('wiki.mesh'))?.toSorted(), WEB);
  assert.deepEqual(await host.lookUp('a.b.apps.mesh'), ['10.0.0.1']);
  assert.equal(await host.lookUp('unknown.mesh'), undefined);
  assert.deepEqual(await host.lookUp('outside.example'), ['192.0.2.7'], 'what is not of the mesh is left alone');
  assert.match(await host.place.run('getent', ['hosts', '100.64.0.2']), /web-1\.mesh/);
  assert.equal(await host.read('/etc/hosts'), HOSTS, 'nothing is in the hosts file');
}

/** Host names of ingresses that are reached through the mesh, until they are not: then they are as they are known outside. */
async function assertResolvesIngresses(host: NamedHost, forget: () => Promise<unknown>): Promise<void> {
  const take = (ingresses: { hostname: string; addresses: string[] }[]) =>
    host.ask({ call: 'take', reply: { dns: { records: [], routing_domains: [], ingresses } } });
  const shop = { hostname: 'shop.example.net', addresses: [...WEB] };
  await take([
    shop,
    { hostname: 'mesh.example.org', addresses: [...WEB] },
    { hostname: 'wiki.mesh', addresses: [...WEB] },
  ]);
  assert.deepEqual((await host.lookUp('shop.example.net'))?.toSorted(), WEB);
  assert.deepEqual((await host.lookUp('wiki.mesh'))?.toSorted(), WEB);
  assert.equal(await host.lookUp('mesh.example.org'), undefined, 'a coordinator is not in the mesh');
  assert.deepEqual(await host.lookUp('deep.shop.example.net'), ['192.0.2.7'], 'what lies below is left alone');
  assert.deepEqual(await host.lookUp('outside.example'), ['192.0.2.7']);
  await take([{ ...shop, addresses: ['100.64.0.3'] }]);
  await forget();
  assert.deepEqual(await host.lookUp('shop.example.net'), ['100.64.0.3'], 'another gateway serves it');
  await take([]);
  await forget();
  assert.equal(await host.lookUp('shop.example.net'), undefined, 'it is not known outside');
  await host.takeMesh();
}

async function assertGone(host: NamedHost): Promise<void> {
  assert.equal(await host.lookUp('web-1.mesh'), undefined);
  assert.deepEqual(await host.lookUp('outside.example'), ['192.0.2.7']);
}

describe('a host whose resolv.conf is written by hand', () => {
  it('asks the agent first, follows the mesh, and is as it was when the agent is removed, killed or not', async () => {
    await using host = await NamedHost.start();
    await host.write('/etc/resolv.conf', BEFORE);
    await host.startAgent();
    await host.takeMesh();
    const { resolved_by, answers_at, problem, count, not_by } = await host.diagnose();
    assert.deepEqual(
      { resolved_by, answers_at, problem, count },
      { resolved_by: '/etc/resolv.conf', answers_at: [SELF.address, SELF.address6], problem: null, count: 4 },
    );
    assert.equal(not_by.length, 2, 'why it is neither of the others');
    assert.deepEqual(await host.ask({ call: 'report' }), { names: { resolver: '/etc/resolv.conf' } });
    await assertResolves(host);
    await assertResolvesIngresses(host, async () => undefined);
    const written = await host.read('/etc/resolv.conf');
    assert.ok(written.includes(BEFORE) && /^search lan\.example mesh$/m.test(written));

    await host.ask({ call: 'take', reply: { peers: { upsert: [peer('db-1', 3)], remove: [peer('web-1', 2).id] } } });
    assert.deepEqual((await host.lookUp('db-1.mesh'))?.toSorted(), ['100.64.0.3', 'fd64::3']);
    assert.equal(await host.lookUp('web-1.mesh'), undefined);
    await host.ask({ call: 'take', reply: { peers: { full: [peer('web-1', 2)] } } });

    await host.write('/etc/resolv.conf', BEFORE); // as a DHCP client does
    assert.match(String(await host.ask({ call: 'check' })), /not resolved by \/etc\/resolv\.conf: .*did not reach/);
    assert.equal(await host.ask({ call: 'check' }), null);
    await assertResolves(host);

    await host.killAgent();
    assert.deepEqual(await host.lookUp('outside.example'), ['192.0.2.7'], 'the next server is asked');
    await host.startAgent();
    await host.takeMesh();
    await assertResolves(host);
    await host.ask({ call: 'remove' });
    assert.equal(await host.read('/etc/resolv.conf'), BEFORE);
    assert.equal(await host.read('/etc/hosts'), HOSTS);
    await assertGone(host);
  });

  it('is left alone where names are to stand in the hosts file', async () => {
    await using host = await NamedHost.start();
    await host.write('/etc/resolv.conf', BEFORE);
    await host.startAgent();
    await host.takeMesh();
    await host.killAgent();
    await host.startAgent('hosts');
    assert.deepEqual(await host.ask({ call: 'report' }), {}, 'nothing is settled yet');
    await host.takeMesh();
    assert.deepEqual(await host.ask({ call: 'report' }), { names: { resolver: '/etc/hosts' } });
    assert.equal(await host.read('/etc/resolv.conf'), BEFORE, 'what the agent before it wrote is gone');
    assert.deepEqual((await host.lookUp('web-1.mesh'))?.toSorted(), WEB);
    assert.equal((await host.diagnose()).resolved_by, '/etc/hosts');
  });

  it('has names in the hosts file while another program has port 53, and by DNS once it is free', async () => {
    await using host = await NamedHost.start();
    await host.write('/etc/resolv.conf', BEFORE);
    const holder = await holdPort(host);
    await host.startAgent();
    await host.takeMesh();
    const { resolved_by, problem } = await host.diagnose();
    assert.equal(resolved_by, '/etc/hosts');
    assert.match(problem ?? '', new RegExp(`port 53 of ${SELF.address} is taken by .*\\(${holder.pid}\\)`));
    assert.deepEqual(await host.ask({ call: 'report' }), { names: { resolver: '/etc/hosts', problem } });
    assert.deepEqual((await host.lookUp('web-1.mesh'))?.toSorted(), WEB);
    assert.equal(await host.read('/etc/resolv.conf'), BEFORE);
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    assert.equal(await host.ask({ call: 'check', later_ms: 61_000 }), null);
    assert.equal((await host.diagnose()).resolved_by, '/etc/resolv.conf');
    assert.deepEqual(await host.ask({ call: 'report' }), { names: { resolver: '/etc/resolv.conf' } });
    await assertResolves(host);
  });

  it('keeps names in the hosts file where its resolver goes elsewhere', async () => {
    await using host = await NamedHost.start();
    await host.write('/etc/resolv.conf', BEFORE);
    await host.write('/etc/nsswitch.conf', 'hosts: files\n'); // DNS is not asked at all
    await host.startAgent();
    await host.takeMesh();
    const { resolved_by, not_by } = await host.diagnose();
    assert.equal(resolved_by, '/etc/hosts');
    assert.match(not_by.at(-1) ?? '', /^\/etc\/resolv\.conf: a look-up did not reach the agent$/);
    assert.equal(await host.read('/etc/resolv.conf'), BEFORE);
    assert.deepEqual((await host.lookUp('web-1.mesh'))?.toSorted(), WEB);
  });
});

for (const [kind, prepare] of [
  [
    'resolvconf',
    'mkdir -p /run/resolvconf/interface; ln -sf /run/resolvconf/resolv.conf /etc/resolv.conf; resolvconf --enable-updates',
  ],
  ['openresolv', 'mkdir -p /run/resolvconf; rm /etc/resolv.conf'],
] as const) {
  describe(`a host with ${kind} of Debian`, () => {
    it('asks the agent first, and is as it was when the agent is removed', async () => {
      await using host = await NamedHost.start([kind]);
      await host.place.run('sh', ['-euc', prepare]);
      await host.place.run('resolvconf', ['-a', 'eth0.inet'], { input: BEFORE });
      await until('resolvconf has written the file', async () =>
        (await host.read('/etc/resolv.conf')).includes(OTHER_SERVER),
      );
      const before = await host.read('/etc/resolv.conf');
      await host.startAgent();
      await host.takeMesh();
      const { resolved_by, not_by } = await host.diagnose();
      assert.equal(resolved_by, 'resolvconf', `${not_by}\n${before}`);
      await assertResolves(host);
      await host.killAgent();
      await host.startAgent();
      await host.takeMesh();
      await assertResolves(host);
      await host.ask({ call: 'remove' });
      assert.equal(await host.read('/etc/resolv.conf'), before);
      await assertGone(host);
    });
  });
}

describe('a host with systemd-resolved of Debian', () => {
  it('asks the agent for the domains of its link, and forgets them when the agent is removed', async () => {
    await using host = await NamedHost.start(['systemd-resolved']);
    await startResolved(host);
    await host.place.run('ln', ['-sf', '/run/systemd/resolve/stub-resolv.conf', '/etc/resolv.conf']);
    await host.startAgent();
    await host.takeMesh();
    assert.equal((await host.diagnose()).resolved_by, 'systemd-resolved');
    await assertResolves(host);
    const domains = await host.place.run('resolvectl', ['domain', 'mesh0']);
    assert.match(domains, /: mesh ~corp\.example ~64\.100\.in-addr\.arpa /);
    await assertResolvesIngresses(host, () => host.place.run('resolvectl', ['flush-caches']));
    assert.equal(await host.place.run('resolvectl', ['domain', 'mesh0']), domains, 'as before there were any');
    const ingresses = Array.from({ length: 400 }, (_, index) => ({
      hostname: `app-${index}.example.net`,
      addresses: [...WEB],
    }));
    await host.takeMesh({ dns: { records: [], routing_domains: [], ingresses } });
    assert.equal((await host.diagnose()).resolved_by, 'systemd-resolved', 'also with more names than it takes domains');
    assert.deepEqual((await host.lookUp('app-399.example.net'))?.toSorted(), WEB);
    assert.deepEqual(await host.lookUp('deep.shop.example.net'), ['192.0.2.7'], 'a neighbour of theirs');
    await host.takeMesh();
    await host.place.run('resolvectl', ['revert', 'mesh0']); // by hand
    await host.place.run('resolvectl', ['flush-caches']);
    assert.match(String(await host.ask({ call: 'check' })), /not resolved by systemd-resolved/);
    await assertResolves(host);
    await host.killAgent();
    await host.startAgent();
    await host.takeMesh();
    await assertResolves(host);
    await host.ask({ call: 'remove' });
    await host.place.run('resolvectl', ['flush-caches']);
    assert.doesNotMatch(await host.place.run('resolvectl', ['domain', 'mesh0']), /mesh ~/);
    await assertGone(host);
  });
});

describe('a host with NetworkManager of Debian, without systemd-resolved', () => {
  it('asks the agent first, also after NetworkManager has written the file anew', async () => {
    await using host = await NamedHost.start(['network-manager', 'libnm0', 'libndp0']);
    await host.write('/etc/resolv.conf', BEFORE);
    await startNetworkManager(host);
    const before = await host.read('/etc/resolv.conf');
    assert.match(before, /^# Generated by NetworkManager$/m);
    await host.startAgent();
    await host.takeMesh();
    assert.equal((await host.diagnose()).resolved_by, '/etc/resolv.conf');
    await assertResolves(host);
    await host.place.run('nmcli', ['connection', 'modify', 'lan', 'ipv4.dns-search', 'other.example']);
    await host.place.run('nmcli', ['connection', 'up', 'lan']);
    assert.match(String(await host.ask({ call: 'check' })), /not resolved by/);
    await assertResolves(host);
    await host.ask({ call: 'remove' });
    assert.equal(await host.read('/etc/resolv.conf'), before.replace('lan.example', 'other.example'));
    await assertGone(host);
  });
});

/** As dnsmasq does, which takes every address. */
async function holdPort(host: NamedHost): Promise<ChildProcess> {
  const holder = host.place.script(`
    import { createServer } from 'node:net';
    createServer().listen(53, '${SELF.address}', () =>
      createServer().listen(53, '${SELF.address6}', () => console.log('ready')));
  `);
  await once(holder.stdout ?? assert.fail(), 'data');
  return holder;
}

/** With a bus of its own. As a unit of systemd it would be given its folder and its user. */
async function startResolved(host: NamedHost): Promise<void> {
  const { place } = host;
  const user = 'systemd-resolve:x:990:990::/:/usr/sbin/nologin';
  await place.run('sh', [
    '-euc',
    `grep -q ^systemd-resolve: /etc/passwd || echo '${user}' >> /etc/passwd
    grep -q ^systemd-resolve: /etc/group || echo 'systemd-resolve:x:990:' >> /etc/group
    mkdir -p /run/systemd/resolve; chown systemd-resolve:systemd-resolve /run/systemd/resolve
    printf '[Resolve]\\nDNS=${OTHER_SERVER}\\nDNSSEC=no\\nLLMNR=no\\nMulticastDNS=no\\n' > /etc/systemd/resolved.conf`,
  ]);
  await startBus(host);
  place.spawn('/usr/lib/systemd/systemd-resolved', []);
  await until('systemd-resolved answers', () => works(host, 'resolvectl', 'status'));
}

/** Where it cannot write to /sys, it manages interfaces without udev. */
async function startNetworkManager(host: NamedHost): Promise<void> {
  const { place } = host;
  await place.run('sh', ['-euc', 'mkdir -p /run/nm-state; mount -o remount,bind,ro /sys']);
  await place.ip('link add eth0 type veth peer name eth1', 'link set eth1 up', 'link set eth0 up');
  const main = '[main]\nplugins=keyfile\ndns=default\nauth-polkit=false\nno-auto-default=*\n';
  await host.write('/etc/NetworkManager/NetworkManager.conf', `${main}[keyfile]\nunmanaged-devices=none\n`);
  await startBus(host);
  place.spawn('/usr/sbin/NetworkManager', ['--no-daemon', '--log-level=WARN', '--state-file=/run/nm-state/state']);
  await until('NetworkManager answers', () => works(host, 'nmcli', 'general', 'status'));
  const dns = ['ipv4.dns', OTHER_SERVER, 'ipv4.dns-search', 'lan.example', 'ipv4.dns-options', 'timeout:1,attempts:1'];
  const address = ['ipv4.method', 'manual', 'ipv4.addresses', '10.7.0.2/24', 'ipv6.method', 'disabled'];
  const lan = ['type', 'ethernet', 'ifname', 'eth0', 'con-name', 'lan'];
  await place.run('nmcli', ['connection', 'add', ...lan, ...address, ...dns]);
  await until('the connection is up', () => works(host, 'nmcli', 'connection', 'up', 'lan'));
}

/** A bus that allows everything, in place of the machine's. */
async function startBus(host: NamedHost): Promise<void> {
  await host.place.run('mkdir', ['-p', '/run/dbus']);
  await host.write(
    '/run/bus.conf',
    `<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
      <allow user="*"/></policy></busconfig>`,
  );
  host.place.spawn('dbus-daemon', ['--config-file=/run/bus.conf', '--nofork', '--nopidfile']);
  await until('the bus is there', () => works(host, 'test', '-S', '/run/dbus/system_bus_socket'));
}

async function works(host: NamedHost, command: string, ...args: readonly string[]): Promise<boolean> {
  return await host.place.run(command, args).then(
    () => true,
    () => false,
  );
}
