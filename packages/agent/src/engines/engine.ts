/**
 * What one engine of a node is. An engine is a folder beside this file that exports one value of the type `Engine`, and one
 * line in `engines.ts`. Nothing else in the agent knows an engine by name: the data plane, preflight, abilities, health,
 * diagnosis, rollback and removal go through the list.
 *
 * An engine keeps to one order: plan (from the view alone) → smallest difference → apply → read back. Where it knows which
 * peers changed since it last succeeded (`view/changes.ts`), it plans, applies and reads back those alone; after an error, drift
 * or a restart it does everything. `drift` always compares everything.
 */
import type {
  Applied,
  AppliedSection,
  Feature,
  LinkReport,
  Observed,
  Probe,
  ProbeResult,
  Report,
  TrafficCount,
} from '@meshwork/contract';
import type { ProbeKind } from '@meshwork/contract/vocabulary';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import type { GatewaySettings, NamesBy, RelaySettings, TlsSettings } from '../config.ts';
import type { Lack } from '../host/lack.ts';
import type { AgentLog } from '../host/log.ts';
import type { NetlinkProtocol } from '../host/netlink-child.ts';
import type { PeerPlaces } from '../host/peer-places.ts';
import type { RunCommand } from '../host/run-command.ts';
import type { GuardedPart, PartGuard } from '../rollback/guarded-part.ts';
import type { HeldView } from '../view/held-view.ts';

/** What is known of an engine before it runs. */
export interface EngineTraits {
  /** In metrics, logs and the diagnosis. */
  readonly name: string;
  /** The sections that it puts into effect, alone or with others. */
  readonly sections: readonly AppliedSection[];
  /** What it can do in these sections that came later: a coordinator gives it nothing that needs another. Absent: nothing. */
  readonly features?: readonly Feature[];
  /** The sections that are applied anew when it was changed by another program. The first is the one that the repair is reported with. */
  readonly on_drift: readonly [AppliedSection, ...AppliedSection[]];
  /** Its part in the interface of the mesh. When the engine that makes it has lost it, what others set on it is lost too. */
  readonly mesh_interface?: 'makes' | 'uses';
  /** What a rollback may take back, in the order in which suspects are tried again. */
  readonly parts: readonly GuardedPart[];
}

export interface Engine extends EngineTraits {
  /** What it needs of the machine and does not find. Changes nothing. */
  lacks(options: LackOptions): Promise<readonly Lack[]>;
  /** Gets ready to drive what is on the host. What an agent before this one left is taken over. */
  open(host: EngineHost): Promise<OpenEngine>;
  /** Rejects with the reason why nothing on this host may be removed. Absent: there never is one. */
  mayRemove?(folder: string): Promise<void>;
  /** Takes away all that agents ever made on this host with it, also when its program is gone. */
  remove(folder: string): Promise<void>;
}

export interface LackOptions {
  readonly wireguard_port: number;
  readonly run: RunCommand;
}

/** The node's WireGuard key, as it is kept. */
export interface NodeKey {
  /** Base64. A secret. */
  readonly private_key: string;
  /**
   * Makes a new one, has it used, and keeps it; when it cannot be used, the old one stays. The same operation gives the
   * same key, however often it is asked for. Answers with the public half.
   */
  replace(operation: string, use: (private_key: string) => Promise<void>): Promise<string>;
}

/** What engines are given of the host. */
export interface EngineHost {
  /** Id of the node. */
  readonly node: string;
  /** A private folder for what they have to remember. */
  readonly folder: string;
  readonly key: NodeKey;
  /** WireGuard's. */
  readonly port: number;
  /** Networks that this host offers to forward to. No other is ever forwarded to. */
  readonly offered: readonly string[];
  /** Which routes this host takes. */
  readonly accept_routes: AcceptRoutes;
  /** Host names of the coordinators, as the agent calls them: no node of the mesh may become one of them. */
  readonly coordinators: readonly string[];
  readonly tls: TlsSettings;
  readonly relay: RelaySettings;
  readonly gateway: GatewaySettings;
  /** How names of the mesh are resolved on this host. */
  readonly names: NamesBy;
  /** For what happens beside what is applied, and so is in no report. */
  readonly log: AgentLog;
  readonly now: () => number;
  /** The engine has lost what it made, without being asked to. */
  readonly lost: (engine: EngineTraits, found: string) => void;
  /** Something that these sections depend on is not any more what it was. */
  readonly reapply: (sections: readonly AppliedSection[]) => void;
  /** There is something to report that no section is about. */
  readonly news: () => void;
  /** A NAT shows WireGuard's port to others at these endpoints. */
  readonly mapped: (endpoints: readonly string[]) => void;
  /** The router passes what comes to this endpoint on to WireGuard's port. Null: none does. */
  readonly forwarded: (endpoint: string | null) => void;
  readonly places: PeerPlaces;
}

/** What an engine plans from. The view goes on living: what is needed of it is read before the first `await`. */
export interface PlanInput {
  readonly view: HeldView;
  readonly guard: PartGuard;
  /** Addresses of the coordinators, as they are known now: never reached through the mesh. */
  readonly kept_out: readonly string[];
}

