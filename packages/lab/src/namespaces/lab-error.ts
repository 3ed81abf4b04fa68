/** How a lab can fail for a reason that whoever asked can do something about. Everything else is a bug of ours. */
export type LabFault = 'usage' | 'not_permitted' | 'not_found' | 'conflict' | 'failed';

export class LabError extends Error {
  override readonly name = 'LabError';
  readonly fault: LabFault;

  constructor(fault: LabFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}
