import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namespace, until } from '../../test/namespaces.ts';
import { listenOnce } from './netlink-child.ts';
import { ROUTE_TABLE } from './own-numbers.ts';
import { wayOutEvents } from './way-out-events.ts';

test('the kernel announces addresses and default routes, and what else it announces is no way out', async () => {
  await using host = await namespace();
  await host.ip(
    'link add d0 type veth peer name d1',
    'link set d0 addrgenmode none',
    'link set d1 addrgenmode none',
    'link set d0 up',
    'link set d1 up',
  );
  const events: string[] = [];
  const ready = Promise.withResolvers<void>();
  const ending = new AbortController();
  const listening = listenOnce(
    {
      ready: ready.resolve,
      missed: () => events.push('missed'),
      heard: (protocol, datagram) => {
        if (protocol !== 'route') return;
        for (const { kind, family } of wayOutEvents(datagram)) events.push(`${kind} ${family}`);
      },
    },
    ending.signal,
    host.enter,
  );
  try {
    await ready.promise;
    await host.ip('addr add 192.0.2.5/24 dev d0', 'addr add 2001:db8::5/64 dev d0 nodad');
    // The kernel announces one of IPv6 a little later, and not at all if it is gone by then.
    await until('both addresses are announced', async () => events.length >= 2);
    await host.ip(
      'route add 198.51.100.0/24 via 192.0.2.1',
      `route add default dev d0 table ${ROUTE_TABLE}`,
      'route add default via 192.0.2.1',
      'route del default via 192.0.2.1',
      'route add default via 2001:db8::1',
      'link set d0 mtu 1400',
      'route del default via 2001:db8::1',
      'addr del 2001:db8::5/64 dev d0',
      'addr del 192.0.2.5/24 dev d0',
    );
    await until('all of it is announced', async () => events.length >= 8);
  } finally {
    ending.abort();
    await listening;
  }
  assert.deepEqual(events, [
    'address 4',
    'address 6',
    'default-route 4',
    'default-route 4',
    'default-route 6',
    'default-route 6',
    'address 6',
    'address 4',
  ]);
});