/** What was planned. Answers with how what it found afterwards falls short of what is wanted. Rejects when nothing can be said of it. */
export type Work = () => Promise<Partial<Applied>>;

/** What follows for an engine from something that the kernel announced. */
export type Heard =
  /** Another program changed what the engine made, for certain: it is put back without comparing first. */
  | { readonly kind: 'changed'; readonly found: string }
  /** That may have been changed: it is compared at once. */
  | { readonly kind: 'doubtful' }
  /** The interface of the mesh is gone: all engines that make or use it are compared. */
  | { readonly kind: 'interface' }
  /** Other programs changed what is theirs. It is surveyed anew, and `around`: it also has a say in what the engine should make. */
  | { readonly kind: 'foreign'; readonly around?: boolean };

/** An engine that runs. */
export interface OpenEngine {
  readonly traits: EngineTraits;
  /** Of the programs or kernel parts that it drives, by name, as the agent reports them. */
  versions(): Promise<Readonly<Record<string, string>>>;
  /** The sections that it can carry on this host as it is now: a package may be missing. Absent: all of its traits. */
  carries?(): Promise<readonly AppliedSection[]>;
  /** What has to be done for a section that it carries. Undefined: all that concerns it is in effect already. */
  plan(section: AppliedSection, input: PlanInput): Work | undefined;
  /**
   * Takes in what the coordinator sent that is no section of its own to apply. Called with every answer. Where it answers with a promise,
   * which never rejects, sections are applied once that has resolved.
   */
  heed?(view: HeldView): Promise<void> | undefined | void;
  /** Something may have changed that it does not know of: the next plan is for everything. */
  distrust(): void;
  /** How what is there differs from what was last asked for, in words, or null. Compares everything. */
  drift(): Promise<string | null>;
  /**
   * Takes in what the kernel announced, one datagram at a time (`host/netlink-message.ts`). Absent: it does not listen, and is
   * compared more often. Null: some announcements were lost, and what they began with is void.
   */
  announced?(protocol: NetlinkProtocol, datagram: Buffer | null): readonly Heard[];
  /** Files that it shares with other programs. When one is changed, it is compared at once. */
  readonly shared_files?: readonly string[];
  /** Reads what other programs have set up beside it. Answers whether there is news that is worth a heartbeat. */
  survey?(): Promise<boolean>;
  /** Sees what goes on by itself, and sees to it. Called now and then. Answers whether there is news that is worth a heartbeat. */
  look?(view: HeldView): Promise<boolean>;
  /** Exchanges packets with these peers right now. Answers for each of them. Only of the engine that carries them. */
  hear?(peers: readonly string[], within_ms: number): Promise<readonly HeardPeer[]>;
  /** What it adds to the report. Absent fields are as they were; `everything` asks for all of them. */
  observe?(extent: 'changes' | 'everything'): Omit<Observed, 'telemetry' | 'repairs'>;
  /** The coordinator has what was observed: a heartbeat with it was answered. */
  reported?(observed: Observed): void;
  /** Probes that it answers. Absent: none. */
  readonly prober?: EngineProber;
  /** What it adds to what the node says of itself, all of it: what is absent is not said any more. Durable once it is answered. */
  report?(): Report;
  telemetry?(): Partial<NonNullable<Observed['telemetry']>>;
  health?(): EngineHealth;
  /** What it adds to the diagnosis. No secret, and bounded. `input` is absent until the coordinator has sent something. */
  diagnose?(input: PlanInput | undefined): Promise<Readonly<Record<string, unknown>>>;
  /** Only of the engine that uses the node's key: see `DataPlane`. */
  rekey?(operation: string): Promise<string>;
  /** Called once before an agent goes on with the view of an earlier start, which may have been cut short. */
  resume?(): Promise<void>;
  /** Called once when the node is no part of the mesh any more: what others keep for it is given back. What is on the host stays. */
  left?(): Promise<void>;
}

/** Answers probes of kinds that are an engine's own. */
export interface EngineProber {
  /** Those that it can answer on this host as it is now. */
  readonly kinds: readonly ProbeKind[];
  /** Rejects when it cannot be done. `signal`: its answer is not waited for any more. */
  answer(probe: Probe, signal: AbortSignal): Promise<Omit<ProbeResult, 'id'>>;
}

/** Whether a packet came from a peer since it was asked for, and how long that took. */
export type HeardPeer = NonNullable<ProbeResult['look']>['links'][number];

/** How an engine does, for readiness and metrics. Absent: it has no say in that. */
export interface EngineHealth {
  readonly check?: { readonly ok: boolean; readonly detail: string };
  readonly links?: readonly LinkReport[];
  /** Packets that the policy turned away. */
  readonly denied?: { readonly in: number; readonly forward: number };
  readonly rx_bytes?: number;
  readonly tx_bytes?: number;
  /** When the node's certificate expires. Absent: it has none. */
  readonly certificate_ends_ms?: number;
  /** Requests that it has answered as a gateway. */
  readonly requests?: readonly TrafficCount[];
}
