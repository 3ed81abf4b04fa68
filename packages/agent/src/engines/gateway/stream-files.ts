/** Files that nginx reads for each connection that it does not look into, and how many connections there are. */
import type { IngressAssignment } from '@meshwork/contract';
import { GATEWAY_FOLDERS, njsFile, streamFile, streamSocket } from './gateway-files.ts';
import type { GatewayFolder } from './gateway-folder.ts';
import { connectionsByPath, hostSockets } from './host-sockets.ts';
import type { LiveInput } from './live-state.ts';
import { NJS_FILES } from './njs/program.ts';
import { streamLive } from './stream-live.ts';

type Input = Pick<LiveInput, 'section' | 'health' | 'draining_since' | 'ended'>;

export class StreamFiles {
  readonly #folder: GatewayFolder;
  /** What was last written, by id of the ingress. */
  readonly #written = new Map<string, string>();
  /** Ports of ingresses that are gone: connections through them may be left. */
  readonly #ports = new Map<string, { readonly kind: 'tcp' | 'udp'; readonly port: number }>();
  /** Places of nodes that each ingress of the kind `udp` leads to, or led to. */
  readonly #targets = new Map<string, Set<string>>();
  #open: ReadonlyMap<string, number> = new Map();

  constructor(folder: GatewayFolder) {
    this.#folder = folder;
  }

  async writeProgram(): Promise<void> {
    for (const [name, text] of Object.entries(NJS_FILES)) await this.#folder.write(njsFile(name), text);
  }

  /** `only`: those that it is true for. */
  async write({ section, ...input }: Input, only: (id: string) => boolean = () => true): Promise<void> {
    for (const ingress of section) {
      if (ingress.kind === 'http' || !only(ingress.id)) continue;
      this.#remember(ingress);
      const text = JSON.stringify(streamLive(ingress, { ...input, open: this.#open }));
      await this.#folder.write(streamFile(ingress.id), text);
      this.#written.set(ingress.id, text);
    }
  }

  /** In words. Null: they are what was written. */
  async fault(): Promise<string | null> {
    const live = [...this.#written].map(([id, text]) => [streamFile(id), text] as const);
    const program = Object.entries(NJS_FILES).map(([name, text]) => [njsFile(name), text] as const);
    for (const [name, text] of [...program, ...live]) {
      if ((await this.#folder.read(name)) !== text) return `${this.#folder.file(name)} was changed`;
    }
    return null;
  }

  /** Takes away what no ingress has any more. */
  async sweep(section: readonly IngressAssignment[]): Promise<void> {
    const kept = new Set(section.flatMap(({ id, kind }) => (kind === 'http' ? [] : [id])));
    for (const id of [...this.#written.keys()].filter((one) => !kept.has(one))) this.#written.delete(id);
    const names = new Set([...kept].map(streamFile));
    const { streams } = GATEWAY_FOLDERS;
    for (const name of await this.#folder.names(streams)) {
      if (!names.has(`${streams}/${name}`)) await this.#folder.delete(`${streams}/${name}`);
    }
  }

  /** Nothing is served any more. */
  forget(): void {
    this.#written.clear();
    this.#ports.clear();
    this.#targets.clear();
  }

  /** How many connections there are by id of the ingress, also of those that are gone. */
  async count(section: readonly IngressAssignment[]): Promise<ReadonlyMap<string, number>> {
    const byPlace = await this.#byPlace(section);
    const counts = new Map<string, number>();
    for (const [id, { kind, port }] of this.#ports) {
      const targets = kind === 'udp' ? [...(this.#targets.get(id) ?? [])] : [];
      const places = kind === 'tcp' ? [`port ${port}`] : targets.map((target) => `udp ${target}`);
      counts.set(
        id,
        places.reduce((sum, place) => sum + (byPlace.get(place) ?? 0), 0),
      );
    }
    this.#forgetEnded(new Set(section.map(({ id }) => id)), counts);
    for (const [path, count] of await connectionsByPath()) {
      const id = this.#socketOf(path);
      if (id !== undefined) counts.set(id, count);
    }
    return counts;
  }

  /** By port of this host, and by node that a UDP socket is connected to. Not looked up where nothing is counted by them. */
  async #byPlace(section: readonly IngressAssignment[]): Promise<ReadonlyMap<string, number>> {
    const isNeeded = this.#ports.size > 0 || section.some(({ kind }) => kind !== 'http');
    if (!isNeeded) return new Map();
    const { tcp, udp } = await hostSockets();
    this.#open = tally(tcp.flatMap(({ remote, held }) => (held ? (remote ?? []) : [])));
    const ports = tcp.flatMap(({ port, listens, held }) => (held && !listens ? [`port ${port}`] : []));
    return tally([...ports, ...udp.flatMap(({ remote }) => (remote === null ? [] : [`udp ${remote}`]))]);
  }

  #remember({ id, kind, port, routes }: IngressAssignment): void {
    if (kind !== 'tcp' && kind !== 'udp') return;
    for (const [other, known] of this.#ports) {
      if (known.kind === kind && known.port === port && other !== id) this.#ports.delete(other); // all there are count for this one
    }
    if (port !== null) this.#ports.set(id, { kind, port });
    if (kind !== 'udp') return;
    const places = routes.flatMap(({ pools }) =>
      pools.flatMap(({ targets }) => targets.map(({ address, port: at }) => `${address}:${at}`)),
    );
    this.#targets.set(id, new Set([...(this.#targets.get(id) ?? []), ...places]));
  }

  #forgetEnded(present: ReadonlySet<string>, counts: ReadonlyMap<string, number>): void {
    for (const id of [...this.#ports.keys()].filter((one) => !present.has(one) && counts.get(one) === 0)) {
      this.#ports.delete(id);
      this.#targets.delete(id);
    }
  }

  #socketOf(path: string): string | undefined {
    const [, id] = /\/(ingress_[0-9a-z]+)\.sock$/.exec(path) ?? [];
    return id !== undefined && path === this.#folder.file(streamSocket(id)) ? id : undefined;
  }
}

function tally(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
