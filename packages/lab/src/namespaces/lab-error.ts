/** How a lab can fail for a reason that the operator can remedy. Everything else is a bug of ours. */
export type LabFault = 'usage' | 'not_permitted' | 'not_found' | 'conflict' | 'failed';

export class LabError extends Error {
  override readonly name = 'LabError';
  readonly fault: LabFault;

  constructor(fault: LabFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}

/** That no lab of that name lives on this machine. */
export class NoSuchLab extends LabError {
  /** Those that do. */
  readonly others: readonly string[];

  constructor(name: string, others: readonly string[]) {
    const there = others.length === 0 ? 'there is none at all' : `there is ${others.join(', ')}`;
    super('not_found', `there is no lab "${name}" on this machine; ${there}`);
    this.others = others;
  }
}
