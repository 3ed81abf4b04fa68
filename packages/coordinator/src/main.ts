/** Wires the coordinator together: the only file that knows all its parts. Read it from top to bottom. */

import type { AddressInfo } from 'node:net';
import type { NodeId } from '@meshwork/contract';
import { openApiDocument } from '@meshwork/contract/openapi';
import {
  ensurePrivateFolder,
  isLoopback,
  type Log,
  listenForScrapes,
  Metrics,
  memoryCheck,
  Outbound,
  openLog,
  readinessOf,
  readTls,
  urlOf,
} from '@meshwork/service';
import { openStore } from '@meshwork/store';
import { type Clock, systemClock } from '@meshwork/time';
import { NodeSessions } from './access/node-session.ts';
import { openAreas, type ServedAreas, serveAreas } from './areas/open-areas.ts';
import type { MetaSources, Runtime } from './areas/runtime.ts';
import type { CoordinatorConfig } from './config.ts';
import { journalDuties } from './duties/journal-duties.ts';
import { Scheduler } from './duties/scheduler.ts';
import { TurnSections } from './duties/turn-sections.ts';
import { Edge } from './http/edge.ts';
import { InnerDoor } from './http/inner-door.ts';
import { referencePage } from './http/reference/page.ts';
import { ensureOwner, masterKeysOf } from './installation.ts';
import { Signing } from './issuing/signing/signing.ts';
import { KIND_NAMES } from './kinds/kinds.ts';
import { MasterKeyKeeper, masterKeyCheck } from './master-key-keeper.ts';
import { loadModel, Mesh } from './mesh/mesh.ts';
import { ListeningTime } from './node-status/listening-time.ts';
import { NodeStatuses } from './node-status/node-statuses.ts';
import { ReportWarnings } from './node-status/report-warnings.ts';
import { ensurePanelToken, PanelTokenKeeper } from './panel-token.ts';
import { Looks } from './probes/looks.ts';
import { ProbeDesk } from './probes/probe-desk.ts';
import { ProbeMessages } from './probes/probe-messages.ts';
import { tlsPin } from './tls-pin.ts';
import { PolicyReach } from './views/policy-reach.ts';
import { Waiting } from './views/waiting.ts';

export interface RunningCoordinator {
  /** Where the API is, such as `http://127.0.0.1:7400`. */
  readonly url: string;
  /** What agents can know it by, for `--pin`; null without TLS. */
  readonly tls_pin: string | null;
  /** The file that this start wrote an owner token to; null when it wrote none. */
  readonly bootstrap_token_file: string | null;
  /** Where it is inside the mesh. Null: not open, or not configured. */
  inner_url(): string | null;
  /** Resolves with the reason if it breaks down and has to be restarted. It refuses every request from then on. */
  readonly failure: Promise<unknown>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** Write a new owner token to the bootstrap token file, for when every other was lost. */
  readonly recover?: boolean;
  readonly clock?: Clock;
  /** False: no authority is made where there is none. For tests of what needs no certificates: that takes a thread. */
  readonly makes_authorities?: boolean;
  /** How often the door inside the mesh looks for its certificate. */
  readonly inner_looks_every_ms?: number;
  /** Whether an ACME client is tried this time, one of so many, as a hostile server would. For tests of clients. */
  readonly tries_acme_client?: (one_of: number) => boolean;
  /** Who has to know whom. Absent: what the policy says. */
  readonly reach?: PolicyReach;
}

