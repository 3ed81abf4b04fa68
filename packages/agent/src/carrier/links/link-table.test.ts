import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Link, placeText } from './link.ts';
import { LinkTable } from './link-table.ts';
import { WaitingPackets } from './waiting-packets.ts';

const placeOf = (port: number) => ({ address: '203.0.113.9', port });

describe('the table of links', () => {
  it('finds a link by its peer, its address, and the places that its packets come from', () => {
    const table = new LinkTable();
    const link = table.ensure('a');
    table.setPlaces(link, [placeOf(1), placeOf(2)]);
    for (const found of [table.ofPeer('a'), table.at('127.64.0.0'), table.from(placeText(placeOf(2)))]) {
      assert.equal(found, link);
    }
    table.setPlaces(link, [placeOf(2)]);
    assert.equal(table.from(placeText(placeOf(1))), undefined);
    table.remove('a');
    assert.equal(table.at('127.64.0.0') ?? table.from(placeText(placeOf(2))), undefined);
  });

  it('gives a place to the link that had it last, and leaves it there when the other one lets go', () => {
    const table = new LinkTable();
    const [first, second] = [table.ensure('a'), table.ensure('b')];
    table.setPlaces(first, [placeOf(1)]);
    table.setPlaces(second, [placeOf(1)]);
    table.setPlaces(first, []);
    assert.equal(table.from(placeText(placeOf(1))), second);
  });

  it('gives a place that was named for two peers to neither, and to the one that is left', () => {
    const table = new LinkTable();
    const [owner, liar] = [table.ensure('a'), table.ensure('b')];
    const name = (link: Link, ...ports: readonly number[]) => {
      link.known = ports.map(placeOf);
      table.setPlaces(link, [...link.known, ...link.places]);
    };
    const at = (port: number) => table.from(placeText(placeOf(port)));
    name(owner, 1);
    name(liar, 2, 1);
    name(owner, 1, 3);
    name(liar, 2, 1, 4);
    assert.deepEqual([at(1), at(2), at(3), at(4)], [undefined, liar, owner, liar]);
    const guest = table.newGuest(placeOf(1));
    name(liar, 2, 1);
    assert.equal(at(1), guest, 'WireGuard says whose it is');
    name(liar, 2);
    assert.equal(at(1), owner, 'what the other one had before counts no more');
    assert.equal(table.at(guest.address), owner);
    name(liar, 1);
    table.remove('b');
    assert.equal(at(1), owner);
    name(table.ensure('c'), 1);
    table.remove('a');
    assert.equal(at(1), table.ofPeer('c'));
  });

  it('chooses no address that a link was given', () => {
    const table = new LinkTable();
    table.ensure('a', '127.64.0.0');
    assert.equal(table.ensure('b').address, '127.64.0.1');
    assert.throws(() => table.ensure('b', '127.64.0.9'), /has the address 127.64.0.1/);
    for (const wrong of ['127.63.0.1', '127.127.0.1', '126.64.0.1', '::1']) {
      assert.throws(() => table.ensure('c', wrong), /no address for a link/);
    }
  });

  it('has 256 guests at most: the one that was quiet for longest makes room', () => {
    const table = new LinkTable();
    const guests = Array.from({ length: 256 }, (_, port) => {
      const guest = table.newGuest(placeOf(port + 1));
      guest.used_ms = port === 7 ? 0 : 1000 + port;
      return guest;
    });
    const another = table.newGuest(placeOf(5000));
    assert.equal(another.address, guests[7]?.address);
    assert.equal(table.from(placeText(placeOf(8))), undefined);
    assert.equal(table.at(another.address), another);
    assert.equal([...table.guests].length, 256);
  });

  it('has what comes from the place of a guest go to the link that has it then', () => {
    const table = new LinkTable();
    const guest = table.newGuest(placeOf(1));
    const link = table.ensure('a');
    table.setPlaces(link, [placeOf(1)]);
    assert.equal(table.from(placeText(placeOf(1))), link);
    assert.equal(table.at(guest.address), link); // WireGuard may still send there
    table.remove('a');
    assert.equal(table.at(guest.address), guest);
  });
});

describe('packets that wait for a way', () => {
  it('are the last four of a link, and go once, unless they are too old', () => {
    const [table, waiting, sent] = [new LinkTable(), new WaitingPackets(), [] as number[]];
    const link = table.ensure('a');
    for (let number = 0; number < 6; number++) waiting.keep(link, Buffer.from([number]), number * 1000);
    waiting.send(link, 8500);
    assert.equal(link.waiting?.length, 4); // there is no way yet
    const send = (data: Buffer) => sent.push(data.readUInt8(0));
    link.goBy([{ send, through: undefined, to: placeOf(1), place: placeText(placeOf(1)) }]);
    waiting.send(link, 8500);
    waiting.send(link, 8500);
    assert.deepEqual(sent, [4, 5]);
  });

  it('are those of 256 links at most', () => {
    const [table, waiting] = [new LinkTable(), new WaitingPackets()];
    const links = Array.from({ length: 300 }, (_, number) => table.ensure(String(number)));
    for (const link of links) waiting.keep(link, Buffer.alloc(148), 0);
    assert.equal(links.filter((link) => link.waiting !== undefined).length, 256);
    assert.equal(links[0]?.waiting, undefined);
  });
});
