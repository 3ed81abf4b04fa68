import type { HeartbeatReply, RelayProof, RelaySection, RelaysSection } from '@meshwork/contract';
import type { EndpointFinder } from '../endpoints/endpoint-finder.ts';
import { RelayProver } from './relay-prover.ts';

interface NodeRelaysOptions {
  /** Measures the way to them, and asks them how they see this node. */
  readonly finder: Pick<EndpointFinder, 'relays' | 'setRelays'>;
  /** The roots of the mesh, in PEM. */
  readonly roots: () => readonly string[];
  /** A relay was found to carry, or not to. */
  readonly changed: () => void;
}

interface MeasuredRelay {
  readonly name: string;
  readonly rtt_ms: number;
}

/** The relays that the coordinator names: which are measured, and which this node may send through. */
export class NodeRelays {
  readonly #finder: NodeRelaysOptions['finder'];
  readonly #prover: RelayProver;
  #relays: RelaysSection = [];
  #assigned: RelaySection | null = null;
  #isRunning = true;

  constructor({ finder, roots, changed }: NodeRelaysOptions) {
    this.#finder = finder;
    this.#prover = new RelayProver({ roots, changed });
  }

  heed({ relays, relay, relay_access }: HeartbeatReply): void {
    if (!this.#isRunning) return;
    if (relays !== undefined) this.#relays = relays;
    if (relay !== undefined) this.#assigned = relay;
    this.#finder.setRelays(this.#toMeasure());
    if (relay_access !== undefined) this.#prover.setAccess(relay_access);
  }

  /** Names or addresses of all of them. */
  get hosts(): readonly string[] {
    return this.#toMeasure().map(({ host }) => host);
  }

  /** By UDP, or as they were last proven where that is blocked. */
  get measured(): readonly MeasuredRelay[] {
    const measured = this.#finder.relays;
    const isMissing = ({ name }: MeasuredRelay) => measured.every((one) => one.name !== name);
    return [...measured, ...this.#prover.round_trips.filter(isMissing)];
  }

  get proofs(): readonly RelayProof[] {
    return this.#prover.proofs;
  }

  stop(): void {
    this.#isRunning = false;
    this.#prover.stop();
  }

  /** A coordinator of version 0.1.0 knows of one only, the one that it assigns. */
  #toMeasure(): RelaysSection {
    const assigned = this.#assigned;
    if (assigned === null || this.#relays.some(({ name }) => name === assigned.name)) return this.#relays;
    return [...this.#relays, assigned];
  }
}
