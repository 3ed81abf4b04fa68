/**
 * Names of the mesh. The agent answers DNS for them on the addresses of the node (`server/`, from `zone/`), and has the host ask it
 * by what the host has (`resolvers/`). Where that does not work, names of nodes stand in `/etc/hosts` (`hosts-file/`).
 */

import { parseNetwork } from '@meshwork/addresses';
import type { AppliedSection, Report } from '@meshwork/contract';
import { runCommand } from '../../host/run-command.ts';
import { changedSince, type Mark, markOf, type PeerChanges } from '../../view/changes.ts';
import { withoutPrefix } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { Engine, EngineTraits, OpenEngine, PlanInput, Work } from '../engine.ts';
import type { HostNames } from './hosts-file/host-names.ts';
import { HostsFile } from './hosts-file/hosts-file.ts';
import { domainsOf, ingressNames } from './ingress-names.ts';
import {
  DOMAINS_PART,
  guardedDomains,
  guardedNames,
  hostName,
  NAMES_PART,
  ownRecords,
  sameName,
} from './known-names.ts';
import { MeshDns } from './mesh-dns.ts';
import { HostResolver } from './resolvers/host-resolver.ts';
import { proveByLookUp } from './resolvers/prove.ts';
import { ResolvConf } from './resolvers/resolv-conf.ts';
import { Resolvconf } from './resolvers/resolvconf.ts';
import { Resolved } from './resolvers/resolved.ts';
import type { ResolverSetup } from './resolvers/resolver-way.ts';
import { reverseZones } from './zone/reverse-name.ts';
import { Zone, type ZoneNode } from './zone/zone.ts';

const TRAITS: EngineTraits = {
  name: 'names',
  sections: ['self', 'peers', 'dns'],
  on_drift: ['peers'],
  parts: [NAMES_PART, DOMAINS_PART],
};
/** Ours: a port that another program has may become free, and a host may get another resolver. */
const AGAIN_AFTER_MS = 60_000;
/** Ours: systemd-resolved takes 256 for a link, and one of them is the mesh's own. */
const MAX_DOMAINS = 250;
/** The contract's. */
const MAX_PROBLEM_LENGTH = 500;

export const names: Engine = {
  ...TRAITS,
  lacks: async () => [],
  open: async ({ coordinators, names: by, now, log }) => {
    const hosts = new HostsFile({ outside: coordinators });
    if (by === 'hosts') {
      await hostResolver(new MeshDns()).remove(); // an agent before this one may have been set otherwise
      return new NamesEngine(hosts, coordinators);
    }
    const dns = new MeshDns();
    return new NamesEngine(hosts, coordinators, {
      dns,
      resolver: hostResolver(dns),
      now,
      warn: (problem) => log.warn(problem),
    });
  },
  remove: async () => {
    await hostResolver(new MeshDns()).remove();
    await new HostsFile().remove();
  },
};

function hostResolver(dns: MeshDns): HostResolver {
  const ways = [new Resolved(runCommand), new Resolvconf(runCommand), new ResolvConf()];
  return new HostResolver({ ways, prove: () => proveByLookUp(dns, runCommand) });
}

/** How names are answered and looked up. */
interface DnsParts {
  readonly dns: MeshDns;
  readonly resolver: HostResolver;
  readonly now: () => number;
  readonly warn: (problem: string) => void;
}

/** What was last made true. */
interface Made {
  readonly mark: Mark;
  readonly self: unknown;
  readonly dns: unknown;
  readonly text: string;
}

