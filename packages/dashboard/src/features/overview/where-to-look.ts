/** Where somebody goes to do something about what needs attention. */
import type { Attention } from '@meshwork/contract';

export interface Place {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
}

/** A page where there is one, else the command that shows the same. */
export type WhereToLook = { readonly place: Place } | { readonly command: string };

export function whereToLook({ kind, subject }: Pick<Attention, 'kind' | 'subject'>): WhereToLook {
  const { id, name } = subject;
  switch (subject.kind) {
    case 'node':
      return { place: { to: `/nodes/${id}`, label: kind === 'node_pending' ? 'Review and approve' : 'Open the node' } };
    case 'operation':
      return { place: { to: `/nodes/operations/${id}`, label: 'Open the operation' } };
    case 'relay':
      return { place: { to: '/nodes', search: { relay: id }, label: 'Nodes of the relay' } };
    case 'route':
      return { place: { to: '/reach', search: { to: insideOf(id) }, label: 'Ask why' } };
    case 'token':
      return { place: { to: `/tokens/${id}`, label: 'Open the token' } };
    case 'policy':
      return { place: { to: '/access', label: 'Open the policy' } };
    case 'firewall':
      return { place: { to: '/firewall', label: 'Open the firewall' } };
    case 'ingress':
      return { command: `mesh ingress show ${name}` };
  }
}

/** An address in the network, which is what can be asked for: `10.20.0.0/16` has 10.20.0.1. */
function insideOf(cidr: string): string {
  const [network = '', bits = ''] = cidr.split('/');
  if (bits === '32' || bits === '128') return network;
  if (network.endsWith('::')) return `${network}1`;
  const last = /\.(\d+)$/.exec(network);
  return last === null ? network : network.replace(/\d+$/, String(Number(last[1]) + 1));
}
