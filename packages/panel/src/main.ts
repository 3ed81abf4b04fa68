/** Wires the panel together: the only file that knows all its parts. Read it from top to bottom. */
import type { AddressInfo } from 'node:net';
import { panelOpenApiDocument } from '@meshwork/contract/panel-openapi';
import {
  ensurePrivateFolder,
  isLoopback,
  type Log,
  listenForScrapes,
  type MasterKey,
  Metrics,
  memoryCheck,
  openLog,
  readinessOf,
  readTls,
  urlOf,
} from '@meshwork/service';
import { openStore } from '@meshwork/store';
import { type Clock, systemClock } from '@meshwork/time';
import { allHandlers } from './areas/areas.ts';
import { Attempts } from './areas/sign-in/attempts.ts';
import { Passwords } from './areas/sign-in/passwords.ts';
import { recoverOwner } from './areas/sign-in/recover-owner.ts';
import { newSetupCode } from './areas/sign-in/setup.ts';
import type { PanelConfig } from './config.ts';
import { Coordinator } from './coordinator/coordinator.ts';
import { trustOf } from './coordinator/trust.ts';
import { readDashboard } from './http/dashboard-files.ts';
import { Edge } from './http/edge.ts';
import { dashboardCheck, dashboardRoutes } from './http/static.ts';
import { Ledger } from './ledger/ledger.ts';
import { openRefusals } from './ledger/refusals.ts';
import { panelKeyOf } from './panel-key.ts';
import { Sessions } from './sessions/sessions.ts';
import { Sweep } from './sessions/sweep.ts';
import { Site } from './site.ts';

export interface RunningPanel {
  /** Where people find it, such as `http://localhost:7480`. */
  readonly url: string;
  /** Where it listens, whatever is in front of it. */
  readonly port: number;
  /** For the first owner; null once there is one. */
  readonly setup_code: string | null;
  readonly setup_code_expires: string | null;
  /** The link for `recover_owner`; null when none was requested. */
  readonly recovery_url: string | null;
  /** Resolves with the reason if it breaks down and has to be started again. */
  readonly failure: Promise<unknown>;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly clock?: Clock;
  /** The name of a person to make owner and to reset, for when no owner can sign in. */
  readonly recover_owner?: string;
}

