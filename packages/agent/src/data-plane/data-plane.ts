import type { Applied, AppliedSection, Observed, Report } from '@meshwork/contract';
import type { HeldView } from '../view/held-view.ts';
import type { ReceivedView } from '../view/received-view.ts';

/**
 * What the agent drives on its node: WireGuard, packet filter, relay client, gateway. The agent keeps to one order:
 *
 *   desired (the view)  →  observed (what is there)  →  smallest difference  →  apply  →  read back  →  report
 *
 * so a data plane never answers with what it was asked for, only with what it found in effect afterwards. It keeps what
 * it last had in effect when a section cannot be applied, and says so with `error`.
 *
 * `V` is the view that it needs: engines plan from the records of a `HeldView`, a dry run needs none of them.
 */
export interface DataPlane<V extends ReceivedView = HeldView> {
  /**
   * Makes one section of the view true. Never called twice at the same time, and called again with a newer view, or with
   * the same one after an error. What it answers with is reported as it is. The view goes on living: what is needed of it
   * is read before the first `await`.
   */
  apply(section: AppliedSection, view: V): Promise<Applied>;

  /**
   * What it observes now. Absent fields have not changed since the last call; `everything` asks for all of them, because
   * the coordinator lost its state. A repair is reported once in any case.
   */
  observe(extent: 'changes' | 'everything'): Observed;

  /** The coordinator has this: a heartbeat with it was answered. Absent: it keeps nothing until then. */
  reported?(observed: Observed): void;

  /**
   * What it adds to what the node says of itself, all of it: what is absent is not said any more. Absent: it never adds
   * anything. It calls back `onChange` when this changes.
   */
  report?(): Report;

  /**
   * Makes a new WireGuard key, uses it, and answers with its public half. The private one stays where it is. The same
   * operation gives the same key: an agent that was started again is asked again, and may have done it already.
   */
  rekey(operation: string): Promise<string>;

  /** The state of the node as JSON, for operators who cannot log in to it. Contains no secret; see `MAX_ANSWER_BYTES`. */
  diagnose(): Promise<string>;

  /**
   * Calls back when something happened that should be reported now and not with the next heartbeat. `drifted`
   * are sections that are not any more what was applied: they are applied anew, and what is found is reported.
   */
  onChange(listener: (drifted: readonly AppliedSection[]) => void): void;
}
