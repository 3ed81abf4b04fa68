import { isLoopback, type Listen } from '@meshwork/service';

/** The names a browser on this very machine may know the panel by. */
const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Where people find the panel. Everything that depends on its address asks here: links, cookies, passkeys, and whether a
 * request was meant for us and came from our own pages.
 */
export class Site {
  readonly #given: URL | undefined;
  readonly #listen: Listen;
  #url: URL | undefined;
  #origins: ReadonlySet<string> = new Set();

  /** `url`: what the configuration says. Undefined: where it listens. */
  constructor(url: URL | undefined, listen: Listen) {
    this.#given = url;
    this.#listen = listen;
  }

  /** Called once the panel listens: only then its port is certain. */
  listensAt(address: string): void {
    const found = new URL(address);
    const isLocal = isLoopback(this.#listen.host);
    if (isLocal) found.hostname = 'localhost';
    this.#url = this.#given ?? found;
    const local = isLocal ? LOCAL_NAMES.map((name) => `${found.protocol}//${name}${portOf(found)}`) : [];
    this.#origins = new Set([this.#url.origin, ...local]);
  }

  /** The panel's public address, such as `http://localhost:7480/`. */
  get url(): URL {
    if (this.#url === undefined) throw new Error('the panel does not listen yet');
    return this.#url;
  }

  /** Whether browsers reach it over TLS, here or at a proxy in front. */
  get secure(): boolean {
    return this.url.protocol === 'https:';
  }

  /** Whether a page with this origin is one of ours. */
  isOwnOrigin(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Whether a request with this `Host` is meant for the panel. One with a name that an attacker points at our address is not. */
  isOwnHost(host: string): boolean {
    const named = host.toLowerCase();
    for (const origin of this.#origins) if (new URL(origin).host === named) return true;
    return false;
  }
}

function portOf({ port }: URL): string {
  return port === '' ? '' : `:${port}`;
}
