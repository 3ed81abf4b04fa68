import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ScriptedAnswer, scriptedRouter } from '../../../test/scripted-router.ts';
import { LIFETIME_S } from './mapping-protocol.ts';
import { locationIn, urlAt } from './ssdp.ts';
import { upnpIgd } from './upnp-igd.ts';

const WANTED = { port: 51_820, outside_port: 51_820, nonce: '' };
const NO_SUCH_ENTRY = 714;
const AT = (address: string) => () => ({ NewExternalIPAddress: address });
const SOUND = {
  GetExternalIPAddress: AT('198.51.100.7'),
  GetSpecificPortMappingEntry: (): ScriptedAnswer => NO_SUCH_ENTRY,
  AddPortMapping: (): ScriptedAnswer => ({}),
};

describe('a UPnP router', () => {
  it('is asked for a mapping to this host, for two hours', async () => {
    await using router = await scriptedRouter({ actions: SOUND });
    const granted = await upnpIgd.map(router.gateway, WANTED);
    assert.deepEqual(
      [granted.address, granted.port, granted.lifetime_s, granted.control?.service],
      ['198.51.100.7', 51_820, LIFETIME_S, 'urn:schemas-upnp-org:service:WANIPConnection:1'],
    );
    assert.deepEqual(router.asked.at(-1), [
      'AddPortMapping',
      {
        NewRemoteHost: '',
        NewExternalPort: '51820',
        NewProtocol: 'UDP',
        NewInternalPort: '51820',
        NewInternalClient: '127.0.0.1',
        NewEnabled: '1',
        NewPortMappingDescription: 'meshwork',
        NewLeaseDuration: '7200',
      },
    ]);
  });

  for (const code of [725, 402]) {
    it(`that knows no end of a mapping, and says ${code}, is asked for one without`, async () => {
      const AddPortMapping = ({ NewLeaseDuration }: Readonly<Record<string, string>>) =>
        NewLeaseDuration === '0' ? {} : code;
      await using router = await scriptedRouter({ actions: { ...SOUND, AddPortMapping } });
      assert.equal((await upnpIgd.map(router.gateway, WANTED)).lifetime_s, null);
    });
  }

  it('whose port another host has is asked for another one, and that host keeps its own', async () => {
    const taken = { NewInternalClient: '192.168.1.9', NewInternalPort: '51820' };
    const GetSpecificPortMappingEntry = ({ NewExternalPort }: Readonly<Record<string, string>>) =>
      NewExternalPort === '51820' ? taken : NO_SUCH_ENTRY;
    await using router = await scriptedRouter({ actions: { ...SOUND, GetSpecificPortMappingEntry } });
    const { port } = await upnpIgd.map(router.gateway, WANTED);
    assert.ok(port >= 49_152 && port !== 51_820, `${port}`);
    const added = router.asked
      .filter(([action]) => action === 'AddPortMapping')
      .map(([, given]) => given.NewExternalPort);
    assert.deepEqual(added, [`${port}`]);
  });

  it('that has no port left is asked four times, and no more', async () => {
    await using router = await scriptedRouter({ actions: { ...SOUND, AddPortMapping: () => 718 } });
    await assert.rejects(upnpIgd.map(router.gateway, WANTED), /other hosts have the ports/);
    assert.equal(router.asked.filter(([action]) => action === 'AddPortMapping').length, 4);
  });

  for (const [address, reason] of [
    ['192.168.0.3', /is private: another NAT/],
    ['100.64.1.1', /is private: another NAT/],
    ['0.0.0.0', /no address outside/],
    ['127.0.0.1', /no address outside/],
    ['attacker.example', /no address outside/],
  ] as const) {
    it(`that is at ${address} outside maps nothing`, async () => {
      await using router = await scriptedRouter({ actions: { ...SOUND, GetExternalIPAddress: AT(address) } });
      await assert.rejects(upnpIgd.map(router.gateway, WANTED), reason);
      assert.equal(
        router.asked.some(([action]) => action === 'AddPortMapping'),
        false,
      );
    });
  }

  it('that has lost a mapping is found out', async () => {
    let owner: ScriptedAnswer = { NewInternalClient: '127.0.0.1', NewInternalPort: '51820' };
    const GetSpecificPortMappingEntry = () => owner;
    await using router = await scriptedRouter({ actions: { ...SOUND, GetSpecificPortMappingEntry } });
    const { address, port, control } = await upnpIgd.map(router.gateway, WANTED);
    const { gateway } = router;
    const held = { method: 'UPnP', gateway, address, port, control, inside_port: 51_820, nonce: '' } as const;
    assert.deepEqual(await upnpIgd.check(held), { epoch_s: null });
    owner = 501; // it does not say
    assert.deepEqual(await upnpIgd.check(held), { epoch_s: null });
    owner = NO_SUCH_ENTRY;
    assert.equal(await upnpIgd.check(held), 'lost');
    assert.equal(await upnpIgd.check({ ...held, address: '198.51.100.8' }), 'lost');
  });

  it('that leads elsewhere is not followed', async () => {
    await using other = await scriptedRouter({ actions: SOUND });
    const elsewhere = (own: string) => own.replace(/127\.\d+\.\d+\.\d+/, other.gateway.address);
    await using router = await scriptedRouter({ actions: SOUND, location: elsewhere });
    await assert.rejects(upnpIgd.map(router.gateway, WANTED), /does not answer/);
    await using redirecting = await scriptedRouter({
      actions: SOUND,
      describe: (response) => response.writeHead(302, { location: `http://${other.gateway.address}/` }).end(),
    });
    await assert.rejects(upnpIgd.map(redirecting.gateway, WANTED), /status 302/);
    const control = `http://${other.gateway.address}/control`;
    const service = `<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><controlURL>${control}</controlURL>`;
    await using sending = await scriptedRouter({
      actions: SOUND,
      describe: (response) => response.end(`<root><service>${service}</service></root>`),
    });
    await assert.rejects(upnpIgd.map(sending.gateway, WANTED), /no service that maps ports/);
    assert.deepEqual([other.read, router.read], [[], []]);
  });

  it('that sends more than a router should is cut off', async () => {
    await using router = await scriptedRouter({
      actions: SOUND,
      describe: (response) => {
        const part = 'x'.repeat(64 * 1024);
        const more = () => response.write(part, (error) => error == null && more());
        more();
      },
    });
    await assert.rejects(upnpIgd.map(router.gateway, WANTED), /more than 131072 bytes/);
  });
});

