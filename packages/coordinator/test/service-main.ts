import { readConfig, startCoordinator } from '../src/index.ts';

const running = await startCoordinator(readConfig(process.env));
process.stdout.write(`${running.url}\n`);
process.once('SIGTERM', () => void running.close());
