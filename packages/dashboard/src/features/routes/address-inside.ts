/** An address of a network, because that is what a reach question takes: `10.20.0.0/16` has 10.20.0.1. */
export function addressInside(cidr: string): string {
  const [network = '', bits = ''] = cidr.split('/');
  if (bits === '32' || bits === '128') return network;
  if (network.endsWith('::')) return `${network}1`;
  const last = /\.(\d+)$/.exec(network);
  return last === null ? network : network.replace(/\d+$/, String(Number(last[1]) + 1));
}
