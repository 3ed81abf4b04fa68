import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Applied, AppliedSection, HeartbeatReply } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import type { TlsSettings } from '../src/config.ts';
import { Reconciler } from '../src/conversation/reconciler.ts';
import { HostDataPlane } from '../src/data-plane/host-data-plane.ts';
import { openCertificates } from '../src/engines/certificates/engine.ts';
import type { RunCommand } from '../src/host/run-command.ts';
import { HeldView } from '../src/view/held-view.ts';

interface NodeOptions extends Partial<TlsSettings> {
  readonly run?: RunCommand;
  readonly groups?: string;
}

/** One start of an agent with the engine of certificates alone, on a state folder that outlives it. */
export async function certifiedNode(state: string, options: NodeOptions = {}, restored?: HeartbeatReply) {
  const folder = join(state, 'run');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const warnings: string[] = [];
  const log = { error: warn, warn, info: () => undefined, debug: () => undefined };
  function warn(line: string) {
    warnings.push(line);
  }
  let now = Date.now();
  const run: RunCommand = options.run ?? (async () => '');
  const tls = { group: options.group, reload: options.reload ?? [] };
  const host = { folder, tls, log, now: () => now };
  const engine = await openCertificates(host, { run, makeRequest, groups: options.groups ?? '/etc/group' });
  const plane = new HostDataPlane({ engines: [engine], keptOut: () => [], relays: () => [], now: () => now });
  const changes: (readonly AppliedSection[])[] = [];
  plane.onChange((drifted) => changes.push(drifted));
  const view = new HeldView();
  const applied: { [S in AppliedSection]?: Applied } = {};
  const reconciler = new Reconciler(plane, view, (section, what) => {
    applied[section] = what;
  });
  const take = (reply: HeartbeatReply) => reconciler.reconcile(view.take(reply));
  if (restored !== undefined) await take(restored);
  const tls_folder = join(state, 'tls');
  return {
    engine,
    plane,
    view,
    applied,
    warnings,
    /** Each call back of the data plane: nothing is drifted when there is only something to report. */
    changes,
    tls: tls_folder,
    /** An answer of the coordinator, put into effect. */
    tell: async (sections: Omit<HeartbeatReply, 'revision' | 'next_s'>) => {
      await take({ revision: view.revision + 1, next_s: 0, ...sections });
    },
    /** What the next agent begins with. */
    saved: (): HeartbeatReply => ({ revision: view.revision, next_s: 0, ...view.sections }) as HeartbeatReply,
    /** As with every answer: what failed is tried again. */
    again: () => reconciler.reconcile([]),
    /** Looks for changes by other programs, and puts them back. Answers with what was found. */
    mend: async () => {
      changes.length = 0;
      await plane.check();
      await reconciler.reconcile(changes.flat());
      return (plane.observe('changes').repairs ?? []).map(({ found }) => found.replaceAll(`${state}/`, ''));
    },
    request: () => plane.report().certificate_request,
    pass: (ms: number) => {
      now += ms;
    },
    file: (name: string) => readFile(join(tls_folder, 'current', name), 'utf8'),
    files: async () => (await readdir(join(tls_folder, 'current'))).sort(),
  };
}

export type CertifiedNode = Awaited<ReturnType<typeof certifiedNode>>;

/** The request that the node reports. A test that calls this expects that there is one. */
export function requestOf(node: CertifiedNode): string {
  const request = node.request();
  if (request === undefined) throw new Error('no request is reported');
  return request;
}
