import type { AgentObserver } from '../conversation/agent-observer.ts';
import type { AgentStatus } from '../conversation/status.ts';

/** Counts the outcomes of the heartbeats of one agent, for health and metrics. */
export class ConversationRecord implements AgentObserver {
  readonly #now: () => number;
  readonly heartbeats = { answered: 0, superseded: 0, failed: 0 };
  answered_ms: number | null = null;
  current: AgentStatus = { state: 'starting' };
  status_since_ms: number;

  constructor(now: () => number) {
    this.#now = now;
    this.status_since_ms = now();
  }

  answered(): void {
    this.heartbeats.answered += 1;
    this.answered_ms = this.#now();
  }

  superseded(): void {
    this.heartbeats.superseded += 1;
    this.answered_ms = this.#now();
  }

  failed(): void {
    this.heartbeats.failed += 1;
  }

  status(_node: string, status: AgentStatus): void {
    // Trying again for another reason is still being away.
    if (status.state !== this.current.state) this.status_since_ms = this.#now();
    this.current = status;
  }
}
