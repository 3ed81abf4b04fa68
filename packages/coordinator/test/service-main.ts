import { readConfig, startCoordinator } from '../src/index.ts';

const running = await startCoordinator(readConfig(process.env));
process.send?.(running.url);
process.once('SIGTERM', () => void running.close().then(() => process.disconnect?.()));