describe('an address of the router’s choosing', () => {
  const gateway = { address: '192.168.1.1' };
  for (const text of ['http://192.168.1.1:5000/a.xml', 'HTTP://192.168.1.1/', 'http://0xc0a80101/']) {
    it(`may be ${text}`, () => assert.equal(new URL(urlAt(gateway, text) ?? '').hostname, gateway.address));
  }
  for (const text of [
    'http://192.168.1.2/',
    'https://192.168.1.1/',
    'http://router.example/',
    'http://192.168.1.1.example/',
    'http://192.168.1.1@169.254.169.254/',
    'http://user@192.168.1.1/',
    'file:///etc/passwd',
    '//169.254.169.254/',
    `http://192.168.1.1/${'a'.repeat(500)}`,
    '',
  ]) {
    it(`is refused when it is ${text.slice(0, 40)}`, () =>
      assert.equal(urlAt(gateway, text, text.startsWith('//') ? 'http://192.168.1.1/' : undefined), undefined));
  }

  it('is taken from an answer to a search alone', () => {
    const answer = (status: string) => Buffer.from(`${status}\r\nLOCATION:  http://192.168.1.1/a \r\nST: x\r\n\r\n`);
    assert.equal(locationIn(answer('HTTP/1.1 200 OK')), 'http://192.168.1.1/a');
    assert.equal(locationIn(answer('NOTIFY * HTTP/1.1')), undefined);
    assert.equal(locationIn(answer('HTTP/1.1 404 Not Found')), undefined);
    assert.equal(locationIn(Buffer.from('HTTP/1.1 200 OK\r\nST: x\r\n')), undefined);
    assert.equal(locationIn(Buffer.concat([answer('HTTP/1.1 200 OK'), Buffer.alloc(5000)])), undefined);
  });
});
