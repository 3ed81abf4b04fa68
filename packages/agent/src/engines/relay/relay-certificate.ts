import { X509Certificate } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RelayServerSection } from '@meshwork/contract';
import type { RelaySettings } from '../../config.ts';
import { isCode } from '../../host/atomic-file.ts';
import { STATE_FILES } from '../../identity/state-folder.ts';

type CertificateKind = NonNullable<RelayServerSection['tls']>['certificate'];

interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** What the relay shows over TLS: the files as they are now, or why there are none. */
export class RelayCertificate {
  /** Of the engines. */
  readonly #folder: string;
  readonly #settings: RelaySettings;

  constructor(folder: string, settings: RelaySettings) {
    this.#folder = folder;
    this.#settings = settings;
  }

  /** Texts that belong together. Rejects with what is missing. */
  async read(kind: CertificateKind): Promise<CertificateFiles> {
    try {
      const paths = kind === 'mesh' ? await this.#ofNode() : this.#configured();
      const [certificate, key] = await Promise.all([readFile(paths.certificate, 'utf8'), readFile(paths.key, 'utf8')]);
      new X509Certificate(certificate); // throws when it is none
      return { certificate, key };
    } catch (error) {
      if (kind !== 'mesh' || !isCode(error, 'ENOENT')) throw error;
      throw new Error('the node has no certificate of the mesh yet', { cause: error });
    }
  }

  /** The generation is looked up once: key and certificate are of the same one. At first there is only a key. */
  async #ofNode(): Promise<CertificateFiles> {
    const generation = await realpath(join(dirname(this.#folder), STATE_FILES.tls, 'current'));
    return { certificate: join(generation, 'cert.pem'), key: join(generation, 'key.pem') };
  }

  #configured(): CertificateFiles {
    const { certificate, key } = this.#settings;
    if (certificate !== undefined && key !== undefined) return { certificate, key };
    throw new Error('MESH_RELAY_CERTIFICATE and MESH_RELAY_KEY have to name the files of the public certificate');
  }
}
