import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** Where an agent and its carrier meet, in a folder that only root may read. */
export function carrierPlaces(run_folder: string) {
  return {
    path: join(run_folder, 'carrier.sock'),
    pid_file: join(run_folder, 'carrier.pid'),
    log: join(run_folder, 'carrier.log'),
    /** Of the code that runs. An agent of another version ends this carrier, and starts its own. */
    version: packageJson.version,
  };
}
