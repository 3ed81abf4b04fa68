/** Files that nginx reads while it runs: certificates, pages, and which ingresses drain. None of them needs a reload. */
import type { IngressAssignment } from '@meshwork/contract';
import { caFile, drainFile, GATEWAY_FOLDERS, isNamedByContent, listsFile, tlsFile } from './gateway-files.ts';
import type { GatewayFolder } from './gateway-folder.ts';
import type { GivenPems } from './given-certificates.ts';
import { maintenancePages } from './maintenance-page.ts';

/** Who has the private key: see `gateway-keys.ts`. */
export interface PemSource {
  /** The chain with the private key that it is for. Undefined: no key of ours is the one. */
  pemFor(chain: string): string | undefined;
}

interface Certificates {
  /** Certificate and key in PEM, by id of the ingress. */
  readonly pems: ReadonlyMap<string, string>;
  /** In words, by id of those that should have one. */
  readonly problems: ReadonlyMap<string, string>;
}

interface CertificateSources {
  readonly keys: PemSource;
  /** Certificates that operators brought. */
  readonly given: GivenPems;
  /** What nginx has for an ingress now. Undefined: nothing. */
  readonly before: (ingress: string) => string | undefined;
  /** Why some ingresses may not be served over TLS, whatever there is for them. */
  readonly blind: ReadonlyMap<string, string>;
}

export function certificatesOf(
  section: readonly IngressAssignment[],
  { keys, given, before, blind }: CertificateSources,
): Certificates {
  const pems = new Map<string, string>();
  const problems = new Map(blind);
  for (const { id, tls } of section) {
    if (tls === null || blind.has(id)) continue;
    if (tls.given !== undefined) {
      const fault = given.faults.get(tls.given);
      const kept = given.pems.get(tls.given) ?? (fault === undefined ? undefined : before(id));
      if (kept !== undefined) pems.set(id, kept);
      if (fault !== undefined) {
        problems.set(
          id,
          `the certificate that was brought for it cannot be used: ${fault}${kept === undefined ? '' : KEPT}`,
        );
      } else if (kept === undefined) {
        const lacking = tls.challenge === undefined ? 'the certificate that was brought for it is not here' : ORDERED;
        problems.set(id, `it is not served over TLS: ${lacking}`);
      }
      continue;
    }
    const pem = tls.chain === null ? undefined : keys.pemFor(tls.chain);
    if (pem !== undefined) pems.set(id, pem);
    else if (tls.chain === null) problems.set(id, 'it is not served over TLS: it has no certificate yet');
    else problems.set(id, "it is not served over TLS: its certificate is for another key than this gateway's");
  }
  return { pems, problems };
}

const ORDERED = 'the certificate that was ordered for it has not come yet';
const KEPT = '; clients get the one from before';

/** What is in use. */
interface SweptExcept {
  readonly section: readonly IngressAssignment[];
  readonly pems: ReadonlyMap<string, string>;
  readonly ca: string | undefined;
  readonly lists?: string | undefined;
}

/** Files that the configuration names, and their content. */
export function namedByContent({ ca, lists }: Pick<SweptExcept, 'ca' | 'lists'>): ReadonlyMap<string, string> {
  return new Map([
    ...(ca === undefined ? [] : [[caFile(ca), ca] as const]),
    ...(lists === undefined ? [] : [[listsFile(lists), lists] as const]),
  ]);
}

export class IngressFiles {
  readonly #folder: GatewayFolder;
  readonly #now: () => number;

  constructor(folder: GatewayFolder, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  async writeCertificates(pems: ReadonlyMap<string, string>): Promise<void> {
    for (const [id, pem] of pems) await this.#folder.write(tlsFile(id), pem);
  }

  /** What nginx has for each ingress now, also from before this agent was started. */
  async certificatesBefore(section: readonly IngressAssignment[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const { id } of section) {
      const pem = await this.#folder.read(tlsFile(id));
      if (pem !== undefined) found.set(id, pem);
    }
    return found;
  }

  /** In words. Null: they are what was written. */
  async certificateFault(pems: ReadonlyMap<string, string>): Promise<string | null> {
    for (const [id, pem] of pems) {
      if ((await this.#folder.read(tlsFile(id))) !== pem) return `${this.#folder.file(tlsFile(id))} was changed`;
    }
    return null;
  }

  async writePages(section: readonly IngressAssignment[]): Promise<void> {
    for (const [name, text] of maintenancePages(section)) await this.#folder.write(name, text);
  }

  /** In words. Null: they are what was written. */
  async pageFault(section: readonly IngressAssignment[]): Promise<string | null> {
    for (const [name, text] of maintenancePages(section)) {
      if ((await this.#folder.read(name)) !== text) return `${this.#folder.file(name)} was changed`;
    }
    return null;
  }

  /** Answers since when each drains, in seconds of Unix time: also since before this agent was started. */
  async writeDrains(section: readonly IngressAssignment[]): Promise<ReadonlyMap<string, number>> {
    const since = new Map<string, number>();
    for (const { id, draining } of section) {
      if (!draining) await this.#folder.delete(drainFile(id));
      else since.set(id, await this.#drainingSince(id));
    }
    return since;
  }

  async #drainingSince(id: string): Promise<number> {
    const now = Math.floor(this.#now() / 1000);
    const noted = Number((await this.#folder.read(drainFile(id))) ?? Number.NaN);
    if (Number.isInteger(noted) && noted > 0 && noted <= now) return noted; // later: the clock was set back
    await this.#folder.write(drainFile(id), String(now));
    return now;
  }

  /** Takes away what no ingress has any more. */
  async sweep({ section, pems, ca, lists }: SweptExcept): Promise<void> {
    const { tls, drain, pages } = GATEWAY_FOLDERS;
    const named = new Set(namedByContent({ ca, lists }).keys());
    for (const name of await this.#folder.names('.')) {
      if (isNamedByContent(name) && !named.has(name)) await this.#folder.delete(name);
    }
    const kept = new Set([
      ...[...pems.keys()].map(tlsFile),
      ...section.map(({ id }) => drainFile(id)),
      ...maintenancePages(section).keys(),
    ]);
    for (const folder of [tls, drain, pages]) {
      for (const name of await this.#folder.names(folder)) {
        if (!kept.has(`${folder}/${name}`)) await this.#folder.delete(`${folder}/${name}`);
      }
    }
  }
}
