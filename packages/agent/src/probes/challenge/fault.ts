import type { ChallengeFault } from '@meshwork/contract/vocabulary';

/** Something answered, and not as it should. */
export class Fault extends Error {
  readonly fault: ChallengeFault;

  constructor(fault: ChallengeFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