export class NamesEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #hosts: HostNames;
  readonly #coordinators: readonly string[];
  /** Absent: names stand in the hosts file alone. */
  readonly #parts: DnsParts | undefined;
  readonly #zone: Zone;
  #made: Made | undefined;
  #setup: ResolverSetup = { addresses: [], domains: [] };
  #settledAt = Number.NEGATIVE_INFINITY;
  /** Why names are not resolved as well as they could be. Undefined: they are. */
  #said: string | undefined;
  #isSettled = false;
  /** Nothing of ours is in the hosts file. */
  #isOutOfHosts = false;

  constructor(hosts: HostNames, coordinators: readonly string[], parts?: DnsParts) {
    this.#hosts = hosts;
    this.#coordinators = coordinators.map((host) => host.toLowerCase());
    this.#parts = parts;
    this.#zone = parts?.dns.zone ?? new Zone();
  }

  async versions() {
    return {};
  }

  plan(_section: AppliedSection, { view, guard }: PlanInput): Work | undefined {
    const known = guardedNames(view, this.#coordinators, guard);
    const { domains, parts: domainParts } = guardedDomains(view, this.#coordinators, guard);
    const parts = [...known.parts, ...domainParts];
    const { self, dns } = view.sections;
    const made: Made = { mark: markOf(view), self, dns, text: parts.map(({ text }) => text).join() };
    const changes = this.#changes(made, view);
    // Most changes of peers leave their names as they are.
    if (changes !== undefined && [...changes].every(([id, { peer }]) => sameName(peer, view.peers.get(id)))) {
      this.#made = made;
      return undefined;
    }
    const fill = changes === undefined ? this.#filled(known.nodes(), view) : this.#changed(changes, view);
    const ingresses = ingressNames(view, this.#coordinators);
    const own = setupFor(view, domains);
    const routed = domainsOf(ingresses, {
      most: MAX_DOMAINS - own.domains.length,
      coordinators: this.#coordinators,
    });
    const setup = { ...own, domains: [...new Set([...own.domains, ...routed])] };
    return async () => {
      await guard.put(parts, async () => {
        fill();
        this.#parts?.dns.server.setDomains(domains);
        this.#parts?.dns.server.setIngresses(ingresses, routed);
        this.#parts?.dns.server.setNetworks(self?.networks ?? []);
        this.#setup = setup;
        await this.#settle();
      });
      this.#made = made;
      return {};
    };
  }

  distrust(): void {
    this.#made = undefined;
    this.#isOutOfHosts = false;
    this.#parts?.resolver.distrust();
  }

  get shared_files(): readonly string[] {
    return [this.#hosts.path, ...(this.#parts?.resolver.files ?? [])];
  }

  async drift(): Promise<string | null> {
    const parts = this.#parts;
    if (parts?.resolver.way !== undefined) return await parts.resolver.drift();
    const isDue = parts !== undefined && this.#made !== undefined && parts.now() - this.#settledAt >= AGAIN_AFTER_MS;
    if (isDue) await this.#settle();
    return parts?.resolver.way === undefined ? await this.#hosts.drift() : null;
  }

  /** What programs of the host resolve names by, once that is settled. */
  report(): Report {
    if (!this.#isSettled) return {};
    const problem = this.#said?.slice(0, MAX_PROBLEM_LENGTH);
    const resolver = this.#parts?.resolver.way ?? this.#hosts.path;
    return { names: { resolver, ...(problem === undefined ? {} : { problem }) } };
  }

  async diagnose() {
    const { dns, resolver } = this.#parts ?? {};
    return {
      names: {
        resolved_by: resolver?.way ?? this.#hosts.path,
        /** Why no better way is used. */
        not_by: resolver?.reasons ?? [],
        answers_at: dns?.addresses ?? [],
        problem: dns?.problem ?? null,
        count: this.#zone.size,
      },
    };
  }

  /** Answers where it can, has the host ask there, and otherwise writes names of nodes into the hosts file. */
  async #settle(): Promise<void> {
    const { dns, resolver, now, warn } = this.#parts ?? {};
    let isAsked = false;
    if (dns !== undefined && resolver !== undefined) {
      this.#settledAt = now?.() ?? 0;
      await dns.follow(this.#setup.addresses);
      const { addresses, problem } = dns;
      if (addresses.length > 0) isAsked = await resolver.apply({ ...this.#setup, addresses });
      else await resolver.remove();
      dns.server.others = resolver.others;
      const said = problem ?? (isAsked ? undefined : resolver.reasons.join('; '));
      if (said !== undefined && said !== this.#said) warn?.(`names of the mesh are in ${this.#hosts.path}: ${said}`);
      this.#said = said;
    }
    if (!isAsked) await this.#hosts.apply(Array.from(this.#zone.nodes(), hostName));
    else if (!this.#isOutOfHosts) await this.#hosts.remove();
    this.#isOutOfHosts = isAsked;
    this.#isSettled = true;
  }

  /** Of peers, if nothing else changed. Undefined: everything is compared. */
  #changes({ self, dns, text }: Made, view: HeldView): PeerChanges | undefined {
    const before = this.#made;
    if (before === undefined || before.self !== self || before.dns !== dns || before.text !== text) return undefined;
    return changedSince(view, before.mark);
  }

  #filled(nodes: readonly ZoneNode[], view: HeldView): () => void {
    const records = ownRecords(view, this.#coordinators);
    return () => {
      this.#zone.clearNodes();
      for (const node of nodes) if (this.#mayName(node)) this.#zone.put(node);
      this.#zone.setRecords(records);
    };
  }

  #changed(changes: PeerChanges, view: HeldView): () => void {
    const after = [...changes.keys()].flatMap((id) => view.peers.get(id) ?? []);
    return () => {
      for (const { peer } of changes.values()) if (peer !== undefined) this.#zone.remove(peer);
      for (const peer of after) if (this.#mayName(peer)) this.#zone.put(peer);
    };
  }

  /** A coordinator is always resolved outside of the mesh. */
  #mayName({ name }: { readonly name: string }): boolean {
    return !this.#coordinators.includes(`${name}.mesh`);
  }
}

function setupFor(view: HeldView, routing: readonly { readonly domain: string }[]): ResolverSetup {
  const { self } = view.sections;
  const zones = (self?.networks ?? []).flatMap((text) => {
    const network = parseNetwork(text);
    return network === undefined ? [] : reverseZones(network);
  });
  return {
    addresses: self === undefined ? [] : [self.address, self.address6].map(withoutPrefix),
    domains: [...routing.map(({ domain }) => domain), ...zones],
  };
}
