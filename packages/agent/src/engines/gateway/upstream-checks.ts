/**
 * The agent's own checks of the nodes that a gateway sends requests to. What they find decides who gets requests
 * (`live-state.ts`), and is reported.
 *
 *   checked-upstream.ts  one upstream, again and again     rise-and-fall.ts  what follows from its results
 *   probe-target.ts      one check, with grpc-health.ts    check-slots.ts    how many run at once
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { anyContains, type Network, readNetwork } from '@meshwork/addresses';
import type { IngressAssignment, UpstreamHealth, UpstreamState } from '@meshwork/contract';
import { systemClock } from '@meshwork/time';
import { messageOf } from '../../message-of.ts';
import { CheckSlots } from './check-slots.ts';
import { CheckedUpstream, type CheckParts, type Followed } from './checked-upstream.ts';
import { placeKey, upstreamKey } from './live-state.ts';

interface ChecksOptions {
  readonly now: () => number;
  /** The roots of the mesh, in PEM. Undefined: not known yet. */
  readonly trust: () => string | undefined;
  /**
   * Networks and addresses of the mesh. No other address is ever connected to, nor gets requests: whatever a record says, a
   * gateway must not fetch from its own host or its provider. Empty: not known yet.
   */
  readonly networks: () => readonly string[];
  /** The state of an upstream is another one. */
  readonly changed: () => void;
  /** For tests. */
  readonly sleep?: CheckParts['clock']['sleep'] | undefined;
  readonly random?: (() => number) | undefined;
}

/** Ours: enough for a thousand upstreams in five seconds, and few enough for the smallest gateway. */
const MAX_AT_ONCE = 64;

export class UpstreamChecks {
  readonly #options: ChecksOptions;
  readonly #parts: CheckParts;
  /** By `upstreamKey`. */
  readonly #upstreams = new Map<string, CheckedUpstream>();
  #roots: { readonly pem: string; readonly context: SecureContext } | undefined;
  #mesh: { readonly texts: readonly string[]; readonly networks: readonly Network[] } | undefined;

  constructor(options: ChecksOptions) {
    const { now, changed, sleep = systemClock.sleep, random = Math.random } = options;
    this.#options = options;
    this.#parts = {
      clock: { now, sleep },
      random,
      slots: new CheckSlots(MAX_AT_ONCE),
      prepare: (followed) => this.#prepare(followed),
      changed,
    };
  }

  /** Checks these from now on, and no others. What it was following already keeps its state. */
  follow(section: readonly IngressAssignment[]): void {
    const wanted = new Map<string, Followed>();
    for (const followed of section.flatMap(followedIn)) {
      const key = keyOf(followed);
      if (!wanted.has(key)) wanted.set(key, followed); // the first ingress that has it gives the host name
    }
    const before = new Map<string, CheckedUpstream>();
    for (const [key, upstream] of this.#upstreams) {
      before.set(placeKey(upstream.followed.target, upstream.followed), upstream);
      if (wanted.has(key)) continue;
      upstream.stop();
      this.#upstreams.delete(key);
    }
    for (const [key, followed] of wanted) {
      const known = this.#upstreams.get(key);
      if (known !== undefined) known.update(followed);
      else {
        const known_otherwise = before.get(placeKey(followed.target, followed));
        this.#upstreams.set(key, new CheckedUpstream(followed, this.#parts, known_otherwise));
      }
    }
  }

  /** Resolves once each that is followed now was checked, or is not followed any more. */
  async firstRound(): Promise<void> {
    await Promise.all([...this.#upstreams.values()].map(({ first }) => first));
  }

  /** By `upstreamKey`. */
  health(): ReadonlyMap<string, UpstreamHealth> {
    return new Map([...this.#upstreams].map(([key, { health }]) => [key, health]));
  }

  /** One for each node of a service. Where routes check it in several ways, the one that went worst. */
  ofIngress(assignment: IngressAssignment): UpstreamHealth[] {
    const worst = new Map<string, UpstreamHealth>();
    for (const followed of followedIn(assignment)) {
      const health = this.#upstreams.get(keyOf(followed))?.health;
      if (health === undefined) continue;
      const place = `${health.service} ${health.node}`;
      const other = worst.get(place);
      if (other === undefined || BADNESS[health.state] > BADNESS[other.state]) worst.set(place, health);
    }
    return [...worst.values()];
  }

  stop(): void {
    for (const upstream of this.#upstreams.values()) upstream.stop();
    this.#upstreams.clear();
  }

  #prepare({ target, protocol, check }: Followed): ReturnType<CheckParts['prepare']> {
    try {
      const mesh = this.#networks();
      if (mesh.length === 0) return unchecked('the networks of the mesh are not known yet');
      if (!anyContains(mesh, target.address)) {
        return { outcome: { result: 'failed', why: `${target.address} is no address of the mesh` } };
      }
      if (!isSecure(protocol) || (check.kind !== 'http' && check.kind !== 'grpc')) return {};
      const tls = this.#context();
      return tls === undefined ? unchecked('the roots of the mesh are not known yet') : { tls };
    } catch (error) {
      return unchecked(messageOf(error));
    }
  }

  /** Read once for each list of them. */
  #networks(): readonly Network[] {
    const texts = this.#options.networks();
    if (this.#mesh?.texts !== texts) this.#mesh = { texts, networks: texts.map(readNetwork) };
    return this.#mesh.networks;
  }

  /** Made once for each set of roots: reading them takes longer than a check. */
  #context(): SecureContext | undefined {
    const pem = this.#options.trust();
    if (pem === undefined) return undefined;
    if (this.#roots?.pem !== pem) {
      new X509Certificate(pem); // throws when there is none in it, where a context would trust none
      this.#roots = { pem, context: createSecureContext({ ca: pem }) };
    }
    return this.#roots.context;
  }
}

const BADNESS: Readonly<Record<UpstreamState, number>> = { up: 0, unknown: 1, down: 2 };

function followedIn({ hostname, routes }: IngressAssignment): Followed[] {
  return routes.flatMap(({ protocol, check, pools }) =>
    pools.flatMap(({ service, targets }) => targets.map((target) => ({ target, service, protocol, check, hostname }))),
  );
}

function isSecure(protocol: Followed['protocol']): boolean {
  return protocol === 'https' || protocol === 'grpcs';
}

function keyOf(followed: Followed): string {
  return upstreamKey(followed.target, followed);
}

function unchecked(why: string): ReturnType<CheckParts['prepare']> {
  return { outcome: { result: 'unchecked', why: `it could not be checked: ${why}` } };
}
