/**
 * Deadlines of drains, as this gateway keeps them. The clock of a node may be wrong, and may be set while an ingress drains. So the
 * time that is left is counted from when the gateway was first sent a deadline, by the clock of the kernel that only ever goes
 * forward. It is noted in a file: another start of the agent counts on.
 */
import { readFileSync } from 'node:fs';
import type { IngressAssignment } from '@meshwork/contract';
import type { Cuts } from './control.ts';
import { deadlineFile, GATEWAY_FOLDERS, streamSocket } from './gateway-files.ts';
import type { GatewayFolder } from './gateway-folder.ts';
import type { CutOrder } from './live-state.ts';

/** Since the host was started, also while it slept. */
interface Uptime {
  /** Names the start. */
  readonly boot: string;
  readonly seconds: number;
}

interface Noted {
  /** The deadline by the coordinator's clock. It names it, and is never compared with ours. */
  readonly at: string;
  readonly boot: string;
  /** By the uptime of that start. */
  readonly ends_s: number;
  /** Ended connections, as counted by earlier processes of nginx, and by the one that counts now. */
  readonly cut_before: number;
  readonly cut: number;
  readonly nginx: number;
}

export class DrainDeadlines {
  readonly #folder: GatewayFolder;
  readonly #uptime: () => Uptime;
  #noted: ReadonlyMap<string, Noted> = new Map();

  constructor(folder: GatewayFolder, uptime: () => Uptime = hostUptime) {
    this.#folder = folder;
    this.#uptime = uptime;
  }

  /** What is wanted now. A deadline that is known goes on, another one begins, and one that is wanted no more is forgotten. */
  async follow(section: readonly IngressAssignment[]): Promise<void> {
    const noted = new Map<string, Noted>();
    for (const { id, draining, deadline } of section) {
      if (draining && deadline !== undefined) {
        noted.set(id, await this.#noteOf(id, deadline));
      }
    }
    this.#noted = noted;
    for (const name of await this.#folder.names(GATEWAY_FOLDERS.deadlines)) {
      if (!noted.has(name)) await this.#folder.delete(deadlineFile(name));
    }
  }

  async #noteOf(id: string, { at, after_s }: NonNullable<IngressAssignment['deadline']>): Promise<Noted> {
    const { boot, seconds } = this.#uptime();
    const before = this.#noted.get(id) ?? notedIn(await this.#folder.read(deadlineFile(id)));
    if (before?.at === at && before.boot === boot) return before;
    const begun = { at, boot, ends_s: seconds + after_s, cut_before: 0, cut: 0, nginx: 0 };
    // The host was started anew: no connection from before the drain is left that the time would be for.
    const next = before?.at === at ? { ...begun, ends_s: seconds, cut_before: cutOf(before) } : begun;
    await this.#keep(id, next);
    return next;
  }

  /** The deadline that the gateway keeps. Undefined: it keeps none. */
  of(id: string): { readonly at: string; readonly cut: number; readonly has_come: boolean } | undefined {
    const noted = this.#noted.get(id);
    if (noted === undefined) return undefined;
    return { at: noted.at, cut: cutOf(noted), has_come: this.#hasCome(noted) };
  }

  /** Milliseconds until the next one comes. Undefined: none does. */
  next(): number | undefined {
    const { seconds } = this.#uptime();
    const left = [...this.#noted.values()].flatMap((noted) => (this.#hasCome(noted) ? [] : [noted.ends_s - seconds]));
    return left.length === 0 ? undefined : Math.max(0, Math.ceil(Math.min(...left) * 1000));
  }

  /** What nginx has to end. */
  orders(section: readonly IngressAssignment[]): ReadonlyMap<string, CutOrder> {
    const orders = new Map<string, CutOrder>();
    for (const ingress of section) {
      const noted = this.#noted.get(ingress.id);
      if (noted === undefined || !this.#hasCome(noted)) continue;
      const { id, kind, port } = ingress;
      const socket = kind === 'tls' ? this.#folder.file(streamSocket(id)) : null;
      orders.set(id, { of: noted.at, kind, port, socket, nodes: ownNodes(ingress, section) });
    }
    return orders;
  }

  /** What nginx says that it has ended. Kept, as it forgets when it is started anew. */
  async count({ nginx, counts }: Cuts): Promise<void> {
    const noted = new Map(this.#noted);
    for (const [id, before] of this.#noted) {
      const cut = counts.get(`${id}/${before.at}`) ?? 0;
      const isSame = before.nginx === nginx && cut >= before.cut;
      if (isSame && cut === before.cut) continue;
      if (!isSame && cut === 0 && before.cut === 0) continue;
      const next = { ...before, nginx, cut, cut_before: isSame ? before.cut_before : cutOf(before) };
      noted.set(id, next);
      await this.#keep(id, next);
    }
    this.#noted = noted;
  }

  forget(): void {
    this.#noted = new Map();
  }

  #hasCome({ boot, ends_s }: Noted): boolean {
    const now = this.#uptime();
    return boot === now.boot && now.seconds >= ends_s;
  }

  async #keep(id: string, noted: Noted): Promise<void> {
    await this.#folder.write(deadlineFile(id), JSON.stringify(noted));
  }
}

function cutOf({ cut_before, cut }: Noted): number {
  return cut_before + cut;
}

/** Undefined: there is none, or none that can be read. */
function notedIn(text: string | undefined): Noted | undefined {
  if (text === undefined) return undefined;
  let found: Partial<Noted>;
  try {
    found = JSON.parse(text) as Partial<Noted>;
  } catch {
    return undefined; // cut short: the time begins anew
  }
  const { at, boot, ends_s, cut_before, cut, nginx } = found;
  const isWhole = [ends_s, cut_before, cut, nginx].every((value) => Number.isFinite(value));
  return typeof at === 'string' && typeof boot === 'string' && isWhole ? (found as Noted) : undefined;
}

/** Where two ingresses lead to one place, nothing says whose a connection there is. */
function ownNodes(ingress: IngressAssignment, section: readonly IngressAssignment[]): readonly string[] {
  const others = new Set(section.filter(({ id }) => id !== ingress.id).flatMap(placesOf));
  // Requests are known by themselves: there the nodes only prove that the right connection was found.
  return placesOf(ingress).filter((place) => ingress.kind === 'http' || !others.has(place));
}

function placesOf({ routes }: IngressAssignment): readonly string[] {
  const targets = routes.flatMap(({ pools }) => pools.flatMap((pool) => pool.targets));
  return [...new Set(targets.map(({ address, port }) => `${address}:${port}`))];
}

/** Of the kernel: `12345.67 54321.00`. */
function hostUptime(): Uptime {
  const seconds = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
  return { boot: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), seconds };
}
