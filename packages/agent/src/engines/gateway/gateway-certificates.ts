/** What clients are shown: of the mesh CA for a key of this gateway, or brought by an operator with a key of its own. */
import type { IngressAssignment } from '@meshwork/contract';
import { GATEWAY_FILES } from './gateway-files.ts';
import type { GatewayFolder } from './gateway-folder.ts';
import { type GivenSection, givenPems } from './given-certificates.ts';
import { certificatesOf, type IngressFiles, type PemSource } from './ingress-files.ts';
import { fingerprintOf, type Shown, shownCertificates, takenBack } from './shown-certificates.ts';

interface Parts {
  readonly folder: GatewayFolder;
  readonly files: IngressFiles;
  readonly keys: PemSource;
}

/** What nginx has, or is to have. */
export interface CertificatesInUse {
  /** Certificate and key in PEM, by id of the ingress. A secret. */
  readonly pems: ReadonlyMap<string, string>;
  /** What is wrong, in words, by id of the ingress. */
  readonly problems: ReadonlyMap<string, string>;
  /** Why given certificates are not in use as they should be, in words. */
  readonly faults: readonly string[];
}

/** The same, with what nginx had before, by id of the ingress. */
interface Prepared extends CertificatesInUse {
  readonly before: ReadonlyMap<string, string>;
}

/** Ours: of so many looks, one is at the certificates that clients get. Nothing but us changes them. */
const SHOWN_EVERY = 6;

export class GatewayCertificates {
  readonly #parts: Parts;
  /** Which certificates clients get, as nginx was last asked. */
  #shown: ReadonlyMap<string, Shown> = new Map();
  #looks = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `blind`: why some ingresses may not be served over TLS, whatever there is for them. */
  async prepare(
    section: readonly IngressAssignment[],
    given: GivenSection,
    blind: ReadonlyMap<string, string>,
  ): Promise<Prepared> {
    const { files, keys } = this.#parts;
    const brought = givenPems(given);
    const before = await files.certificatesBefore(section);
    const found = certificatesOf(section, { keys, given: brought, before: (id) => before.get(id), blind });
    return { ...found, faults: [...brought.faults].map(([id, fault]) => `${id} cannot be used: ${fault}`), before };
  }

  /**
   * Has nginx show what it has by now. What it cannot show is taken back, where clients got another one before. `changed`: has it look at
   * its certificates again.
   */
  async prove(
    served: readonly IngressAssignment[],
    prepared: Prepared,
    changed: () => Promise<void>,
  ): Promise<CertificatesInUse> {
    const { pems, problems, faults, before } = prepared;
    this.#shown = await this.#ask(served, pems);
    const back = takenBack(pems, this.#shown, before);
    if (back.faults.length === 0) return prepared;
    await this.#parts.files.writeCertificates(back.pems);
    await changed();
    const kept = new Map([...pems, ...back.pems]);
    this.#shown = await this.#ask(served, kept);
    return {
      pems: kept,
      problems: new Map([...problems, ...back.problems]),
      faults: [...faults, ...back.faults],
    };
  }

  /** Now and then. */
  async look(served: readonly IngressAssignment[], pems: ReadonlyMap<string, string>): Promise<void> {
    this.#looks += 1;
    if (this.#looks % SHOWN_EVERY === 0) this.#shown = await this.#ask(served, pems);
  }

  /** SHA-256 of what clients of an ingress get. Undefined: it was not looked at, or they get none. */
  shownFor(ingress: string): string | undefined {
    return fingerprintOf(this.#shown.get(ingress));
  }

  forget(): void {
    this.#shown = new Map();
  }

  #ask(served: readonly IngressAssignment[], pems: ReadonlyMap<string, string>) {
    return shownCertificates(served, pems, this.#parts.folder.file(GATEWAY_FILES.https));
  }
}
