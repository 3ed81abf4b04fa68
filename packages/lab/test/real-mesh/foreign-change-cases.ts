import type { AppliedSection } from '@meshwork/contract';
import type { LabNode } from '../../src/namespaces/index.ts';
import { editHosts, MESH_BLOCK } from './foreign-things.ts';
import { killWireguard } from './host-faults.ts';

/** What a change may need to know. */
interface Around {
  /** Of the node that the one in question talks with. */
  readonly address: string;
  readonly key: string;
  /** Of the node in question. */
  readonly own: string;
}

export interface ForeignChange {
  readonly on: string;
  readonly what: string;
  readonly make: (node: LabNode, around: Around) => Promise<unknown>;
  /** What the agent says that it found. */
  readonly found: RegExp;
  readonly section: AppliedSection;
}

/** A public key without a private half. */
const STRANGER = Buffer.from('stranger stranger stranger stran').toString('base64');

/** Packet filter, WireGuard, addresses and routes, names: each on nodes of its own, so that they need not wait. */
export function foreignChanges({ granted, forbidden }: { granted: number; forbidden: number }): ForeignChange[] {
  return [...filterChanges(granted, forbidden), ...wireguardChanges(), ...networkChanges(), ...nameChanges()];
}

function filterChanges(granted: number, forbidden: number): ForeignChange[] {
  const nft = (node: LabNode, text: string) => node.exec('nft', ['-f', '-'], { input: `${text}\n` });
  const section = 'firewall';
  return [
    {
      on: 'filter-1',
      what: 'all rules are flushed',
      make: (node) => nft(node, 'flush table inet mesh'),
      found: /nft \(process \d+\) deleted rules \(\d+\)/,
      section,
    },
    {
      on: 'filter-1',
      what: 'a rule is put before the others',
      make: (node) => nft(node, `insert rule inet mesh policy_in tcp dport ${forbidden} accept`),
      found: /nft \(process \d+\) added rule/,
      section,
    },
    {
      on: 'filter-2',
      what: 'the table is deleted',
      make: (node) => nft(node, 'delete table inet mesh'),
      found: /nft \(process \d+\) deleted the table/,
      section,
    },
    {
      on: 'filter-2',
      what: 'the table is switched off',
      make: (node) => nft(node, 'add table inet mesh { flags dormant; }'),
      found: /nft \(process \d+\) switched the table off \(dormant\)/,
      section,
    },
    {
      on: 'filter-2',
      what: 'an element is added, and one taken away',
      make: (node, { address }) =>
        nft(
          node,
          `add element inet mesh on_ports4 { ${address} . tcp . ${forbidden} }\ndelete element inet mesh on_ports4 { ${address} . tcp . ${granted} }`,
        ),
      found: /nft \(process \d+\) added element, deleted element/,
      section,
    },
  ];
}

function wireguardChanges(): ForeignChange[] {
  const set = (node: LabNode, ...args: string[]) => node.exec('wg', ['set', 'mesh0', ...args]);
  const section = 'peers';
  return [
    {
      on: 'tunnel-1',
      what: 'a peer is removed',
      make: (node, { key }) => set(node, 'peer', key, 'remove'),
      found: /peer \S{8} is missing/,
      section,
    },
    {
      on: 'tunnel-1',
      what: 'a peer is added that takes the address of another',
      make: (node, { address }) => set(node, 'peer', STRANGER, 'allowed-ips', `${address}/32`),
      found: new RegExp(`peer ${STRANGER.slice(0, 8)} is unknown`),
      section,
    },
    {
      on: 'tunnel-2',
      what: 'the networks of a peer are changed',
      make: (node, { key }) => set(node, 'peer', key, 'allowed-ips', '192.0.2.0/24'),
      found: /peer \S{8} has the networks 192\.0\.2\.0\/24 in place of/,
      section,
    },
    {
      on: 'tunnel-2',
      what: 'WireGuard is killed',
      make: (node) => killWireguard(node),
      found: /WireGuard had ended|the interface is gone|mesh0 is not there/,
      section,
    },
  ];
}

function networkChanges(): ForeignChange[] {
  const section = 'self';
  return [
    {
      on: 'network-1',
      what: 'the address is deleted',
      make: (node, { own }) => node.exec('ip', ['address', 'delete', `${own}/32`, 'dev', 'mesh0']),
      found: /address [\d.]+\/32 is missing/,
      section,
    },
    {
      on: 'network-1',
      what: 'the rules that lead into the mesh are deleted',
      make: (node) => node.exec('ip', ['rule', 'delete', 'pref', '7403']),
      found: /rule pref 7403 .* is missing/,
      section,
    },
    {
      on: 'network-2',
      what: 'the interface is set down',
      make: (node) => node.exec('ip', ['link', 'set', 'mesh0', 'down']),
      found: /mesh0 is down/,
      section,
    },
    {
      on: 'network-2',
      what: 'the routes are flushed',
      make: (node) => node.exec('ip', ['route', 'flush', 'table', '7400']),
      found: /route 100\.64\.0\.0\/10 dev mesh0 is missing/,
      section,
    },
  ];
}

function nameChanges(): ForeignChange[] {
  const section = 'peers';
  return [
    {
      on: 'names-1',
      what: 'a name of the mesh is given to another address',
      make: async (node, { address }) =>
        editHosts(node, (text) => text.replace(`${address} source.mesh`, '192.0.2.1 source.mesh')),
      found: /\/etc\/hosts has other names of the mesh/,
      section,
    },
    {
      on: 'names-1',
      what: 'the names of the mesh are taken out',
      make: async (node) => editHosts(node, (text) => text.replace(MESH_BLOCK, '')),
      found: /the names of the mesh are not in \/etc\/hosts/,
      section,
    },
  ];
}
