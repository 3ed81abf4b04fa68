import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { type GlobalFlags, readEnvironment } from '../config.ts';
import { Failure } from '../failure.ts';
import { screenOf } from '../output.ts';
import { serve } from '../serve.ts';
import { outputOf } from '../session.ts';
import { besideCoordinator, readBoth, startBoth, withPanelToken } from '../start-both.ts';
import { guideOf, guideText } from './demo-guide.ts';

interface Options {
  readonly listen: string;
  readonly panelListen: string;
  readonly nodes: number;
}

/** Ours: more nodes take too long to join, since each one is sent to all the others, all in one process. */
const MOST_NODES = 200;

export function demo(): Command {
  return new Command('demo')
    .description('Start a demo: a coordinator, a panel and simulated nodes, with commands to try.')
    .option('--nodes <count>', 'how many', wholeNumber, 48)
    .option('--listen <host:port>', 'where to serve the API', '127.0.0.1:7400')
    .option('--panel-listen <host:port>', 'where to serve the panel', '127.0.0.1:7480')
    .addHelpText(
      'after',
      '\nIt keeps everything in a folder of its own, which Ctrl-C removes. For more nodes there is `mesh fleet`.',
    )
    .action(async ({ listen, panelListen, nodes }: Options, command: Command) => {
      const { DEMO_CAST, DEMO_PACE, FEWEST_DEMO_NODES, runDemo } = await import('@meshwork/lab');
      if (nodes < FEWEST_DEMO_NODES || nodes > MOST_NODES) {
        const message = `a demo has ${FEWEST_DEMO_NODES} to ${MOST_NODES} nodes, not ${nodes}`;
        throw new Failure(message, { exit: 'usage', code: 'usage' });
      }
      const { readConfig, startCoordinator } = await import('@meshwork/coordinator');
      const { readConfig: readPanelConfig, startPanel } = await import('@meshwork/panel');
      const out = outputOf(command);
      const folder = passingFolder();
      await serve(command, {
        // The environment is ignored: it is for a mesh in use.
        readConfig: () => {
          const environment = withPanelToken({
            MESH_DATA_DIR: folder,
            MESH_COORDINATOR_LISTEN: listen,
            MESH_PANEL_LISTEN: panelListen,
            MESH_LOG_LEVEL: 'error',
          });
          const configs = readBoth(
            () => readConfig(environment),
            () => readPanelConfig(environment),
          );
          return { ...configs, environment };
        },
        start: ({ coordinator, environment }) =>
          startBoth(
            () => startCoordinator(coordinator),
            ({ url }) => startPanel(readPanelConfig(besideCoordinator(environment, url))),
          ),
        started: async ({ coordinator: { url }, panel }, { coordinator: { bootstrap_token_file } }, signal) => {
          const token = (await readFile(bootstrap_token_file, 'utf8')).trim();
          const environment = await readEnvironment(command.optsWithGlobals<GlobalFlags>());
          const guide = guideOf(
            {
              url,
              panel_url: panel.url,
              setup_code: panel.setup_code,
              data_dir: folder,
              token_file: bootstrap_token_file,
              nodes,
            },
            DEMO_CAST,
            environment,
          );
          const ready = () => out.result(guide, () => guideText(guide, DEMO_CAST, DEMO_PACE.stale_after_s));
          await runDemo({ url, token, nodes }, { screen: screenOf(out), signal, ready });
        },
      });
    });
}

/** Is gone with the process, however that ends, short of being killed. */
function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-demo-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
