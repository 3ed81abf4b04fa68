/** Which ingresses of the kinds `tls`, `tcp` and `udp` can be served here. One that cannot is left out, and the others are served. */
import type { IngressAssignment } from '@meshwork/contract';
import type { HostSockets } from './host-sockets.ts';
import type { GatewayPorts } from './nginx-input.ts';

interface StreamPlaces {
  readonly section: readonly IngressAssignment[];
  readonly ports: GatewayPorts;
  /** The configuration that nginx runs with. Undefined: it does not run, and no port is its own. */
  readonly running: string | undefined;
  readonly sockets: HostSockets;
}

interface ServedStreams {
  readonly streams: readonly IngressAssignment[];
  /** In words, by id of those that are left out and should not be. */
  readonly problems: ReadonlyMap<string, string>;
}

export function servedStreams({ section, ports, running, sockets }: StreamPlaces): ServedStreams {
  const problems = new Map<string, string>();
  const streams = [...oneForEachPlace(section, problems).entries()].flatMap(([place, ingress]) => {
    const problem = problemOf(ingress, place);
    if (problem === undefined) return [ingress];
    problems.set(ingress.id, problem);
    return [];
  });
  return { streams, problems };

  function problemOf({ kind, hostname, port }: IngressAssignment, place: string): string | undefined {
    if (kind === 'tls') {
      const isEnded = section.some(
        (other) => other.kind === 'http' && other.hostname === hostname && other.tls !== null && !other.draining,
      );
      return isEnded ? 'this gateway ends TLS for that name itself, for another ingress' : undefined;
    }
    if (kind === 'tcp' && (port === ports.http_port || port === ports.https_port)) {
      return `port ${port} is the gateway's own, for HTTP and HTTPS`;
    }
    if (listenedBy(running).has(place)) return undefined;
    const isTaken =
      kind === 'udp'
        ? sockets.udp.some((one) => one.port === port)
        : sockets.tcp.some((one) => one.port === port && one.listens);
    return isTaken ? `another program has ${kind === 'udp' ? 'UDP' : 'TCP'} port ${port}` : undefined;
  }
}

/** By what they listen for. Where an ingress drains and another took over its place, the place is the other's. */
function oneForEachPlace(
  section: readonly IngressAssignment[],
  problems: Map<string, string>,
): ReadonlyMap<string, IngressAssignment> {
  const byPlace = new Map<string, IngressAssignment>();
  for (const ingress of section) {
    if (ingress.kind === 'http') continue;
    const place = placeOf(ingress);
    const other = byPlace.get(place);
    if (other === undefined || (other.draining && !ingress.draining)) byPlace.set(place, ingress);
    else if (!ingress.draining) problems.set(ingress.id, `${inWords(ingress)} is that of another ingress, ${other.id}`);
  }
  return byPlace;
}

function placeOf({ kind, hostname, port }: IngressAssignment): string {
  return kind === 'tls' ? `tls ${hostname}` : `${kind} ${port}`;
}

function inWords({ kind, port }: IngressAssignment): string {
  return kind === 'tls' ? 'the host name' : `${kind === 'udp' ? 'UDP' : 'TCP'} port ${port}`;
}

/** `tcp 5432`, from a configuration of ours. */
function listenedBy(config = ''): ReadonlySet<string> {
  const all = [...config.matchAll(/^\s*listen (\d+)( udp)?/gm)];
  return new Set(all.map(([, port, udp]) => `${udp === undefined ? 'tcp' : 'udp'} ${port}`));
}
