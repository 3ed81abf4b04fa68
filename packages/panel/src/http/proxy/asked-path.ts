import { MeshError, type Operation } from '@meshwork/contract';

/**
 * The path at the coordinator, made from the table and the parameters alone, so that nothing a browser writes into a path
 * can lead anywhere else; then the query as it came, which the coordinator checks.
 */
export function askedPath({ path }: Operation, params: Readonly<Record<string, string>>, url: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    // A proxy in between might resolve these as path segments, even when they are encoded.
    if (value === '' || value === '.' || value === '..') throw notRouted(url);
    return encoded(value, url);
  });
  const query = url.indexOf('?');
  return query === -1 ? filled : filled + url.slice(query);
}

function encoded(value: string, url: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw notRouted(url); // half of a surrogate pair
  }
}

function notRouted(url: string): MeshError {
  return new MeshError('route_not_found', `Nothing is at ${url.split('?', 1)[0]}.`);
}
