/** What a gateway server is made of, and what is wanted of it. */
import type { IngressAssignment, UpstreamHealth, WafAssignment } from '@meshwork/contract';
import type { AgentLog } from '../../host/log.ts';
import type { ShownChallenges } from './challenges/shown-challenges.ts';
import type { ClientTrust } from './client-trust.ts';
import type { Cuts } from './control.ts';
import type { DrainDeadlines } from './drain-deadlines.ts';
import type { GatewayCertificates } from './gateway-certificates.ts';
import type { GatewayFolder } from './gateway-folder.ts';
import type { GivenSection } from './given-certificates.ts';
import type { Identities } from './identities.ts';
import type { IngressFiles } from './ingress-files.ts';
import type { LiveState } from './live-state.ts';
import type { GatewayPorts } from './nginx-input.ts';
import type { NginxLog } from './nginx-log.ts';
import type { NginxProcess } from './nginx-process.ts';
import type { ServingConfig } from './serving-config.ts';
import type { StreamFiles } from './stream-files.ts';
import type { GatewayTraffic } from './traffic/gateway-traffic.ts';
import type { GatewayWaf } from './waf/gateway-waf.ts';

/** What nginx is sent and asked over its private socket: see `control.ts`. */
interface Control {
  put(live: LiveState): Promise<void>;
  open(): Promise<ReadonlyMap<string, number>>;
  cuts(): Promise<Cuts>;
}

/** Which nodes answer: see `upstream-checks.ts`. */
interface Checks {
  follow(section: readonly IngressAssignment[]): void;
  firstRound(): Promise<void>;
  health(): ReadonlyMap<string, UpstreamHealth>;
  ofIngress(assignment: IngressAssignment): UpstreamHealth[];
  stop(): void;
}

export interface GatewayServerParts {
  readonly folder: GatewayFolder;
  readonly process: NginxProcess;
  readonly config: ServingConfig;
  readonly files: IngressFiles;
  readonly streams: StreamFiles;
  readonly deadlines: DrainDeadlines;
  readonly identities: Identities;
  readonly certificates: GatewayCertificates;
  /** The certificate of the node itself with its issuers, in PEM. Undefined: it has none. */
  readonly own_chain: () => string | undefined;
  readonly control: Control;
  readonly checks: Checks;
  readonly nginx_log: NginxLog;
  readonly waf: GatewayWaf;
  readonly traffic: GatewayTraffic;
  readonly challenges: ShownChallenges;
  readonly ports: GatewayPorts;
  readonly log: AgentLog;
  readonly now: () => number;
  /** What is observed has changed in a way that is waited for. */
  readonly news: () => void;
}

/** What the coordinator wants of a gateway. */
export interface WantedGateway extends ClientTrust {
  readonly section: readonly IngressAssignment[];
  /** Absent: there are none. */
  readonly policies?: readonly WafAssignment[];
  /** Certificates that operators brought. Absent: there are none. */
  readonly given?: GivenSection;
}
