/** What operators do with the key of the root, as the API sees it. */
import { createPrivateKey, sign } from 'node:crypto';
import { type AnswerOf, dropProofText, type Operations } from '@meshwork/contract';
import { openRootFile, signIntermediate } from '@meshwork/pki/offline';
import type { TestCoordinator } from './harness.ts';

const PASSPHRASE = 'correct horse battery staple é';
type Answer<Id extends keyof Operations> = AnswerOf<Operations[Id]>;

export class RootCeremony {
  readonly #mesh: TestCoordinator;
  /** What the operator has: the encrypted key and the certificate. */
  file = '';

  constructor(mesh: TestCoordinator) {
    this.#mesh = mesh;
  }

  /** Exports the key, and proves that it can be opened. */
  async proof(): Promise<{ readonly proof: string }> {
    const exported = await this.#answer<Answer<'ca.export_root'>>('/v1/ca/root/export', { passphrase: PASSPHRASE });
    this.file = exported.key + exported.certificate;
    const text = dropProofText({ id: exported.authority, key_exported_at: exported.exported_at });
    const key = createPrivateKey({ key: exported.key, passphrase: PASSPHRASE });
    return { proof: sign('sha256', Buffer.from(text), key).toString('base64') };
  }

  /** The certificate of the intermediate that is requested, and a list of the root. */
  async signed(days = 90): Promise<{ readonly certificate: string; readonly revocation_list: string }> {
    const { request } = await this.#answer<Answer<'ca.request_intermediate'>>('/v1/ca/intermediate/request');
    const wanted = { request, days, now_ms: this.#mesh.clock.now() };
    const { certificate, revocation_list } = await signIntermediate(openRootFile(this.file, PASSPHRASE), wanted);
    return { certificate, revocation_list };
  }

  async #answer<T>(path: string, body?: object): Promise<T> {
    const got = await this.#mesh.ask<T>('POST', path, body === undefined ? {} : { body });
    if (got.status !== 200) throw new Error(`${path} was refused: ${got.text}`);
    return got.body;
  }
}
