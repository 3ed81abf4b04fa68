import { type HttpOperation, MeshError, OPERATIONS } from '@meshwork/contract';

type Row = Pick<HttpOperation, 'method' | 'path'>;

/** Nothing answers there, or not to this method. */
export class NotRouted extends MeshError {
  /** What the path does take. Empty: nothing is there. */
  readonly allowed: string;

  /** `paths`: what the service answers. Absent: what the coordinator does. */
  constructor(method: string, path: string, paths: RoutedPaths = COORDINATOR) {
    const allowed = paths.methodsOf(path).join(', ');
    if (allowed === '') super('route_not_found', `Nothing is at ${path}. ${paths.hint}`);
    else super('method_not_allowed', `${path} takes ${allowed}, not ${method}.`);
    this.allowed = allowed;
  }
}

/** The paths of a service, and what they take. */
export class RoutedPaths {
  /** Where to read what there is. */
  readonly hint: string;
  readonly #rows: readonly { readonly method: string; readonly pattern: RegExp }[];

  constructor(rows: readonly Row[], hint: string) {
    this.hint = hint;
    this.#rows = rows.map(({ method, path }) => ({
      method,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** Whoever takes GET takes HEAD. */
  methodsOf(path: string): string[] {
    const methods = this.#rows.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }
}

const COORDINATOR = new RoutedPaths(Object.values(OPERATIONS), '/docs lists what is there.');
