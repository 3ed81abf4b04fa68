/** What every engine of WireGuard has to do, in the words of `engines/wireguard/driver.ts`. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Change, type Driver, PortTakenError, type Reading } from '../src/engines/wireguard/driver.ts';
import { newWireguardKey } from '../src/identity/keys.ts';
import { type Namespace, namespace, until } from './namespaces.ts';
import { MESH, type NewDriver, someKey, takePort } from './wireguard-places.ts';

/** None that the kernel hands out: an engine without a configured port asks it for any. */
const PORT = 5183;
const NOTHING: Change = { upsert: [], remove: [] };
const peer = (key: string, ...networks: string[]) => ({ key, networks, keepalive_s: 25 });
const quiet = <P extends ReturnType<typeof peer>>(one: P) => ({ ...one, keepalive_s: 0 });
/** An engine tells them in its own order. */
const networksOf = ({ peers }: Reading, key: string) => [...(peers.get(key)?.networks ?? [])].sort();

export function driverContract(engine: string, newDriver: NewDriver): void {
  async function withDriver(test: (driver: Driver, place: Namespace) => Promise<void>): Promise<void> {
    await using place = await namespace('d');
    const driver = await newDriver(place);
    await driver.ensure();
    await test(driver, place);
  }
  const read = async (driver: Driver) => {
    const reading = await driver.read();
    assert.ok(reading !== null);
    return reading;
  };

  describe(`a driver of WireGuard by ${engine}`, () => {
    it('makes an empty interface, and takes over one that is there as it is', async () => {
      await withDriver(async (driver, place) => {
        const key = newWireguardKey();
        assert.deepEqual((await read(driver)).peers, new Map());
        assert.equal((await read(driver)).public_key, null);
        await driver.apply({ ...NOTHING, private_key: key.private, upsert: [peer(someKey())] });
        await driver.ensure();
        const next = await newDriver(place);
        await next.ensure();
        const { public_key, peers } = await read(next);
        assert.deepEqual([public_key, peers.size], [key.public, 1]);
      });
    });

    it('sets key, port and mark, each alone', async () => {
      await withDriver(async (driver) => {
        const [one, two] = [newWireguardKey(), newWireguardKey()];
        const settings = async () => {
          const { public_key, port, mark } = await read(driver);
          return [public_key, port, mark];
        };
        await driver.apply({ ...NOTHING, private_key: one.private, port: 51820, mark: 0x6d657368 });
        assert.deepEqual(await settings(), [one.public, 51820, 0x6d657368]);
        await driver.apply({ ...NOTHING, private_key: two.private });
        assert.deepEqual(await settings(), [two.public, 51820, 0x6d657368]);
        await driver.apply({ ...NOTHING, port: 51821 });
        assert.deepEqual(await settings(), [two.public, 51821, 0x6d657368]);
        await driver.apply({ ...NOTHING, mark: 0 });
        assert.deepEqual(await settings(), [two.public, 51821, 0]);
      });
    });

    it('reads some peers without the others, and says which of them are not there', async () => {
      await withDriver(async (driver) => {
        const [one, two, three, gone] = [someKey(), someKey(), someKey(), someKey()];
        const upsert = [one, two, three].map((key, index) =>
          peer(key, `100.64.0.${index + 2}/32`, `fd6d::${index + 2}/128`),
        );
        const own = newWireguardKey();
        await driver.apply({ ...NOTHING, private_key: own.private, port: PORT, upsert });
        const all = await read(driver);
        const some = (await driver.read(new Set([three, gone, one]))) ?? assert.fail();
        assert.deepEqual([some.public_key, some.port, some.mark], [own.public, PORT, all.mark]);
        assert.deepEqual([...some.peers.keys()].sort(), [one, three].sort());
        for (const key of [one, three]) assert.deepEqual(some.peers.get(key), all.peers.get(key));
        assert.deepEqual((await driver.read(new Set()))?.peers, new Map());
      });
    });

    it('reads a peer back as it was set', async () => {
      await withDriver(async (driver) => {
        const [four, six, bare] = [someKey(), someKey(), someKey()];
        await driver.apply({
          ...NOTHING,
          upsert: [
            { ...peer(four, '100.64.0.2/32', '10.20.0.0/16'), endpoint: '192.0.2.7:51820' },
            { ...peer(six, 'fd6d::2/128', '0.0.0.0/0', '::/0'), endpoint: '[2001:db8::7]:51821' },
            { ...peer(bare), keepalive_s: 0 },
          ],
        });
        const { peers } = await read(driver);
        const seen = [four, six, bare].map((key) => peers.get(key)).map((each) => ({ ...each, tx_bytes: 0 }));
        const fresh = { handshake_ms: null, rx_bytes: 0, tx_bytes: 0, preshared: false, keepalive_s: 25 };
        assert.deepEqual(
          seen.map((each) => ({ ...each, networks: each.networks?.toSorted() })),
          [
            { ...fresh, key: four, networks: ['10.20.0.0/16', '100.64.0.2/32'], endpoint: '192.0.2.7:51820' },
            { ...fresh, key: six, networks: ['0.0.0.0/0', '::/0', 'fd6d::2/128'], endpoint: '[2001:db8::7]:51821' },
            { ...fresh, key: bare, networks: [], endpoint: null, keepalive_s: 0 },
          ],
        );
      });
    });

    it('gives a peer that is there other networks, leaves it where it is, and takes a preshared key from it', async () => {
      await withDriver(async (driver, place) => {
        const [key, other] = [someKey(), someKey()];
        const before = { ...peer(key, '100.64.0.2/32', '10.20.0.0/16'), endpoint: '192.0.2.7:51820' };
        await driver.apply({ ...NOTHING, upsert: [before, peer(other, '100.64.0.3/32')] });
        await writeFile(join(place.run_folder, 'psk'), someKey());
        await place.run('wg', ['set', MESH, 'peer', key, 'preshared-key', join(place.run_folder, 'psk')]);
        assert.equal((await read(driver)).peers.get(key)?.preshared, true);
        await driver.apply({ ...NOTHING, upsert: [peer(key, '10.30.0.0/16')] });
        const after = await read(driver);
        assert.deepEqual(networksOf(after, key), ['10.30.0.0/16']);
        assert.equal(after.peers.get(key)?.endpoint, '192.0.2.7:51820');
        assert.equal(after.peers.get(key)?.preshared, false);
        assert.deepEqual(networksOf(after, other), ['100.64.0.3/32']);
        await driver.apply({ ...NOTHING, upsert: [peer(key)] });
        assert.deepEqual(networksOf(await read(driver), key), []);
      });
    });

    it('moves networks between peers, also to and fro and to one that takes the place of another', async () => {
      await withDriver(async (driver) => {
        const [one, two, three] = [someKey(), someKey(), someKey()];
        await driver.apply({ ...NOTHING, upsert: [peer(one, '10.1.0.0/16'), peer(two, '10.2.0.0/16')] });
        await driver.apply({ ...NOTHING, upsert: [peer(one, '10.2.0.0/16'), peer(two, '10.1.0.0/16')] });
        const swapped = await read(driver);
        assert.deepEqual([networksOf(swapped, one), networksOf(swapped, two)], [['10.2.0.0/16'], ['10.1.0.0/16']]);
        await driver.apply({ upsert: [peer(three, '10.2.0.0/16')], remove: [one] });
        const replaced = await read(driver);
        assert.deepEqual(networksOf(replaced, three), ['10.2.0.0/16']);
        assert.deepEqual([...replaced.peers.keys()].sort(), [two, three].sort());
      });
    });

    it('removes many at once, and those that are not there', async () => {
      await withDriver(async (driver) => {
        const keys = Array.from({ length: 1_100 }, someKey);
        await driver.apply({ ...NOTHING, upsert: keys.map((key) => peer(key)) });
        assert.equal((await read(driver)).peers.size, 1_100);
        await driver.apply({ ...NOTHING, remove: [...keys.slice(1), someKey()] });
        assert.deepEqual([...(await read(driver)).peers.keys()], keys.slice(0, 1));
      });
    });

    it('refuses what WireGuard would not take before anything is sent', async () => {
      await withDriver(async (driver) => {
        const good = peer(someKey(), '100.64.0.9/32');
        const bad: readonly Partial<Change>[] = [
          { private_key: 'short' },
          { port: 70_000 },
          { mark: -1 },
          { remove: ['x'] },
          { upsert: [good, peer(`${someKey()}\nremove=true`)] },
          { upsert: [good, peer(someKey(), '10.20.0.1/16')] },
          { upsert: [good, peer(someKey(), 'fd00::1:0/96')] },
          { upsert: [good, peer(someKey(), '10.20.0.0/33')] },
          { upsert: [good, { ...good, endpoint: 'example.org:51820' }] },
          { upsert: [good, { ...good, endpoint: '192.0.2.7:0' }] },
          { upsert: [good, { ...good, keepalive_s: 70_000 }] },
        ];
        for (const change of bad)
          await assert.rejects(driver.apply({ upsert: [good], remove: [], port: PORT, ...change }), TypeError);
        const { peers, port } = await read(driver);
        assert.deepEqual([peers.size, port === PORT], [0, false]);
      });
    });

    it('sends peers a packet at once, and leaves them as they are', async () => {
      await withDriver(async (driver, place) => {
        const [key, one, other, resting] = [newWireguardKey(), someKey(), someKey(), someKey()];
        await place.run('ip', ['link', 'set', 'dev', MESH, 'up']);
        const endpoint = '127.0.0.1:9';
        const placed = [peer(one, '100.64.0.2/32'), peer(resting, '100.64.0.4/32')].map((each) => ({
          ...each,
          endpoint,
        }));
        await driver.apply({ ...NOTHING, private_key: key.private, port: PORT, upsert: [] });
        await driver.apply({ ...NOTHING, upsert: [...placed, peer(other, '100.64.0.3/32')].map(quiet) });
        const before = await read(driver);
        assert.deepEqual([before.peers.get(one)?.tx_bytes, before.peers.get(other)?.tx_bytes], [0, 0]);
        await driver.nudge([one, other, resting], 25, (each) => each === resting);
        for (const each of [one, resting])
          await until('it began a handshake', async () => ((await read(driver)).peers.get(each)?.tx_bytes ?? 0) > 0);
        const after = await read(driver);
        for (const each of [one, other, resting]) {
          const { networks, endpoint } = before.peers.get(each) ?? assert.fail();
          const seen = after.peers.get(each);
          const keepalive_s = each === resting ? 0 : 25;
          assert.deepEqual([seen?.networks, seen?.endpoint, seen?.keepalive_s], [networks, endpoint, keepalive_s]);
        }
        await driver.nudge([], 25);
      });
    });

    it('says that a port is taken, with all the rest done', async () => {
      await withDriver(async (driver, place) => {
        const [key, one] = [newWireguardKey(), someKey()];
        await place.run('ip', ['link', 'set', 'dev', MESH, 'up']);
        const change = { upsert: [peer(one)], remove: [], private_key: key.private, port: PORT };
        {
          await using _ = await takePort(place, PORT);
          await assert.rejects(driver.apply(change), (error) => {
            return error instanceof PortTakenError && error.message.startsWith(`UDP port ${PORT} is taken`);
          });
          const { public_key, peers } = await read(driver);
          assert.deepEqual([public_key, [...peers.keys()]], [key.public, [one]]);
        }
        await driver.apply(change);
        assert.equal((await read(driver)).port, PORT);
      });
    });

    it('leaves no secret behind in a file', async () => {
      await withDriver(async (driver, { run_folder }) => {
        const { private: secret } = newWireguardKey();
        await driver.apply({ ...NOTHING, private_key: secret, upsert: [peer(someKey())] });
        const files = await readdir(run_folder);
        assert.ok(!files.some((file) => file.endsWith('.conf')));
        const hex = Buffer.from(secret, 'base64').toString('hex');
        for (const file of files) {
          const text = await readFile(join(run_folder, file), 'utf8');
          assert.ok(!text.includes(secret) && !text.includes(hex));
        }
      });
    });

    it('takes the interface away', async () => {
      await withDriver(async (driver, place) => {
        await driver.remove();
        await assert.rejects(place.run('ip', ['link', 'show', 'dev', MESH]), /does not exist/);
        // A daemon whose interface was taken from it may still answer while it ends.
        await until('nothing is read', async () => (await driver.read()) === null);
        await driver.remove();
      });
    });
  });
}
