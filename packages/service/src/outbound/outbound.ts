/**
 * Requests to servers whose addresses come from operators or from those servers themselves: outside authorities. A name is looked up
 * once and the connection goes to exactly what was found and judged, so that a second answer of DNS changes nothing. Everything is
 * bounded, and no redirect is followed.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Network } from '@meshwork/addresses';
import { whyRefused } from './permitted-address.ts';

/** Ours. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const MAX_URL = 2048;

export interface OutboundRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Roots that the server is checked against, in PEM. Null: those that browsers know. */
  readonly roots: string | null;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** The first value of a header, by its name in lower case. */
  header(name: string): string | undefined;
  readonly links: readonly string[];
}

/** It was not asked, or not heard: its message says why, in words for operators. */
export class OutboundError extends Error {}

interface OutboundOptions {
  /** Networks that may be reached although they are not public. */
  readonly networks: readonly Network[];
  /** How names are looked up. Absent: as this host does. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  readonly timeout_ms?: number;
  readonly max_bytes?: number;
}

export class Outbound {
  readonly #networks: readonly Network[];
  readonly #resolve: (host: string) => Promise<readonly LookupAddress[]>;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;

  constructor({ networks, resolve, timeout_ms = TIMEOUT_MS, max_bytes = MAX_BYTES }: OutboundOptions) {
    this.#networks = networks;
    this.#resolve = resolve ?? ((host) => lookup(host, { all: true, verbatim: true }));
    this.#timeoutMs = timeout_ms;
    this.#maxBytes = max_bytes;
  }

  /** Throws an `OutboundError` where there is no whole answer. Any status is an answer, save those that lead elsewhere. */
  async request(wanted: OutboundRequest): Promise<OutboundAnswer> {
    const url = readUrl(wanted.url);
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const signal = wanted.signal === undefined ? timeout : AbortSignal.any([timeout, wanted.signal]);
    try {
      const addresses = await endedBy(this.#permitted(url), signal);
      return await this.#answered(url, addresses, { ...wanted, signal });
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (timeout.aborted)
        throw new OutboundError(`${url.host} did not answer within ${this.#timeoutMs / 1000} seconds`);
      throw new OutboundError(`${url.host} cannot be reached: ${reasonOf(error)}`, { cause: error });
    }
  }

  async #permitted(url: URL): Promise<readonly LookupAddress[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const found = family === 0 ? await this.#resolve(host) : [{ address: host, family }];
    const judged = found.map((one) => ({ one, why: whyRefused(one.address, this.#networks) }));
    const permitted = judged.filter(({ why }) => why === null).map(({ one }) => one);
    if (permitted.length > 0) return permitted;
    const why = judged[0]?.why ?? 'it has no address';
    const hint = judged.length === 0 ? '' : ', which MESH_OUTBOUND_NETWORKS does not allow';
    throw new OutboundError(`${url.host} is not asked: ${why}${hint}`);
  }

  #answered(
    url: URL,
    addresses: readonly LookupAddress[],
    { method, headers = {}, body, roots, signal }: OutboundRequest & { readonly signal: AbortSignal },
  ): Promise<OutboundAnswer> {
    const pinned: LookupFunction = (_host, { all }, done) => {
      const [first] = addresses;
      if (all === true) done(null, [...addresses]);
      else if (first !== undefined) done(null, first.address, first.family);
    };
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      agent: false, // a connection for itself, which no other request to the name can have opened
      lookup: pinned,
      signal,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true, // also where the environment says otherwise
      ...(roots === null ? {} : { ca: roots }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(url, options, (answer) => {
        this.#read(url, answer).then(resolve, (error: unknown) => {
          asked.destroy();
          reject(error);
        });
      });
      asked.on('error', reject);
      asked.end(body);
    });
  }

  async #read(url: URL, answer: IncomingMessage): Promise<OutboundAnswer> {
    const { statusCode: status = 0, headersDistinct } = answer;
    if (status >= 300 && status < 400) {
      throw new OutboundError(`${url.host} answers with a redirect (${status}), which is not followed`);
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > this.#maxBytes) {
        throw new OutboundError(`${url.host} answers with more than ${this.#maxBytes / 1024} KiB`);
      }
      parts.push(part);
    }
    return {
      status,
      body: Buffer.concat(parts),
      header: (name) => headersDistinct[name]?.[0],
      links: headersDistinct.link ?? [],
    };
  }
}

function readUrl(text: string): URL {
  const url = text.length <= MAX_URL ? URL.parse(text) : null;
  if (url === null) throw new OutboundError('what should be an address is none');
  if (url.protocol !== 'https:') throw new OutboundError(`${url.host} is not asked: its address is not https`);
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError(`${url.host} is not asked: its address has credentials in it`);
  }
  return url;
}

/** Looking up a name cannot be ended, only waited for no longer. */
function endedBy<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function reasonOf(error: unknown): string {
  const failed = error instanceof AggregateError ? error.errors[0] : error;
  const reason = failed instanceof Error ? failed.message : String(failed);
  return reason.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, 300);
}
