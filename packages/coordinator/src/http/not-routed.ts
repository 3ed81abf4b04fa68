import { MeshError, OPERATION_IDS, OPERATIONS } from '@meshwork/contract';

/** Nothing answers there, or not to this method. */
export class NotRouted extends MeshError {
  /** What the path does take. Empty: nothing is there. */
  readonly allowed: string;

  constructor(method: string, path: string) {
    const allowed = methodsOf(path).join(', ');
    if (allowed === '') super('route_not_found', `Nothing is at ${path}. /docs lists what is there.`);
    else super('method_not_allowed', `${path} takes ${allowed}, not ${method}.`);
    this.allowed = allowed;
  }
}

const PATHS = OPERATION_IDS.map((id) => ({
  method: OPERATIONS[id].method,
  pattern: new RegExp(`^${OPERATIONS[id].path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Whoever takes GET takes HEAD. */
function methodsOf(path: string): string[] {
  const methods = PATHS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
