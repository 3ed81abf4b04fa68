import { afterEach, before, beforeEach } from 'node:test';
import { type CertifiedNode, certifiedNode, requestOf } from './certified-node.ts';
import { meshCa } from './mesh-ca.ts';
import { newFolder } from './new-folder.ts';

/** The coordinator asks for a request. */
export const ASKED = { chain: null, request: true };

/** The CA of a mesh for the tests of a `describe`, and for each of them a new node of that mesh. */
export class Certification {
  #ca: Awaited<ReturnType<typeof meshCa>> | undefined;
  #crl = '';
  #folder: Awaited<ReturnType<typeof newFolder>> | undefined;
  #node: CertifiedNode | undefined;

  constructor() {
    before(async () => {
      this.#ca = await meshCa();
      this.#crl = await this.#ca.revocationList();
    });
    beforeEach(async () => {
      this.#folder = await newFolder();
      this.#node = await certifiedNode(this.#folder.path);
    });
    afterEach(() => this.#folder?.[Symbol.asyncDispose]());
  }

  get ca() {
    return present(this.#ca);
  }

  get crl(): string {
    return this.#crl;
  }

  get folder(): string {
    return present(this.#folder).path;
  }

  get node(): CertifiedNode {
    return present(this.#node);
  }

  get trust() {
    return { roots: [this.ca.root], revocation_lists: [this.#crl] };
  }

  /** From nothing to a certificate in use. */
  async certify(): Promise<void> {
    await this.node.tell({ trust: this.trust, certificate: ASKED });
    await this.node.tell({ certificate: { chain: await this.ca.sign(requestOf(this.node)), request: false } });
    const { error } = this.node.applied.certificate ?? {};
    if (error !== undefined) throw new Error(error);
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this is there only while a test runs');
  return value;
}