export async function startCoordinator(
  config: CoordinatorConfig,
  options: StartOptions = {},
): Promise<RunningCoordinator> {
  const log = openLog('coordinator', config.log_level);
  const metrics = new Metrics('mesh_coordinator');
  const closing = new AsyncDisposableStack();
  try {
    const observed: Observed = { log, metrics, clock: options.clock ?? systemClock, closing };
    const tls = config.tls === undefined ? undefined : await readTls(config.tls);
    const { mesh, wroteOwner } = await openMesh(config, observed, options.recover === true);
    const failure = failureOf(mesh, log);
    const { url, door } = await serve(config, observed, {
      mesh,
      reach: options.reach ?? new PolicyReach(),
      makes_authorities: options.makes_authorities ?? true,
      tries_acme_client: options.tries_acme_client ?? (() => false),
      tls,
      looks_every_ms: options.inner_looks_every_ms,
    });
    const tls_pin = tls === undefined ? null : tlsPin(tls.cert);
    log.info({ url, ...(tls_pin === null ? {} : { tls_pin }), revision: mesh.model.revision }, 'serving');
    const bootstrap_token_file = wroteOwner ? config.bootstrap_token_file : null;
    const inner_url = () => door?.url ?? null;
    return { url, tls_pin, bootstrap_token_file, failure, inner_url, close: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

interface Observed {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** What is open is closed again in the opposite order, at the end or when the start fails half-way. */
  readonly closing: AsyncDisposableStack;
}

/** What the areas are made of. */
interface Wired {
  readonly mesh: Mesh;
  readonly reach: PolicyReach;
  readonly makes_authorities: boolean;
  readonly tries_acme_client: Runtime['tries_acme_client'];
}

/** The mesh as the store has it, ready to be read and changed. */
async function openMesh(
  config: CoordinatorConfig,
  { log, metrics, clock, closing }: Observed,
  recover: boolean,
): Promise<{ mesh: Mesh; wroteOwner: boolean }> {
  const failed = storeFailed({ log, metrics });
  await ensurePrivateFolder(config.data_dir);
  const warn = (message: string, cause: unknown) => log.warn({ err: cause }, message);
  const journal = await openStore(config.store, { postgres: { warn } });
  closing.defer(() => journal.close());
  const watch = { committed: (count: number, took_ms: number) => metrics.commit(count, took_ms), failed };
  const model = await loadModel(journal);
  const { master_key_file: key_file, bootstrap_token_file: token_file } = config;
  // After the store was read, which says whether a key may be made, and before anything is written with a wrong one.
  const keys = await masterKeysOf(model, key_file);
  const mesh = await Mesh.open({ journal, model, clock, master: keys, watch });
  closing.defer(() => mesh.close());
  const owner = await ensureOwner(mesh, { keys, key_file, token_file, recover });
  const turned = new MasterKeyKeeper({ mesh, file: key_file, log });
  closing.defer(() => turned.close());
  if (owner === 'made') log.info({ file: token_file }, 'wrote a new owner token, good for 24 hours');
  if (owner === 'finished') log.warn({ file: token_file }, 'wrote the owner token that an earlier start could not');
  const { panel_token_file: file } = config;
  if (file !== undefined) {
    const made = () => log.info({ file }, 'wrote a token for the panel');
    if ((await ensurePanelToken(mesh, file)) === 'made') made();
    const keeper = new PanelTokenKeeper({ mesh, file, made, failed });
    closing.defer(() => keeper.close());
  }
  addGauges(metrics, mesh);
  return { mesh, wroteOwner: owner === 'made' };
}

/** A bug in what follows the model: the process must end, and a new one derives everything anew. */
function failureOf(mesh: Mesh, log: Log): Promise<unknown> {
  return new Promise((resolve) => {
    mesh.model.onFailure((error) => {
      log.fatal({ err: error, revision: mesh.model.revision }, 'derived state is lost: the coordinator has to restart');
      resolve(error);
    });
  });
}

function storeFailed({ log, metrics }: Pick<Observed, 'log' | 'metrics'>): (error: unknown) => void {
  return (error) => {
    metrics.storeError();
    log.error({ err: error }, 'the store failed');
  };
}

/** All areas at work: their sections reach nodes, their duties run, and their operations can be served. */
function runAreas(
  { log, metrics, closing }: Observed,
  given: Wired & { meta: MetaSources; api_port: number; outbound: Outbound },
): ServedAreas {
  const { mesh, reach, makes_authorities, tries_acme_client, meta, api_port, outbound } = given;
  const failed = storeFailed({ log, metrics });
  const time = new ListeningTime(mesh.clock);
  closing.defer(async () => time.close());
  const statuses = new NodeStatuses(mesh, time);
  closing.defer(async () => statuses.close());
  const waiting = new Waiting();
  const wake = (node: NodeId) => waiting.wake(node);
  const messages = new ProbeMessages(mesh.journal, failed);
  closing.defer(() => messages.close());
  const probes = new ProbeDesk(waiting, messages);
  closing.defer(async () => probes.close());
  const signing = new Signing();
  closing.defer(() => signing.close());
  const { areas, sections, ...opened } = openAreas({ model: mesh.model, vault: mesh, reach, wake });
  const served = serveAreas(areas, {
    ...opened,
    mesh,
    sessions: new NodeSessions(() => mesh.data_keys.all()),
    statuses,
    policy: reach,
    waiting,
    probes,
    looks: new Looks({ desk: probes, model: mesh.model, now: () => statuses.now() }),
    warnings: new ReportWarnings({ log, metrics }),
    signing,
    outbound,
    meta,
    api_port,
    makes_authorities,
    tries_acme_client,
    failed,
  });
  closing.defer(() => served.close());
  served.addGauges(metrics);
  const scheduler = new Scheduler({
    mesh,
    duties: [...served.duties, new TurnSections(mesh, sections), ...journalDuties(mesh)],
    failed,
  });
  closing.defer(() => scheduler.close());
  return served;
}

/** Opens the doors. */
async function serve(
  config: CoordinatorConfig,
  observed: Observed,
  given: Wired & { tls: { cert: string; key: string } | undefined; looks_every_ms: number | undefined },
): Promise<{ url: string; door: InnerDoor | undefined }> {
  const { log, metrics, closing } = observed;
  const { mesh, tls } = given;
  const meta = {
    openapi: openApiDocument,
    reference: referencePage,
    readiness: readinessOf({
      journal: mesh.journal,
      clock: mesh.clock,
      checks: [memoryCheck('model', mesh), masterKeyCheck(mesh)],
      isClosing: () => edge.closing,
    }),
    metrics: () => metrics.registry.metrics(),
  };
  const outbound = new Outbound({ networks: config.outbound_networks });
  const areas = runAreas(observed, { ...given, meta, outbound, api_port: config.listen.port });
  const { handlers, protocols, runtime } = areas;
  const edge: Edge = new Edge({
    mesh,
    handlers,
    protocols,
    sessions: runtime.sessions,
    warnings: runtime.warnings,
    log,
    metrics,
    tls,
    dismiss: () => areas.dismiss(),
  });
  if (config.metrics_listen !== undefined) {
    const scrapes = await listenForScrapes(config.metrics_listen, meta.metrics);
    closing.defer(async () => void scrapes.close());
  }
  closing.defer(() => edge.close());
  await edge.server.listen({ host: config.listen.host, port: config.listen.port });
  if (tls === undefined && !isLoopback(config.listen.host)) {
    log.warn(
      { listen: config.listen },
      'tokens cross the network in clear text: set MESH_TLS_CERT and MESH_TLS_KEY, or put TLS in front',
    );
  }
  const url = urlOf(edge.server.server.address() as AddressInfo, tls !== undefined);
  if (config.inner === undefined) return { url, door: undefined };
  const door = new InnerDoor({ ...config.inner, inner: edge.server.server, log }, given.looks_every_ms);
  closing.defer(() => door.close());
  await door.look();
  return { url, door };
}

function addGauges(metrics: Metrics, mesh: Mesh): void {
  metrics.gauge('mesh_coordinator_revision', 'Newest revision of the mesh in memory.', () => mesh.model.revision);
  metrics.gauge('mesh_coordinator_waiting_transactions', 'Transactions waiting to be written.', () => mesh.waiting);
  metrics.gauge('mesh_coordinator_documents', 'Documents in memory.', () =>
    KIND_NAMES.reduce((sum, kind) => sum + mesh.model.count(kind), 0),
  );
}
