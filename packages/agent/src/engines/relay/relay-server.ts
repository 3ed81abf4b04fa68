import type { RelayLoad, RelayServerSection } from '@meshwork/contract';
import type { AgentLog } from '../../host/log.ts';
import { usableAddresses } from '../../host/usable-addresses.ts';
import { messageOf } from '../../message-of.ts';
import { stunPorts } from '../../stun/stun-ports.ts';
import { countAllocations } from './allocations.ts';
import { unanswered, unansweredUntil } from './answers.ts';
import type { PortGuard } from './port-guard.ts';
import type { RelayCertificate } from './relay-certificate.ts';
import type { RelayDatabase } from './relay-database.ts';
import type { RelayFolder } from './relay-folder.ts';
import { RELAY_FILES, type TurnConfig, turnConfig } from './turn-config.ts';
import type { TurnLog } from './turn-log.ts';
import { turnPlaces } from './turn-places.ts';
import type { TurnProcess } from './turn-process.ts';

interface RelayServerParts {
  readonly folder: RelayFolder;
  readonly database: RelayDatabase;
  readonly process: TurnProcess;
  readonly certificate: RelayCertificate;
  readonly guard: PortGuard;
  readonly turn_log: TurnLog;
  readonly log: AgentLog;
  readonly now: () => number;
}

/** What runs, without any secret. */
export interface ServedRelay {
  readonly name: string;
  readonly config: TurnConfig;
  readonly peers: readonly string[];
}

interface Serving extends ServedRelay {
  readonly section: RelayServerSection;
  readonly uid: number;
}

/** Ours: coturn takes 100 ms to start, and on a busy machine some seconds. */
const ANSWERS_WITHIN_MS = 10_000;
/** Ours: names of relays are looked up this often. */
const PEERS_EVERY_MS = 60_000;

/** coturn as the relay of the mesh: starts and ends it, keeps its lists and its certificate, and proves that it answers. */
export class RelayServer {
  readonly #parts: RelayServerParts;
  #serving: Serving | undefined;
  #peersAt = Number.NEGATIVE_INFINITY;
  /** By host, where it was last found: a name that cannot be looked up for a while shuts no relay out. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(parts: RelayServerParts) {
    this.#parts = parts;
  }

  get served(): ServedRelay | undefined {
    if (this.#serving === undefined) return undefined;
    const { name, config, peers } = this.#serving;
    return { name, config, peers };
  }

  /** Makes it run as it should, and proves that it answers. What need not end for that goes on. */
  async serve(section: RelayServerSection): Promise<void> {
    const { folder, guard } = this.#parts;
    const { uid } = await folder.prepare();
    const places = await turnPlaces(section);
    const tls = await this.#writeCertificate(section);
    const config: TurnConfig = {
      realm: section.realm,
      port: section.port,
      stun_ports: stunPorts(section),
      tls_port: tls.problem === undefined ? (section.tls?.port ?? null) : null,
      places,
      allocations: section.allocations,
      allocations_a_node: section.allocations_a_node,
      any_address: section.any_address === true,
    };
    this.#serving = { name: section.name, section, config, uid, peers: [] };
    await this.#putPeers();
    await guard.apply(uid);
    await this.#run(config, tls.changed);
    if (tls.problem !== undefined) {
      throw new Error(`the relay serves UDP and TCP, and not TLS on port ${section.tls?.port}: ${tls.problem}`);
    }
  }

