import { isDeepStrictEqual } from 'node:util';
import type {
  AppliedSection,
  GatewayFront,
  IngressAssignment,
  Observed,
  Report,
  SectionContent,
} from '@meshwork/contract';
import type { AgentLog } from '../../host/log.ts';
import { messageOf } from '../../message-of.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { EngineProber, EngineTraits, OpenEngine, PlanInput, Work } from '../engine.ts';
import { type ClientTrust, listsFor } from './client-trust.ts';
import { gatewayProber, type ProberParts } from './gateway-prober.ts';
import type { GatewayServer } from './gateway-server.ts';
import type { WantedGateway } from './gateway-server-parts.ts';
import type { GivenSection } from './given-certificates.ts';
import { identitiesText, NO_IDENTITIES } from './identities.ts';
import { hasModules } from './nginx-host.ts';
import { signInFacts } from './sign-in-facts.ts';
import { asksForIdentity } from './visitor-identity.ts';

export const TRAITS: EngineTraits = {
  name: 'gateway',
  sections: ['ingress', 'waf', 'given_certificates'],
  features: [
    'client_certificates',
    'mesh_identity',
    'given_certificates',
    'sign_in',
    'traffic_counts',
    'ordered_certificates',
  ],
  on_drift: ['ingress', 'waf', 'given_certificates'],
  parts: [], // it listens, and changes nothing of how the node reaches its coordinator
};

/** Ours: of so many looks, one is at the operator's rule set, which is a megabyte. */
const RULES_EVERY = 6;
/** One list: what was proven is compared with it. */
const NO_POLICIES: SectionContent<'waf'> = [];
const NONE_GIVEN: GivenSection = [];
const OLD_COORDINATOR = 'the coordinator is older than this agent, and does not say where ingresses lead: upgrade it';

/** The gateway's key, which exists once something is served over TLS: see `gateway-keys.ts`. */
interface RequestSource {
  /** Makes it when there is none. `chains`: all that ingresses have now. */
  ensure(chains: readonly string[]): Promise<void>;
  /** For a certificate of it, in PEM. Undefined: there is none yet. */
  readonly request: string | undefined;
}

interface GatewayEngineOptions extends Pick<ProberParts, 'control' | 'challenges'> {
  readonly server: GatewayServer;
  readonly keys: RequestSource;
  readonly version: () => Promise<string | undefined>;
  readonly waf: WafOfHost;
  readonly log: AgentLog;
  /** What the checks of nodes need to know of the mesh. */
  readonly learned: (mesh: KnownMesh) => void;
  readonly reapply: (sections: readonly AppliedSection[]) => void;
  readonly front: GatewayFront;
}

/** The WAF as this host can run it, and what it found. */
interface WafOfHost {
  /** Empty: it cannot run one. */
  versions(): Promise<Readonly<Record<string, string>>>;
  hasOther(): Promise<boolean>;
  reported(observed: NonNullable<Observed['waf']>): Promise<void>;
  readonly prober: EngineProber;
}

/** What a gateway knows of the mesh beside what it serves. */
export interface KnownMesh {
  /** Roots, in PEM. Undefined: not known yet. */
  readonly ca: string | undefined;
  /** Revocation lists, each in PEM. */
  readonly revocation_lists: readonly string[];
  /** Empty: not known yet. */
  readonly networks: readonly string[];
  /** The certificate of the node itself with its issuers, in PEM. Undefined: it has none. */
  readonly own_chain: string | undefined;
}

