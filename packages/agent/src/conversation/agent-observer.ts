import type { Applied, AppliedSection, HeartbeatReply } from '@meshwork/contract';
import type { AgentStatus } from './status.ts';

/** Follows what agents do. One observer can serve any number of agents. */
export interface AgentObserver {
  answered?(node: string, reply: HeartbeatReply): void;
  /** What an answer brought is held now, also what is not applied section by section. */
  held?(node: string): void;
  /** A heartbeat was answered after the next one was sent. Its answer is dropped. */
  superseded?(node: string): void;
  failed?(node: string, error: unknown): void;
  status?(node: string, status: AgentStatus): void;
  /** The result of applying a section that the coordinator sent. */
  applied?(node: string, section: AppliedSection, applied: Applied): void;
  /** The coordinator does not know these members of a heartbeat, and they are left out: it is older than this agent. */
  leftOut?(node: string, members: readonly string[]): void;
  /** Where the coordinator saw the node come from when it last proved itself. Null: it does not know. */
  seen?(node: string, address: string | null): void;
}
