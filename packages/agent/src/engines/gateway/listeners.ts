/** Where nginx takes connections for host names. */
import type { NginxInput } from './nginx-input.ts';
import { type Directive, directive } from './nginx-text.ts';

export function listens(
  { ipv6, http_port, https_port }: NginxInput,
  scheme: 'http' | 'https',
  options: readonly string[] = [],
): readonly Directive[] {
  const port = scheme === 'http' ? http_port : https_port;
  const all = [...(scheme === 'http' ? [] : ['ssl', 'http2']), ...options];
  return (ipv6 ? [`${port}`, `[::]:${port}`] : [`${port}`]).map((place) => directive('listen', place, ...all));
}
