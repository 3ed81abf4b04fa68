import { readConfig, startCoordinator } from '../src/index.ts';

const running = await startCoordinator(readConfig(process.env));
process.once('SIGTERM', () => void running.close().then(() => process.disconnect?.()));
process.send?.(running.url); // last: the parent may send the signal at once
