/** Which pair of nodes is checked next. */
import type { NodeId } from '@meshwork/contract';
import { type Allow, parseAllow, type Wanted } from '@meshwork/policy';
import { answersProbes } from '../../../mesh/abilities.ts';
import type { Stored } from '../../../mesh/model.ts';
import { isFresh, isMember } from '../../../mesh/node-state.ts';
import { arePeers } from '../../../views/reach.ts';
import type { Runtime } from '../../runtime.ts';
import { addressIn, familiesOf } from '../name-families.ts';

export interface SampledPair {
  readonly source: Stored<'node'>;
  readonly target: Stored<'node'>;
  /** Of the target. */
  readonly address: string;
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

/** Ours: how often the nodes are listed anew. New ones are found before that: they changed. */
const LISTED_EVERY_MS = 600_000;
/** Ours: so many are picked at random until one fits. To look at all of them would cost more than the check. */
const TRIES = 30;

export class PairSampler {
  readonly #runtime: Runtime;
  readonly #random: () => number;
  #listed: readonly string[] = [];
  #listed_ms = Number.NEGATIVE_INFINITY;

  constructor(runtime: Runtime, random: () => number) {
    this.#runtime = runtime;
    this.#random = random;
  }

  /** Undefined: no two nodes were found whose agents make attempts. `changed`: nodes that changed lately. */
  next(changed: ReadonlySet<NodeId>): SampledPair | undefined {
    const source = this.#pick(this.#random() < ABOUT_CHANGED ? [...changed] : [], isAny) ?? this.#pickAny(isAny);
    if (source === undefined) return undefined;
    const isOther = ({ id }: Stored<'node'>) => id !== source.id;
    const { reach } = this.#runtime.views;
    const isPeer = ({ id }: Stored<'node'>) => arePeers(reach, source.id as NodeId, id as NodeId);
    const peer = this.#random() < ABOUT_PEERS ? this.#pickAny(isPeer) : undefined;
    const target = peer ?? this.#pickAny(isOther);
    if (target === undefined) return undefined;
    const ports = portsOf(this.#runtime, source, target);
    const wanted = ports[Math.floor(this.#random() * ports.length)];
    const isSix = familiesOf(source, target).includes(6) && this.#random() < 0.5;
    return wanted && { source, target, address: addressIn(target, isSix ? 6 : 4), wanted };
  }

  #pickAny(fits: (node: Stored<'node'>) => boolean): Stored<'node'> | undefined {
    return this.#pick(this.#nodes(), fits);
  }

  #pick(ids: readonly string[], fits: (node: Stored<'node'>) => boolean): Stored<'node'> | undefined {
    const { model } = this.#runtime.mesh;
    for (let tries = 0; tries < TRIES && ids.length > 0; tries++) {
      const node = model.get('node', ids[Math.floor(this.#random() * ids.length)] ?? '');
      if (node !== undefined && isAble(this.#runtime, node) && fits(node)) return node;
    }
    return undefined;
  }

  /** Also when the clock was set back. */
  #nodes(): readonly string[] {
    const { mesh } = this.#runtime;
    const now_ms = mesh.clock.now();
    if (this.#listed.length < TRIES || Math.abs(now_ms - this.#listed_ms) >= LISTED_EVERY_MS) {
      this.#listed = Array.from(mesh.model.all('node'), ({ id }) => id);
      this.#listed_ms = now_ms;
    }
    return this.#listed;
  }
}

const isAny = () => true;

function isAble({ mesh: { model } }: Runtime, { id, body }: Stored<'node'>): boolean {
  return isMember(body) && isFresh(model, id) && answersProbes(model, id, 'attempt');
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
