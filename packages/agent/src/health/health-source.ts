import type { AppliedSection, LinkReport, TrafficCount } from '@meshwork/contract';
import type { AgentStatus } from '../conversation/status.ts';

/** One section that the coordinator sent, and how much of it is in effect. */
export interface SectionHealth {
  /** The revision that last brought it. */
  readonly wanted: number;
  /** The revision that is in effect. 0: none is. */
  readonly in_effect: number;
  /** Why no more than that is in effect. */
  readonly error?: string | undefined;
}

/** The state of an agent at one moment. It contains no secret: any client that reaches the address may read it. */
export interface HealthSnapshot {
  readonly node: string;
  readonly name: string;
  readonly version: string;
  /** In the mesh. Empty: not known yet. */
  readonly addresses: readonly string[];
  readonly status: AgentStatus;
  /** Since when the status is what it is. */
  readonly status_since_ms: number;
  /** When a heartbeat was last answered. Null: none was since the start. */
  readonly answered_ms: number | null;
  readonly heartbeats: { readonly answered: number; readonly superseded: number; readonly failed: number };
  /** Of all that is held. 0: nothing is. */
  readonly revision: number;
  /** Only those that the coordinator sent. */
  readonly sections: ReadonlyMap<AppliedSection, SectionHealth>;
  /** Whether the engines run, as they were last seen. */
  readonly engine: { readonly ok: boolean; readonly detail: string };
  readonly links: readonly Pick<LinkReport, 'path' | 'handshake_at'>[];
  readonly rx_bytes: number;
  readonly tx_bytes: number;
  readonly relays: readonly { readonly name: string; readonly rtt_ms: number }[];
  /** Packets that the policy turned away. */
  readonly denied: { readonly in: number; readonly forward: number };
  /** When the node's certificate expires. Null: it has none. */
  readonly certificate_ends_ms: number | null;
  /** Requests that the node has answered as a gateway, by ingress and route. */
  readonly requests: readonly TrafficCount[];
}

/** What health is read from, with each request. */
export interface HealthSource {
  look(): HealthSnapshot;
}
