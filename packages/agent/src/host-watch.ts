import type { Abilities, AppliedSection, Service } from '@meshwork/contract';
import type { SleepingClock } from '@meshwork/time';
import { changedAbilities } from './data-plane/abilities.ts';
import type { OpenEngine } from './engines/engine.ts';
import { hostOf, OutsideAddresses } from './host/outside-addresses.ts';
import { pause } from './host/pause.ts';
import { watchServices } from './host/service-watch.ts';

interface HostWatchOptions {
  readonly engines: readonly OpenEngine[];
  /** As they are when the agent starts. */
  readonly abilities: Abilities;
  /** Addresses of the coordinators, as URLs. */
  readonly coordinators: readonly string[];
  /** Host names of the relays, as they are known now. */
  readonly relays: () => readonly string[];
  /** What the host says that it offers. */
  readonly services: readonly Service[];
  /** Of the node in the mesh, without prefix. */
  readonly addresses: () => readonly string[];
  readonly clock: SleepingClock;
  readonly offers: (services: Service[]) => void;
  readonly carries: (abilities: Abilities) => void;
  /** Something that these sections depend on is not any more what it was. */
  readonly reapply: (sections: readonly AppliedSection[]) => void;
  readonly failed: (error: unknown) => void;
}

/** Ours: a coordinator or relay that moves to another address is known by it within this time. */
const ADDRESSES_EVERY_MS = 60_000;
/** Ours: packages are upgraded while the agent runs, and what is old is warned of. */
const VERSIONS_EVERY_LOOKS = 15;

/** Looks now and then at what no engine follows: what the host offers and can carry, and where coordinators and relays are. */
export class HostWatch {
  readonly #options: HostWatchOptions;
  readonly #outside = new OutsideAddresses();
  /** Packages that are installed later make them more. */
  #abilities: Abilities;

  constructor(options: HostWatchOptions) {
    this.#options = options;
    this.#abilities = options.abilities;
  }

  get abilities(): Abilities {
    return this.#abilities;
  }

  /** Of coordinators and relays: never reached through the mesh. */
  get outside(): readonly string[] {
    return this.#outside.all;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { services, addresses, clock, offers: seen, failed } = this.#options;
    await Promise.all([
      watchServices({ services, addresses, clock, seen, failed }, signal),
      this.#watchAddresses(signal),
    ]);
  }

  async #watchAddresses(signal: AbortSignal): Promise<void> {
    const { clock, reapply, failed } = this.#options;
    for (let looks = 1; !signal.aborted; looks++) {
      await pause(clock, ADDRESSES_EVERY_MS, signal);
      if (await this.lookOutside()) reapply(['self']);
      await this.#lookAtAbilities(looks % VERSIONS_EVERY_LOOKS === 0 ? 'versions' : 'sections').catch(failed);
    }
  }

  /** Answers whether any is at another address now. */
  lookOutside(): Promise<boolean> {
    const { coordinators, relays } = this.#options;
    return this.#outside.setHosts([...new Set([...coordinators.map(hostOf), ...relays()])]);
  }

  async #lookAtAbilities(of: 'sections' | 'versions'): Promise<void> {
    const abilities = await changedAbilities(this.#options.engines, this.#abilities, of);
    if (abilities === undefined) return;
    this.#abilities = abilities;
    this.#options.carries(abilities);
  }
}
