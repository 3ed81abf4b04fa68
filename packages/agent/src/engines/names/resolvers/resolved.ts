import { readFile, realpath } from 'node:fs/promises';
import { MESH_DOMAIN, MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { CommandError, type RunCommand } from '../../../host/run-command.ts';
import { RESOLV_CONF, type ResolverSetup, type ResolverWay } from './resolver-way.ts';

/** The servers that it knows of all links, as it keeps them for programs that do without it. */
const UPLINKS = '/run/systemd/resolve/resolv.conf';
const STUB = /^\s*nameserver\s+127\.0\.0\.5[34]\b/m;
const BY_NSS = /^\s*hosts:.*\bresolve\b/m;

/** systemd-resolved, which has servers and domains for each link. */
export class Resolved implements ResolverWay {
  readonly name = 'systemd-resolved';
  readonly #run: RunCommand;

  constructor(run: RunCommand) {
    this.#run = run;
  }

  async unusable(): Promise<string | undefined> {
    return (await this.#isAsked()) ? undefined : 'programs of this host do not ask it';
  }

  async apply({ addresses, domains }: ResolverSetup): Promise<void> {
    await this.#link('dns', ...addresses);
    // The mesh's own is also searched, so that a node is found by its name alone.
    await this.#link('domain', MESH_DOMAIN, ...domains.map((domain) => `~${domain}`));
    await this.#link('default-route', 'no');
    // What the mesh says is not signed: the agent is on the same host.
    await this.#link('dnssec', 'no');
    await this.#link('dnsovertls', 'no');
  }

  /** Read each time: a host that moves has others. What leads back to the agent is left out where they are asked. */
  async others(): Promise<readonly string[]> {
    return Array.from((await textOf(UPLINKS)).matchAll(/^nameserver\s+(\S+)/gm), ([, server = '']) => server);
  }

  async remove(): Promise<void> {
    if (!(await this.#isAsked()) || !(await hasLink())) return; // what it knew of a link went with it
    try {
      await this.#link('revert');
    } catch (error) {
      // It is not there or does not run: it knows nothing of the link then, and an agent has to start all the same.
      if (!(error instanceof CommandError)) throw error;
    }
  }

  async #link(verb: string, ...values: readonly string[]): Promise<void> {
    await this.#run('resolvectl', [verb, MESH_INTERFACE, ...values]);
  }

  async #isAsked(): Promise<boolean> {
    const [servers, sources] = await Promise.all([RESOLV_CONF, '/etc/nsswitch.conf'].map(textOf));
    return STUB.test(servers ?? '') || BY_NSS.test(sources ?? '');
  }
}

async function hasLink(): Promise<boolean> {
  return await realpath(`/sys/class/net/${MESH_INTERFACE}`).then(
    () => true,
    () => false,
  );
}

/** Empty: there is no such file. */
export function textOf(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}
