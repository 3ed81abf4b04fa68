/** What the bench needs to compare relayed links with. */
export { Carrier } from '../src/carrier/carrier.ts';
export { startDaemon } from '../src/host/start-daemon.ts';
export { startBare } from './bare-turn.ts';
export { nextEvent, pings, RELAYS, RelayScene, setEndpoint, setWays } from './relay-scene.ts';