  /** The file of the configuration is written only while no process runs: one that runs was started with what is in it. */
  async #run(config: TurnConfig, isNewCertificate: boolean): Promise<void> {
    const { folder, process, turn_log } = this.#parts;
    const text = turnConfig(config, (name) => folder.file(name));
    const isSame = (await folder.read(RELAY_FILES.config)) === text;
    if (isSame && (await process.adopt())) {
      if (isNewCertificate) await process.reload();
    } else {
      await process.end();
      await folder.write(RELAY_FILES.config, text);
      await process.start();
    }
    const runs = async () => turn_log.taken === undefined && (await process.pid()) !== undefined;
    const found = await unansweredUntil(config, { runs, within_ms: ANSWERS_WITHIN_MS });
    if (turn_log.taken !== undefined) {
      await process.end();
      const usual = 'If that is the service of the coturn package: systemctl disable --now coturn';
      throw new Error(`another program has ${turn_log.taken}. ${usual}`);
    }
    if (!(await runs())) throw new Error(`coturn does not start: ${turn_log.complaint ?? 'it says nothing'}`);
    if (found !== undefined) throw new Error(`the relay does not serve: ${found}`);
  }

  async #writeCertificate({ tls }: RelayServerSection): Promise<{ changed: boolean; problem?: string }> {
    if (tls === null) return { changed: false };
    const { certificate: source, folder } = this.#parts;
    try {
      const { certificate, key } = await source.read(tls.certificate);
      const isNewKey = await folder.write(RELAY_FILES.key, key);
      const isNew = await folder.write(RELAY_FILES.certificate, certificate);
      return { changed: isNewKey || isNew };
    } catch (error) {
      return { changed: false, problem: messageOf(error) };
    }
  }

  /** Follows what changes by itself: the certificate is renewed, and relays move to other addresses. */
  async refresh(): Promise<void> {
    if (this.#serving === undefined) return;
    const { section } = this.#serving;
    const { changed, problem } = await this.#writeCertificate(section);
    if (changed) await this.#parts.process.reload();
    if (Math.abs(this.#parts.now() - this.#peersAt) >= PEERS_EVERY_MS) await this.#putPeers();
    if (problem !== undefined) throw new Error(problem);
  }

  async #putPeers(): Promise<void> {
    if (this.#serving === undefined) return;
    const { section, config } = this.#serving;
    const { database, now } = this.#parts;
    this.#peersAt = now();
    const found = await Promise.all(section.peers.map((host) => this.#addressesOf(host, section)));
    // coturn knows itself by the address that it listens on, also where nodes know it by a router's.
    const own = config.places.flatMap(({ local, outside }) => (outside === undefined ? [local] : [local, outside]));
    const peers = [...new Set([...own, ...found.flat()])].sort();
    await database.put({ realm: section.realm, secrets: section.secrets, peers });
    this.#serving = { ...this.#serving, peers };
  }

  async #addressesOf(host: string, { any_address }: RelayServerSection): Promise<readonly string[]> {
    try {
      const { usable } = await usableAddresses({ host, any_address });
      this.#known.set(host, usable);
    } catch (error) {
      this.#parts.log.warn(`the relay at ${host} cannot be looked up: ${messageOf(error)}`);
    }
    return this.#known.get(host) ?? [];
  }

  /** How what runs differs from what was last served, in words. Null: it does not. */
  async fault(): Promise<string | null> {
    if (this.#serving === undefined) return null;
    const { folder, process, guard } = this.#parts;
    const { config, section } = this.#serving;
    if ((await process.pid()) === undefined) return 'coturn does not run';
    const text = turnConfig(config, (name) => folder.file(name));
    if ((await folder.read(RELAY_FILES.config)) !== text) return `${folder.file(RELAY_FILES.config)} was changed`;
    const places = await turnPlaces(section).catch(() => config.places);
    if (JSON.stringify(places) !== JSON.stringify(config.places)) return 'the addresses of the relay are others';
    return (await guard.drift()) ?? (await unanswered(config, AbortSignal.timeout(ANSWERS_WITHIN_MS))) ?? null;
  }

  async load(): Promise<RelayLoad | null> {
    if (this.#serving === undefined) return null;
    return { allocations: await countAllocations(this.#serving.uid), ...this.#parts.turn_log.counts };
  }

  /** Ends it, and leaves nothing. The folder is made first and goes last: without it there is nothing, as on most nodes. */
  async remove(): Promise<void> {
    const { folder, process, guard } = this.#parts;
    this.#serving = undefined;
    if (!(await folder.isThere())) return;
    await process.end();
    await guard.remove();
    await folder.remove();
  }
}
