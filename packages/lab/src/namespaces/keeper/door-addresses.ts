import { UNDERLAY, type Underlay } from '../plan/fixed.ts';

/** Where nodes find the coordinator, whatever its real address is. */
export interface Door {
  readonly hosts: readonly string[];
  readonly port: number;
  readonly url: string;
}

export const DOOR_PORT = 7400;
export const DOOR_URL = `http://${UNDERLAY.gateway}:${DOOR_PORT}`;

/** Some sites let nothing else out. */
const PUBLIC_DOOR_PORT = 443;

export function doorOf({ gateway, gateway6, coordinator_name }: Underlay): Door {
  const hosts = [gateway, gateway6];
  if (coordinator_name === null) return { hosts, port: DOOR_PORT, url: DOOR_URL };
  return { hosts, port: PUBLIC_DOOR_PORT, url: `http://${coordinator_name}:${PUBLIC_DOOR_PORT}` };
}
