import { DryRunDataPlane, type ReceivedView } from '@meshwork/agent';
import { APPLIED_SECTIONS, type Applied, type AppliedSection, type Observed } from '@meshwork/contract';

/**
 * How a simulated node can misbehave. `never_applies`: nothing it receives takes effect. `fails_commands`: every command
 * fails. `wrong_digests`: what is in effect is not what it received, and it does not notice.
 */
export const FAULTS = ['never_applies', 'fails_commands', 'wrong_digests'] as const;
export type Fault = (typeof FAULTS)[number];

/** A dry run that can be made to fail, and to observe what a dry run does not have. */
export class FaultyDataPlane extends DryRunDataPlane {
  #fault: Fault | undefined;
  #change: (observed: Observed) => Observed = (observed) => observed;
  #isChanged = false;

  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Absent: it behaves again. What is in effect is looked at anew either way. */
  setFault(fault: Fault | undefined): void {
    this.#fault = fault;
    this.drift(APPLIED_SECTIONS);
  }

  /** It observes this from now on: links through relays, what a relay carries. Reported as a whole once. */
  setObserved(change: (observed: Observed) => Observed): void {
    this.#change = change;
    this.#isChanged = true;
    this.drift([]);
  }

  override observe(extent: 'changes' | 'everything'): Observed {
    const observed = super.observe(this.#isChanged ? 'everything' : extent);
    this.#isChanged = false;
    return this.#change(observed);
  }

  override async apply(section: AppliedSection, view: ReceivedView): Promise<Applied> {
    if (this.#fault === 'never_applies') throw new Error('simulated: nothing can be applied on this node');
    const applied = await super.apply(section, view);
    return this.#fault === 'wrong_digests' ? { ...applied, digest: 'bad000000000' } : applied;
  }

  override async rekey(operation: string): Promise<string> {
    if (this.#fault === 'fails_commands') throw new Error('simulated: this node cannot make a key');
    return super.rekey(operation);
  }

  override async diagnose(): Promise<string> {
    if (this.#fault === 'fails_commands') throw new Error('simulated: this node cannot say how it stands');
    return super.diagnose();
  }
}
