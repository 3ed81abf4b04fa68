import { type HttpOperation, MeshError, OPERATIONS } from '@meshwork/contract';

type Row = Pick<HttpOperation, 'method' | 'path'>;

/** Nothing answers there, or not to this method. */
export class NotRouted extends MeshError {
  /** The methods of the path. Empty: there is no such path. */
  readonly allowed: string;

  /** `paths`: what the service answers. Absent: what the coordinator does. */
  constructor(method: string, path: string, paths: RoutedPaths = COORDINATOR_PATHS) {
    const allowed = paths.methodsOf(path).join(', ');
    if (allowed === '') super('route_not_found', `Nothing is at ${path}. ${paths.hint}`);
    else super('method_not_allowed', `${path} takes ${allowed}, not ${method}.`);
    this.allowed = allowed;
  }
}

/** The paths of a service, and what they take. */
export class RoutedPaths {
  /** Where the operations are documented. */
  readonly hint: string;
  /** Paths of the table without parameters. They are never ids: `/v1/audit/verify` is no entry. */
  readonly #fixed = new Map<string, readonly string[]>();
  readonly #patterns: readonly { readonly method: string; readonly pattern: RegExp }[];
  /** `GET /v1/audit/verify`: the router takes it for `/v1/audit/{id}`, because no other row has that method. */
  readonly #misrouted: ReadonlySet<string>;

  constructor(rows: readonly Row[], hint: string) {
    this.hint = hint;
    for (const { method, path } of rows) {
      if (!path.includes('{')) this.#fixed.set(path, [...(this.#fixed.get(path) ?? []), ...withHead(method)]);
    }
    this.#patterns = rows
      .filter(({ path }) => path.includes('{'))
      .map(({ method, path }) => ({
        method,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      }));
    this.#misrouted = new Set(
      [...this.#fixed].flatMap(([path, methods]) =>
        this.#methodsByPattern(path)
          .filter((method) => !methods.includes(method))
          .map((method) => `${method} ${path}`),
      ),
    );
  }

  /** A path with GET also has HEAD. */
  methodsOf(path: string): readonly string[] {
    return this.#fixed.get(path) ?? this.#methodsByPattern(path);
  }

  /** Whether the router found a route that is not meant: the path is one of its own, without this method. */
  isMisrouted(method: string, path: string): boolean {
    return this.#misrouted.has(`${method} ${path}`);
  }

  #methodsByPattern(path: string): string[] {
    return this.#patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ method }) => withHead(method));
  }
}

function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

export const COORDINATOR_PATHS = new RoutedPaths(Object.values(OPERATIONS), '/docs lists what is there.');
