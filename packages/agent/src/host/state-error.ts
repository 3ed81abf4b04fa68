/** `in_use`: another agent has the folder. `unfit`: the folder cannot be used as it is. `corrupt`: a file makes no sense. */
type StateFault = 'in_use' | 'unfit' | 'corrupt';

/** What is wrong with the folder an agent keeps itself in. The words name the file, and never repeat what is in it. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly fault: StateFault;

  constructor(fault: StateFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.fault = fault;
  }
}
