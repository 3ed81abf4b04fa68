/** Which ingresses a person looks for. There are few enough for the page to have them all. */
import type { Ingress } from '@meshwork/contract';

interface Wanted {
  readonly q?: string;
  readonly state?: string;
  /** By name. */
  readonly gateway?: string;
}

export function matches(ingress: Ingress, { q = '', state, gateway }: Wanted): boolean {
  if (state !== undefined && ingress.state !== state) return false;
  if (gateway !== undefined && !ingress.assigned_to.some(({ name }) => name === gateway)) return false;
  const part = q.trim().toLowerCase();
  const { name, hostname, port, service, routes } = ingress;
  const words = [name, `${hostname}:${port ?? ''}`, service ?? '', ...routes.map((route) => route.service)];
  return words.some((word) => word.toLowerCase().includes(part));
}
