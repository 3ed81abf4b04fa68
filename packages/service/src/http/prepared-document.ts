/**
 * Large documents that are the same for everyone until the next start, such as an OpenAPI description: compressed once, off
 * the event loop, when first asked for; then cached by clients and revalidated by tag.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** Best first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Levels above cost seconds for a few per cent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const MAX_AGE_S = 300;

export interface Forms {
  readonly type: string;
  /** Of the plain bytes; each encoding has its own (`tagOf`). */
  readonly etag: string;
  readonly bytes: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** The header that decides which form is sent. Absent: `accept-encoding`. */
  readonly vary?: string;
}

/** What to send for one request. Without bytes: the client has it already. */
export interface ChosenForm {
  readonly status: 200 | 304;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly bytes: Buffer | undefined;
}

/** What is answered with bytes of its own, and by tag. */
export interface ServedDocument {
  answer(headers: IncomingHttpHeaders): Promise<ChosenForm>;
}

export class PreparedDocument implements ServedDocument {
  readonly #type: string;
  readonly #text: () => string;
  readonly #caching: string;
  #forms: Promise<Forms> | undefined;

  constructor(type: string, text: () => string, caching = `public, max-age=${MAX_AGE_S}`) {
    this.#type = type;
    this.#text = text;
    this.#caching = caching;
  }

  /** What this caller gets. The first ones wait until it is compressed. */
  async answer(headers: IncomingHttpHeaders): Promise<ChosenForm> {
    this.#forms ??= this.#prepare();
    return chooseForm(await this.#forms, headers, this.#caching);
  }

  async #prepare(): Promise<Forms> {
    const bytes = Buffer.from(this.#text());
    const [br, gz] = await Promise.all([compress.br(bytes, BROTLI), compress.gzip(bytes)]);
    return { type: this.#type, etag: contentTag(bytes), bytes, encoded: { br, gzip: gz } };
  }
}

export function chooseForm(
  { type, etag, bytes, encoded, vary = 'accept-encoding' }: Forms,
  headers: IncomingHttpHeaders,
  caching: string,
): ChosenForm {
  const encoding = bestEncoding(encoded, headers['accept-encoding']);
  const tag = encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`;
  const common = ['cache-control', caching, 'etag', tag, 'vary', vary];
  if (isKnownTag(headers['if-none-match'], tag)) return { status: 304, headers: common, bytes: undefined };
  const coding = encoding === undefined ? [] : ['content-encoding', encoding];
  const body = (encoding === undefined ? undefined : encoded[encoding]) ?? bytes;
  return { status: 200, headers: [...common, 'content-type', type, ...coding], bytes: body };
}

export function contentTag(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

/** The best of what is there that the client takes. Undefined: send it plain. */
function bestEncoding(encoded: Forms['encoded'], accepted: string | undefined): Encoding | undefined {
  const wanted = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...options] = part.split(';').map((text) => text.trim().toLowerCase());
      return [name, !options.some((option) => /^q=0(?:\.0*)?$/.test(option))] as const;
    }),
  );
  const isWanted = (name: string) => wanted.get(name) ?? wanted.get('*') ?? false;
  return ENCODINGS.find((name) => encoded[name] !== undefined && isWanted(name));
}

function isKnownTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
