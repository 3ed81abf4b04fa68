/** Wires the coordinator together: the only file that knows all its parts. Read it from top to bottom. */
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { openApiDocument } from '@meshwork/contract/openapi';
import { openStore } from '@meshwork/store';
import { allHandlers } from './areas/handlers.ts';
import { type Clock, systemClock } from './clock.ts';
import type { CoordinatorConfig } from './config.ts';
import { Housekeeping } from './housekeeping.ts';
import { Edge } from './http/edge.ts';
import { listenForScrapes } from './http/metrics-listener.ts';
import { referencePage } from './http/reference/page.ts';
import { ensureOwner, ensureOwnKey } from './installation.ts';
import { KIND_NAMES } from './mesh/kinds.ts';
import { loadMasterKey } from './mesh/master-key.ts';
import { Mesh } from './mesh/mesh.ts';
import { openLog } from './observe/log.ts';
import { Metrics } from './observe/metrics.ts';
import { makePrivateFolder } from './private-file.ts';
import { readinessOf } from './readiness.ts';

export interface RunningCoordinator {
  /** Where the API is, such as `http://127.0.0.1:7400`. */
  readonly url: string;
  /** The file that this start wrote an owner token to; null when it wrote none. */
  readonly bootstrap_token_file: string | null;
  close(): Promise<void>;
}

export interface StartOptions {
  /** Write a new owner token to the bootstrap token file, for when every other was lost. */
  readonly recover?: boolean;
  readonly clock?: Clock;
}

export async function startCoordinator(
  config: CoordinatorConfig,
  options: StartOptions = {},
): Promise<RunningCoordinator> {
  const clock = options.clock ?? systemClock;
  const log = openLog(config.log_level);
  const metrics = new Metrics();
  const failed = (error: unknown) => {
    metrics.storeError();
    log.error({ err: error }, 'the store failed');
  };

  await makePrivateFolder(config.data_dir);
  const key = await loadMasterKey(config.master_key_file);
  const tls = config.tls === undefined ? undefined : await readTls(config.tls);
  const warn = (message: string, cause: unknown) => log.warn({ err: cause }, message);
  const journal = await openStore(config.store, { postgres: { warn } });
  const watch = { committed: (count: number, took_ms: number) => metrics.commit(count, took_ms), failed };
  const closing: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  closing.push(() => journal.close());

  try {
    const mesh = await Mesh.open({ journal, clock, master: key, watch });
    closing[0] = () => mesh.close();
    ensureOwnKey(mesh, key, config.master_key_file);
    const recover = options.recover === true;
    const wrote = await ensureOwner(mesh, { key, file: config.bootstrap_token_file, recover });
    ensureOwnKey(mesh, key, config.master_key_file);
    addGauges(metrics, mesh);

    const sources = {
      openapi: openApiDocument(),
      reference: referencePage(),
      readiness: readinessOf(mesh, () => edge.closing),
      metrics: () => metrics.registry.metrics(),
    };
    const edge: Edge = new Edge({
      mesh,
      handlers: allHandlers(mesh, sources),
      log,
      metrics,
      tls,
    });
    const housekeeping = new Housekeeping(mesh, failed);
    closing.push(() => housekeeping.close());
    if (config.metrics_listen !== undefined) {
      const scrapes = await listenForScrapes(config.metrics_listen, sources.metrics);
      closing.push(async () => scrapes.close());
    }
    closing.push(() => edge.close());
    await edge.server.listen({ host: config.listen.host, port: config.listen.port });

    const url = urlOf(edge.server.server.address() as AddressInfo, tls !== undefined);
    if (tls === undefined && !isLoopback(config.listen.host)) {
      log.warn(
        { listen: config.listen },
        'tokens cross the network in clear text: set MESH_TLS_CERT and MESH_TLS_KEY, or put TLS in front',
      );
    }
    log.info({ url, revision: mesh.model.revision }, 'serving');
    return { url, bootstrap_token_file: wrote ? config.bootstrap_token_file : null, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function readTls(files: { cert_file: string; key_file: string }): Promise<{ cert: string; key: string }> {
  return { cert: await readFile(files.cert_file, 'utf8'), key: await readFile(files.key_file, 'utf8') };
}

function addGauges(metrics: Metrics, mesh: Mesh): void {
  metrics.gauge('mesh_coordinator_revision', 'Newest revision of the mesh in memory.', () => mesh.model.revision);
  metrics.gauge('mesh_coordinator_waiting_transactions', 'Transactions waiting to be written.', () => mesh.waiting);
  metrics.gauge('mesh_coordinator_documents', 'Documents in memory.', () =>
    KIND_NAMES.reduce((sum, kind) => sum + mesh.model.count(kind), 0),
  );
}

function urlOf(address: AddressInfo, isTls: boolean): string {
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${isTls ? 'https' : 'http'}://${host}:${address.port}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
