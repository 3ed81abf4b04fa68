import { driverContract } from '../../../test/wireguard-driver-contract.ts';
import { ENGINES } from '../../../test/wireguard-places.ts';

for (const [engine, newDriver] of ENGINES) driverContract(engine, newDriver);
