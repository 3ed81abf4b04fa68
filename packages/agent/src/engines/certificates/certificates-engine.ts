import { X509Certificate } from 'node:crypto';
import type { AppliedSection, CertificateSection, Report, TrustSection } from '@meshwork/contract';
import type { MadeRequest } from '../../certificate-requests/make-request.ts';
import { checkChain, readChain, rootsIn, trustTexts } from '../../certificate-requests/sound-chain.ts';
import { messageOf } from '../../message-of.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { EngineHealth, EngineTraits, OpenEngine, PlanInput, Work } from '../engine.ts';
import type { CertificateKeys } from './certificate-keys.ts';
import type { Reloads } from './reloads.ts';
import type { TlsContent, TlsFolder } from './tls-folder.ts';

export const TRAITS: EngineTraits = {
  name: 'certificates',
  sections: ['trust', 'certificate'],
  on_drift: ['certificate', 'trust'],
  parts: [], // nothing of it can cut the node off from its coordinator
};

interface CertificatesOptions {
  readonly files: TlsFolder;
  readonly keys: CertificateKeys;
  readonly reloads: Reloads;
  readonly makeRequest: () => Promise<MadeRequest>;
}

/** Why a chain is not taken. `foreign`: its fingerprint, when it is of none of our keys. */
interface Refusal {
  readonly error: Error;
  readonly foreign?: string;
}

/**
 * The certificate of the node and what others are checked against. Two sections, and one set of files: each is put with
 * what is held of the other. What cannot be taken leaves in place what was there.
 */
export class CertificatesEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #files: TlsFolder;
  readonly #keys: CertificateKeys;
  readonly #reloads: Reloads;
  readonly #makeRequest: () => Promise<MadeRequest>;
  /** The contents that are known to be in effect. */
  readonly #proven = new Map<AppliedSection, unknown>();
  /** What was last taken of `trust`. */
  #trust: TlsContent;
  /** What was last put. Undefined: nothing yet, and no difference from it can be found. */
  #put: TlsContent | undefined;

  /** `found`: what services find now. It stays until the coordinator says otherwise. */
  constructor({ files, keys, reloads, makeRequest }: CertificatesOptions, found: TlsContent) {
    this.#files = files;
    this.#keys = keys;
    this.#reloads = reloads;
    this.#makeRequest = makeRequest;
    this.#trust = only(found, 'ca.pem', 'crl.pem');
    keys.adopt({ private_key: found['key.pem'], chain: found['cert.pem'] });
  }

  async versions() {
    return {};
  }

  plan(section: AppliedSection, { view }: PlanInput): Work | undefined {
    const { trust = null, certificate = null } = view.sections;
    const content = section === 'trust' ? trust : certificate;
    if (this.#proven.has(section) && this.#proven.get(section) === content) return undefined;
    const revision = view.revisionOf(section);
    return async () => {
      this.#proven.delete(section);
      await (section === 'trust' ? this.#applyTrust(trust) : this.#applyCertificate(certificate, revision));
      this.#proven.set(section, content);
      return {};
    };
  }

  distrust(): void {
    this.#proven.clear();
  }

  /** A folder by its link: what is changed in it is announced, and so is another link. */
  get shared_files(): readonly string[] {
    return [this.#files.current];
  }

  async drift(): Promise<string | null> {
    return this.#put === undefined ? null : await this.#files.fault(this.#put);
  }

  async look(_view: HeldView): Promise<boolean> {
    this.#reloads.retry();
    return false;
  }

  /** Resolves when no service is being reloaded. */
  reloaded(): Promise<void> {
    return this.#reloads.settled();
  }

  report(): Report {
    const { pending } = this.#keys;
    return pending === undefined ? {} : { certificate_request: pending.request };
  }

  health(): EngineHealth {
    const leaf = this.#leaf();
    return leaf === undefined ? {} : { certificate_ends_ms: leaf.validToDate.getTime() };
  }

  async diagnose() {
    const leaf = this.#leaf();
    return {
      certificates: {
        serial: leaf?.serialNumber ?? null,
        names: leaf?.subjectAltName?.split(', ') ?? [],
        not_after: leaf?.validToDate.toISOString() ?? null,
        request_pending: this.#keys.pending !== undefined,
        generations: await this.#files.generations(),
        reloads: this.#reloads.outcomes,
      },
    };
  }

  async #applyTrust(trust: TrustSection | null): Promise<void> {
    let refusal: Error | undefined;
    try {
      const { ca, crl } = trust === null ? { ca: '', crl: '' } : trustTexts(trust);
      this.#trust = { ...(ca === '' ? {} : { 'ca.pem': ca }), ...(crl === '' ? {} : { 'crl.pem': crl }) };
    } catch (error) {
      refusal = new Error(`the roots and lists are not taken: ${messageOf(error)}`, { cause: error });
    }
    await this.#putAll(); // also after a refusal: what is held is kept right
    if (refusal !== undefined) throw refusal;
  }

  async #applyCertificate(section: CertificateSection | null, revision: number): Promise<void> {
    const refusal = await this.#take(section);
    await this.#putAll();
    if (section !== null) await this.#request({ wanted: section.request, revision, foreign: refusal?.foreign });
    if (refusal !== undefined) throw refusal.error;
  }

  async #take(section: CertificateSection | null): Promise<Refusal | undefined> {
    if (section === null || section.chain === null) {
      await this.#keys.withdraw(section === null ? 'all' : 'used');
      return undefined;
    }
    let taken: { private_key: string; chain: string };
    try {
      const chain = readChain(section.chain);
      const private_key = this.#keys.keyOf(chain.leaf);
      if (private_key === undefined) return foreignTo(chain.leaf);
      checkChain(chain, rootsIn(this.#trust['ca.pem']));
      taken = { private_key, chain: chain.text };
    } catch (error) {
      return { error: new Error(`the certificate is not taken: ${messageOf(error)}`, { cause: error }) };
    }
    await this.#keys.use(taken);
    return undefined;
  }

  async #putAll(): Promise<void> {
    const { current } = this.#keys;
    const own = current === undefined ? {} : { 'key.pem': current.private_key, 'cert.pem': current.chain };
    const content = { ...own, ...this.#trust };
    this.#reloads.follow(await this.#files.put(content));
    this.#put = content;
  }

  /**
   * A coordinator asks only while it has no request of ours. So what was made for another revision was lost or refused, and
   * the same again would not be sent: it counts as received. The same revision, as after a restart, is the same request.
   */
  async #request({ wanted, revision, foreign }: { wanted: boolean; revision: number; foreign: string | undefined }) {
    const { pending } = this.#keys;
    const isLost = wanted && pending?.revision !== revision;
    const isStrange = foreign !== undefined && pending?.foreign !== foreign;
    if (isLost || isStrange) await this.#keys.request({ ...(await this.#makeRequest()), revision, foreign });
  }

  #leaf(): X509Certificate | undefined {
    const chain = this.#put?.['cert.pem'];
    return chain === undefined ? undefined : new X509Certificate(chain); // the first one in it
  }
}

function foreignTo(leaf: X509Certificate): Refusal {
  const error = new Error(
    `certificate ${leaf.serialNumber} is for a key that this node does not have: a request for another one is on its way`,
  );
  return { error, foreign: leaf.fingerprint256 };
}

function only(content: TlsContent, ...files: readonly (keyof TlsContent)[]): TlsContent {
  return Object.fromEntries(Object.entries(content).filter(([file]) => files.includes(file as keyof TlsContent)));
}