export async function startPanel(config: PanelConfig, options: StartOptions = {}): Promise<RunningPanel> {
  const log = openLog('panel', config.log_level);
  const metrics = new Metrics('mesh_panel');
  const closing = new AsyncDisposableStack();
  try {
    const observed: Observed = { log, metrics, clock: options.clock ?? systemClock, closing };
    const tls = config.tls === undefined ? undefined : await readTls(config.tls);
    const { promise: failure, resolve: fatal } = Promise.withResolvers<unknown>();
    const opened = await openLedger(config, observed, fatal);
    const site = new Site(config.url, config.listen);
    const sessions = new Sessions(opened.ledger, opened.key);
    const port = await serve(config, observed, { ...opened, sessions, site, tls });
    const { ledger } = opened;
    const setup = await newSetupCode(ledger, opened.key);
    const { recover_owner: name } = options;
    const recovery = name === undefined ? null : await recoverOwner({ ledger, sessions, site }, name);
    const url = site.url.origin;
    log.info({ url, revision: ledger.revision }, 'serving');
    return {
      url,
      port,
      setup_code: setup?.code ?? null,
      setup_code_expires: setup?.expires ?? null,
      recovery_url: recovery?.url ?? null,
      failure,
      close: () => closing.disposeAsync(),
    };
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

/** The panel's documents and the key that seals secrets in them. */
async function openLedger(
  config: PanelConfig,
  { log, metrics, clock, closing }: Observed,
  fatal: (error: unknown) => void,
): Promise<{ ledger: Ledger; key: MasterKey }> {
  await ensurePrivateFolder(config.data_dir);
  const warn = (message: string, cause: unknown) => log.warn({ err: cause }, message);
  const journal = await openStore(config.store, { postgres: { warn, schema: config.schema } });
  closing.defer(() => journal.close());
  const failed = (error: unknown) => {
    metrics.storeError();
    log.error({ err: error }, 'the store failed');
  };
  const committed = (count: number, took_ms: number) => metrics.commit(count, took_ms);
  const broken = (error: unknown) => {
    log.fatal({ err: error }, 'derived state is lost: the panel has to restart');
    fatal(error);
  };
  const unknown_kind = (kind: string) =>
    log.warn({ kind }, 'the store has documents of a kind that this version does not know: is a newer panel on it?');
  const ledger = await Ledger.open({ journal, clock, failed, fatal: broken, committed, unknown_kind });
  closing.defer(() => ledger.close());
  const key = await panelKeyOf(ledger, config.key_file);
  const sweep = new Sweep(ledger, failed);
  closing.defer(() => sweep.close());
  addGauges(metrics, ledger);
  return { ledger, key };
}

interface Served {
  readonly ledger: Ledger;
  readonly key: MasterKey;
  readonly sessions: Sessions;
  readonly site: Site;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
}

/** Starts listening. Returns the port. */
async function serve(
  config: PanelConfig,
  { log, metrics, clock, closing }: Observed,
  { ledger, key, sessions, site, tls }: Served,
): Promise<number> {
  const { coordinator_url: url, panel_token_file: token_file } = config;
  const trust = await trustOf(config.coordinator_cert_file);
  const coordinator = new Coordinator({ url, token_file, trust, ledger, sessions, clock, log });
  closing.defer(() => coordinator.close());
  endTokensWithSessions(ledger, coordinator, log);
  const passwords = new Passwords();
  await passwords.prepare();
  metrics.gauge('mesh_panel_password_checks', 'Passwords hashed or checked so far.', () => passwords.done);
  const dashboard = await readDashboard(config.dashboard_dir);
  const attempts = new Attempts(clock);
  const refusals = openRefusals(ledger, (error) => log.error({ err: error }, 'a refusal was not written down'));
  const access = coordinator.people;
  const { retirements, entries } = coordinator;
  metrics.gauge(
    'mesh_panel_pending_retirements',
    'Ends of tokens that the coordinator has yet to confirm.',
    () => retirements.pending,
  );
  const parts = {
    config,
    ledger,
    sessions,
    access,
    retirements,
    entries,
    attempts,
    passwords,
    refusals,
    site,
    key,
    log,
  };
  const meta = {
    openapi: panelOpenApiDocument,
    readiness: readinessOf({
      journal: ledger.journal,
      clock,
      checks: [memoryCheck('ledger', ledger), () => coordinator.readiness(), () => dashboardCheck(dashboard)],
      isClosing: () => edge.closing,
    }),
    metrics: () => metrics.registry.metrics(),
  };
  const edge: Edge = new Edge({
    ...{ ledger, sessions, coordinator, site, clock, log, metrics, refusals, tls },
    handlers: allHandlers(parts, meta),
    addPages: (server, limit) => dashboardRoutes(server, dashboard, limit),
    trusted_proxies: config.trusted_proxies,
  });
  if (config.metrics_listen !== undefined) {
    const scrapes = await listenForScrapes(config.metrics_listen, meta.metrics);
    closing.defer(async () => void scrapes.close());
  }
  closing.defer(() => edge.close());
  await coordinator.start();
  await edge.server.listen({ host: config.listen.host, port: config.listen.port });
  const address = edge.server.server.address() as AddressInfo;
  site.listensAt(urlOf(address, tls !== undefined));
  await coordinator.foundAt(site.url.origin);
  if (!site.secure && !isLoopback(config.listen.host)) {
    const advice = 'set MESH_TLS_CERT and MESH_TLS_KEY, or put TLS in front and say so in MESH_PANEL_URL';
    log.warn({ listen: config.listen }, `passwords cross the network in clear text: ${advice}`);
  }
  return address.port;
}

/** However a session ended, and at whichever panel: its delegations end too. */
function endTokensWithSessions(ledger: Ledger, coordinator: Coordinator, log: Log): void {
  ledger.watch('session', (before, after) => {
    if (before === undefined || after !== undefined) return;
    coordinator.people
      .end(before)
      .catch((error: unknown) => log.error({ err: error }, 'a token could not be ended with its session'));
  });
}

function addGauges(metrics: Metrics, ledger: Ledger): void {
  metrics.gauge('mesh_panel_revision', 'Newest revision in memory.', () => ledger.revision);
  metrics.gauge('mesh_panel_sessions', 'Sessions that are open.', () => [...ledger.all('session')].length);
  metrics.gauge('mesh_panel_people', 'People who have an account.', () => [...ledger.all('user')].length);
  metrics.gauge('mesh_panel_waiting_transactions', 'Changes waiting to be written.', () => ledger.waiting);
}
