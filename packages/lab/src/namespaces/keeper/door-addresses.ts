import { UNDERLAY } from '../plan/fixed.ts';

/** Where nodes find the coordinator, whatever its real address is. */
export const DOOR_PORT = 7400;
export const DOORS = [UNDERLAY.gateway, UNDERLAY.gateway6] as const;
export const DOOR_URL = `http://${UNDERLAY.gateway}:${DOOR_PORT}`;