/** The gateway that the node is, if it is one. */
export class GatewayEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #options: GatewayEngineOptions;
  readonly #server: GatewayServer;
  /** What is in effect. Undefined: not known. */
  #proven: WantedGateway | undefined;
  /** What was last asked for. */
  #wanted: readonly IngressAssignment[] = [];
  #mesh: KnownMesh = { ca: undefined, revocation_lists: [], networks: [], own_chain: undefined };
  #looks = 0;
  /** The peers that nginx was last sent, as of a moment. */
  #identified: { readonly view: HeldView; readonly mark: string } | undefined;

  /** Whether nginx is there, when that was last looked up. */
  #isAble = false;
  readonly prober: EngineProber;

  constructor(options: GatewayEngineOptions) {
    this.#options = options;
    this.#server = options.server;
    this.prober = gatewayProber({
      ...options,
      waf: options.waf.prober,
      isAble: () => this.#isAble,
    });
  }

  async versions(): Promise<Readonly<Record<string, string>>> {
    const version = await this.#options.version();
    this.#isAble = version !== undefined;
    return version === undefined ? {} : { nginx: version, ...(await this.#options.waf.versions()) };
  }

  /** Looked up each time: the packages may be installed while the agent runs. */
  async carries(): Promise<readonly AppliedSection[]> {
    if (!(await hasModules())) return [];
    const inspects = Object.keys(await this.#options.waf.versions()).length > 0;
    return TRAITS.sections.filter((section) => section !== 'waf' || inspects);
  }

  plan(asked: AppliedSection, { view }: PlanInput): Work | undefined {
    const isLacking = this.#problemOf(asked) !== undefined; // it may be there by now
    const work = this.#planned(view, isLacking);
    if (asked === 'ingress' || work === undefined) return work;
    return async () => {
      await work();
      const problem = this.#problemOf(asked); // what is served goes on by the last good one
      if (problem !== undefined) throw new Error(problem);
      return {};
    };
  }

  #problemOf(section: AppliedSection): string | undefined {
    if (section === 'waf') return this.#server.wafProblem;
    return section === 'given_certificates' ? this.#server.givenProblem : undefined;
  }

  #planned(view: HeldView, isLacking: boolean): Work | undefined {
    this.#learn(view);
    const {
      ingress: section = [],
      waf: policies = NO_POLICIES,
      given_certificates: given = NONE_GIVEN,
    } = view.sections;
    this.#wanted = [];
    if (!isWhole(section)) {
      return () => Promise.reject(new Error(OLD_COORDINATOR)); // what was served before goes on
    }
    this.#wanted = section;
    void this.#identify(view); // it has to be known before what asks for it is served
    const { ca, lists } = this.#trust();
    const proven = this.#proven;
    const isProven = proven?.section === section && proven.policies === policies && proven.given === given;
    if (isProven && !isLacking && proven.ca === ca && proven.lists === lists) return undefined;
    return async () => {
      this.#proven = undefined;
      if (section.length === 0) await this.#server.remove();
      else {
        await this.#ensureKey(section);
        await this.#server.serve({ section, ca, lists, policies, given });
      }
      this.#proven = { section, ca, lists, policies, given };
      return {};
    };
  }

  /**
   * With other roots, nodes are spoken to anew, and with other lists clients are. Resolves once nginx knows who its visitors are now: peers
   * are put into effect after that.
   */
  heed(view: HeldView): Promise<void> | undefined {
    const before = this.#trust();
    this.#learn(view);
    if (!isDeepStrictEqual(this.#trust(), before) && this.#wanted.length > 0) this.#options.reapply(TRAITS.sections);
    return this.#identify(view);
  }

  #identify(view: HeldView): Promise<void> | undefined {
    const section = (view.sections.ingress ?? []).filter(isKnownKind);
    const asking = section.filter(asksForIdentity);
    const { self } = view.sections;
    const spiffe_prefix =
      asking.find(({ mesh_identity }) => mesh_identity !== undefined)?.mesh_identity?.spiffe_prefix ?? null;
    const sign_in = signInFacts(asking);
    const mark =
      asking.length === 0
        ? ''
        : JSON.stringify([view.peers.mark, self?.address, self?.address6, spiffe_prefix, sign_in]);
    if (this.#identified?.view === view && this.#identified.mark === mark) return undefined;
    this.#identified = { view, mark };
    const peers = view.peers.all();
    return this.#server.identify(
      asking.length === 0 ? NO_IDENTITIES : identitiesText({ self, peers, spiffe_prefix, sign_in }),
    );
  }

  /** As what is wanted needs it. */
  #trust(): ClientTrust {
    const { ca, revocation_lists } = this.#mesh;
    return { ca, lists: listsFor(this.#wanted, revocation_lists) };
  }

  #learn({ sections: { trust, self, certificate, ingress = [] }, peers }: HeldView): void {
    const roots = trust?.roots ?? [];
    const ca = roots.length === 0 ? undefined : `${roots.map((root) => root.trim()).join('\n')}\n`;
    // A peer may have its address from a network that the mesh does not take addresses from any more.
    const pools = ingress.flatMap(({ routes = [] }) => routes.flatMap((route) => route.pools));
    const targets = pools.flatMap((pool) => pool.targets);
    const addresses = targets.flatMap(({ node }) => peers.get(node)?.address ?? []);
    const networks = [...new Set([...(self?.networks ?? []), ...addresses])];
    const own_chain = certificate?.chain ?? undefined;
    const mesh = { ca, revocation_lists: trust?.revocation_lists ?? [], networks, own_chain };
    if (isDeepStrictEqual(this.#mesh, mesh)) return;
    this.#mesh = mesh;
    this.#options.learned(this.#mesh);
  }

  distrust(): void {
    this.#proven = undefined;
  }

  async drift(): Promise<string | null> {
    return this.#proven === undefined ? null : await this.#server.fault();
  }

  /** Counts, and has another key made in time. How many connections there are goes with the next heartbeat. */
  async look(): Promise<boolean> {
    if (this.#wanted.length === 0) return false;
    const { keys, log } = this.#options;
    const { request } = keys;
    try {
      await this.#ensureKey(this.#wanted);
      if ((await this.#server.hasMorePlaces()) || (await this.#hasOtherRules())) this.#serveAnew();
      return (await this.#server.look()) || keys.request !== request;
    } catch (error) {
      log.warn(`the gateway goes on with what it has: ${messageOf(error)}`);
      return false;
    }
  }

  /** Another rule set of the operator. */
  async #hasOtherRules(): Promise<boolean> {
    this.#looks += 1;
    return this.#looks % RULES_EVERY === 0 && (await this.#options.waf.hasOther());
  }

  #serveAnew(): void {
    this.#proven = undefined;
    this.#options.reapply(TRAITS.sections);
  }

  async #ensureKey(section: readonly IngressAssignment[]): Promise<void> {
    const secure = section.filter(needsKey).flatMap(({ tls }) => tls ?? []);
    if (secure.length > 0) await this.#options.keys.ensure(secure.flatMap(({ chain }) => chain ?? []));
  }

  observe(extent: 'changes' | 'everything'): Pick<Observed, 'ingress' | 'waf' | 'traffic'> {
    const waf = this.#server.observedWaf();
    const traffic = this.#server.observedTraffic(extent);
    return {
      ingress: this.#server.observed(),
      ...(waf === undefined ? {} : { waf }),
      ...(traffic === undefined ? {} : { traffic }),
    };
  }

  reported({ waf, traffic }: Observed): void {
    if (traffic !== undefined) this.#server.trafficReported(traffic);
    if (waf === undefined) return;
    const { waf: found, log } = this.#options;
    found.reported(waf).catch((error: unknown) => log.warn(`events of the WAF are sent again: ${messageOf(error)}`));
  }

  report(): Report {
    const gateway_request = this.#wanted.some(needsKey) ? this.#options.keys.request : undefined;
    const gateway_front = this.#wanted.length === 0 ? undefined : this.#options.front;
    return {
      ...(gateway_request === undefined ? {} : { gateway_request }),
      ...(gateway_front === undefined ? {} : { gateway_front }),
    };
  }

  health() {
    return { requests: this.#server.requests };
  }

  async diagnose() {
    return { gateway: await this.#server.diagnose() };
  }
}

/** Where it shows a certificate of the mesh CA, which is for a key of its own. */
function needsKey({ tls }: IngressAssignment): boolean {
  return tls !== null && tls.given === undefined;
}

function isKnownKind(assignment: SectionContent<'ingress'>[number]): assignment is IngressAssignment {
  return isWhole([assignment]);
}

function isWhole(section: SectionContent<'ingress'>): section is readonly IngressAssignment[] {
  const isKnown = (value: unknown) => value !== undefined;
  return section.every(({ kind, port, routes, tls }) => [kind, port, routes, tls].every(isKnown));
}
