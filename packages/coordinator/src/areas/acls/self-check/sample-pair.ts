/** Which pair of nodes is checked next. */
import type { NodeId } from '@meshwork/contract';
import { type Allow, parseAllow, type Wanted } from '@meshwork/policy';
import { answersProbes } from '../../../mesh/abilities.ts';
import type { Stored } from '../../../mesh/model.ts';
import { isFresh, isMember } from '../../../mesh/node-state.ts';
import type { Runtime } from '../../runtime.ts';

export interface SampledPair {
  readonly source: Stored<'node'>;
  readonly target: Stored<'node'>;
  readonly family: 4 | 6;
  readonly wanted: Wanted;
}

/** Ours: of what is asked, how much is about nodes that changed lately, and about nodes that may talk at all. */
const ABOUT_CHANGED = 0.5;
const ABOUT_PEERS = 0.7;
/** Ours: what to try where no grant and no service says which port. */
const USUAL_PORTS: readonly Wanted[] = [
  { protocol: 'icmp', port: 0 },
  { protocol: 'tcp', port: 22 },
  { protocol: 'tcp', port: 443 },
  { protocol: 'udp', port: 53 },
];

/** Undefined: there are no two nodes whose agents make attempts. */
export function samplePair(
  runtime: Runtime,
  changed: ReadonlySet<NodeId>,
  random: () => number,
): SampledPair | undefined {
  const able = ableNodes(runtime);
  if (able.length < 2) return undefined;
  const lately = able.filter(({ id }) => changed.has(id as NodeId));
  const source = pick(lately.length > 0 && random() < ABOUT_CHANGED ? lately : able, random);
  const others = able.filter(({ id }) => id !== source?.id);
  const peers = others.filter(({ id }) => source !== undefined && arePeers(runtime, source.id, id));
  const target = pick(peers.length > 0 && random() < ABOUT_PEERS ? peers : others, random);
  if (source === undefined || target === undefined) return undefined;
  const wanted = pick(portsOf(runtime, source, target), random) ?? USUAL_PORTS[0];
  const has6 = source.body.address6 !== null && target.body.address6 !== null;
  return wanted && { source, target, family: has6 && random() < 0.5 ? 6 : 4, wanted };
}

function ableNodes({ mesh: { model } }: Runtime): readonly Stored<'node'>[] {
  return [...model.all('node')].filter(
    ({ id, body }) => isMember(body) && isFresh(model, id) && answersProbes(model, id, 'attempt'),
  );
}

function arePeers({ policy: { engine } }: Runtime, a: string, b: string): boolean {
  const [one, other] = [engine.cohortOf(a), engine.cohortOf(b)];
  return one !== undefined && other !== undefined && engine.arePeers(one, other);
}

/** What grants between the two name, what the target offers, and what people try. */
function portsOf(
  { policy: { engine }, mesh }: Runtime,
  source: Stored<'node'>,
  target: Stored<'node'>,
): readonly Wanted[] {
  const [from, to] = [engine.cohortOf(source.id), engine.cohortOf(target.id)];
  const grants = from && to ? engine.grantsFrom(from, to) : [];
  const granted = grants
    .flatMap((place) => engine.document.grants[place]?.allow ?? [])
    .flatMap((text) => oneOf(parseAllow(text)));
  const offered = mesh.model.get('report', target.id)?.body.services ?? [];
  return [...granted, ...offered.map(({ protocol, port }) => ({ protocol, port })), ...USUAL_PORTS];
}

/** The first port of a range stands for it. */
function oneOf(allow: Allow | undefined): readonly Wanted[] {
  if (allow === undefined || allow.protocol === 'any') return [];
  return [{ protocol: allow.protocol, port: allow.from }];
}

function pick<T>(all: readonly T[], random: () => number): T | undefined {
  return all[Math.floor(random() * all.length)];
}
