import { familyOf } from '@meshwork/addresses';
import type { CheckedPlace, OutsideFinding } from '@meshwork/contract';

interface About {
  readonly address?: string | undefined;
  readonly port?: number | undefined;
  readonly gateway?: string | undefined;
}

export function finding(
  kind: OutsideFinding['finding'],
  level: OutsideFinding['level'],
  summary: string,
  remedy: string | null,
  { address, port, gateway }: About = {},
): OutsideFinding {
  return {
    finding: kind,
    level,
    summary,
    remedy,
    address: address ?? null,
    port: port ?? null,
    gateway: gateway ?? null,
  };
}

export function placeWords({ address, port }: Pick<CheckedPlace, 'address' | 'port'>): string {
  return `${familyOf(address) === 6 ? `[${address}]` : address} port ${port}`;
}
