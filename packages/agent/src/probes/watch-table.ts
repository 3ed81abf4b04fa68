import { randomBytes } from 'node:crypto';
import type { ProbeFlow } from '@meshwork/contract';
import { PROBE_TABLES } from '../host/own-numbers.ts';
import { CommandError, type RunCommand } from '../host/run-command.ts';
import { familyOf } from './flow.ts';

/** Before everything else that is done to a packet, and after every filter that another program has. */
const [FIRST_PRIORITY, LAST_PRIORITY] = [-350, 400];
/** Ours: of a flow that turns out to be busy, no more packets are followed than this. */
const TRACED = '50/second burst 20 packets';

const ARRIVED = 'arrived';
const PASSED = 'passed';
const NAME = new RegExp(`^${PROBE_TABLES}[0-9a-f]{12}$`);

export function newWatchTable(): string {
  return `${PROBE_TABLES}${randomBytes(6).toString('hex')}`;
}

/** A table that counts the packets of a flow when they come and when they have passed every filter. It decides about none. */
export function watchTable(name: string, flow: ProbeFlow): string {
  const packets = matchOf(flow);
  const chain = (hook: string, priority: number, ...rules: readonly string[]) => [
    `  chain ${hook} {`,
    `    type filter hook ${hook} priority ${priority}; policy accept;`,
    ...rules.map((rule) => `    ${packets} ${rule}`),
    '  }',
  ];
  return [
    `table inet ${name} {`,
    ...[ARRIVED, PASSED].flatMap((counter) => [`  counter ${counter} {`, '  }']),
    ...chain('prerouting', FIRST_PRIORITY, `counter name ${ARRIVED}`, `limit rate ${TRACED} meta nftrace set 1`),
    ...chain('input', LAST_PRIORITY, `counter name ${PASSED}`),
    ...chain('forward', LAST_PRIORITY, `counter name ${PASSED}`),
    '}',
    '',
  ].join('\n');
}

function matchOf(flow: ProbeFlow): string {
  const isFour = familyOf(flow) === 4;
  const { from, to, protocol, port, source_port } = flow;
  const addresses = `${isFour ? 'ip' : 'ip6'} saddr ${from} ${isFour ? 'ip' : 'ip6'} daddr ${to}`;
  if (protocol === 'icmp') return `${addresses} ${isFour ? 'icmp' : 'icmpv6'} type echo-request`;
  for (const number of [port, source_port])
    if (!Number.isInteger(number) || number < 1 || number > 65_535) throw new Error(`${number} is no port`);
  return `${addresses} ${protocol} dport ${port} ${protocol} sport ${source_port}`;
}

/** What a watch has counted. */
export async function readCounts(name: string, run: RunCommand): Promise<{ arrived: number; passed: number }> {
  const { nftables } = JSON.parse(await run('nft', ['-j', 'list', 'counters', 'table', 'inet', name])) as {
    nftables: readonly { counter?: { name: string; packets: number } }[];
  };
  const packets = (wanted: string) => nftables.find(({ counter }) => counter?.name === wanted)?.counter?.packets ?? 0;
  return { arrived: packets(ARRIVED), passed: packets(PASSED) };
}

/** It is named first, so that deleting it works also when it is not there. */
export async function deleteWatchTable(name: string, run: RunCommand): Promise<void> {
  await run('nft', ['-f', '-'], { input: `table inet ${name}\ndelete table inet ${name}\n` });
}

/** Takes away those of watches whose agent was killed. Without nftables there are none. */
export async function sweepWatchTables(run: RunCommand): Promise<void> {
  for (const name of await watchTables(run)) await deleteWatchTable(name, run);
}

async function watchTables(run: RunCommand): Promise<string[]> {
  try {
    const { nftables } = JSON.parse(await run('nft', ['-j', 'list', 'tables', 'inet'])) as {
      nftables: readonly { table?: { name: string } }[];
    };
    return nftables.map(({ table }) => table?.name ?? '').filter((name) => NAME.test(name));
  } catch (error) {
    if (error instanceof CommandError && error.exit === 'ENOENT') return [];
    throw error;
  }
}
