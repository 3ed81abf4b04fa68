import type { IngressAssignment, Observed, UpstreamHealth } from '@meshwork/contract';
import { problemIn } from './ingress-problems.ts';
import { served } from './server-blocks.ts';

type ObservedIngress = NonNullable<Observed['ingress']>[number];

interface ServingNow {
  /** What nginx proves to serve. */
  readonly served: readonly IngressAssignment[];
  /** Why an ingress is not served, or not as it should be, by its id. */
  readonly problems: ReadonlyMap<string, string>;
  /** How much is open, by ingress. */
  readonly open: ReadonlyMap<string, number>;
  readonly refuses: (ingress: string) => boolean;
  /** SHA-256 of the certificate that clients get. Undefined: it was not looked at. */
  readonly certificateOf: (ingress: string) => string | undefined;
  readonly deadlineOf: (ingress: string) => Pick<ObservedIngress, 'deadline' | 'cut'>;
  readonly upstreamsOf: (ingress: IngressAssignment) => UpstreamHealth[];
}

/** Those that are served or should be, and those that still have connections. */
export function observedIngresses(now: ServingNow): ObservedIngress[] {
  const { problems, open } = now;
  const http = served(now.served.filter(({ kind }) => kind === 'http'));
  const others = now.served.filter(({ kind }) => kind !== 'http');
  const known = [...http, ...others].map((ingress) => ({
    id: ingress.id,
    connections: open.get(ingress.id) ?? 0,
    ...(now.refuses(ingress.id) ? { refuses: true as const } : {}),
    ...now.deadlineOf(ingress.id),
    ...problemIn(problems, ingress.id),
    ...certificateIn(now.certificateOf(ingress.id)),
    upstreams: now.upstreamsOf(ingress),
  }));
  const ids = new Set(known.map(({ id }) => id));
  const placeless = [...problems.keys()].filter((id) => !ids.has(id));
  const lacking = placeless.map((id) => ({ id, connections: open.get(id) ?? 0, ...problemIn(problems, id) }));
  for (const id of placeless) ids.add(id);
  const left = [...open].filter(([id, connections]) => connections > 0 && !ids.has(id));
  return [...known, ...lacking, ...left.map(([id, connections]) => ({ id, connections, refuses: true as const }))];
}

function certificateIn(certificate: string | undefined): { certificate?: string } {
  return certificate === undefined ? {} : { certificate };
}
