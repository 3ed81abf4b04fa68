/** The coordinator as a process of its own, so that it can have a core for itself. Reports its address and its usage. */
import { readFile } from 'node:fs/promises';
import { readConfig, startCoordinator } from '@meshwork/coordinator';
import { LineReach } from './line-reach.ts';
import { answerMeter } from './meter.ts';

const startedAt = performance.now();
const config = readConfig(process.env);
/** How many peers each node has on either side; without it they go by boundary, as they do in a new mesh. */
const each = Number(process.argv[2] ?? 0);
const running = await startCoordinator(config, each > 0 ? { reach: new LineReach(each) } : {});
const started_ms = performance.now() - startedAt;
const ready = {
  port: Number(new URL(running.url).port),
  token: (await readFile(config.bootstrap_token_file, 'utf8')).trim(),
  started_ms,
  process_ms: process.uptime() * 1000,
  rss: process.memoryUsage.rss(),
};
answerMeter();
process.send?.(ready);
process.once('SIGTERM', () => void running.close().then(() => process.disconnect?.()));
