import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { RunningCoordinator } from '@meshwork/coordinator';
import type { Command } from 'commander';
import { DEFAULT_DATA_DIR, DEFAULT_URL, programName } from '../config.ts';
import { panelFields, type StartedPanel } from '../panel-fields.ts';
import { serve } from '../serve.ts';
import { serviceCommand } from '../service-flags.ts';
import { outputOf } from '../session.ts';
import { besideCoordinator, readBoth, startBoth, withPanelToken } from '../start-both.ts';
import { fields } from '../table.ts';

export function up(): Command {
  return serviceCommand('up', ['coordinator', 'panel'])
    .description('Start the coordinator and the panel in this process.')
    .action(async (_options: object, command: Command) => {
      const { readConfig, startCoordinator } = await import('@meshwork/coordinator');
      const { readConfig: readPanelConfig, startPanel } = await import('@meshwork/panel');
      await serve(command, {
        readConfig: (given) => {
          // A person who starts it reads the banner; logs are for those who collect them.
          const environment = withPanelToken({ MESH_LOG_LEVEL: 'warn', ...given });
          const configs = readBoth(
            () => readConfig(environment),
            () => readPanelConfig(environment),
          );
          return { ...configs, environment };
        },
        start: ({ coordinator, environment }, { recover, ...recovery }) =>
          startBoth(
            () => startCoordinator(coordinator, { recover }),
            ({ url }) => startPanel(readPanelConfig(besideCoordinator(environment, url)), recovery),
          ),
        started: ({ coordinator, panel }, config) => {
          outputOf(command).notice(banner(coordinator, panel, config.coordinator.bootstrap_token_file));
        },
      });
    });
}

/** On standard error: the logs have standard output to themselves. It names where the token is, never the token. */
function banner(running: RunningCoordinator, panel: StartedPanel, tokenFile: string): string {
  const lines = fields([
    ...panelFields(panel),
    ['  API', `${running.url}/v1`],
    ['  Reference', `${running.url}/docs`],
    ...(running.tls_pin === null ? [] : [['  Pin', `${running.tls_pin} (for agents: --pin)`] as const]),
    ['  Token', tokenText(running, tokenFile)],
    ['  Next', nextCommand(running.url, tokenFile)],
  ]);
  return `\nMeshwork is up.\n\n${lines}\n\nPress Ctrl-C to stop.\n`;
}

function tokenText(running: RunningCoordinator, tokenFile: string): string {
  if (running.bootstrap_token_file !== null) return `${fromHere(tokenFile)} (an owner's, good for 24 h from now)`;
  if (existsSync(tokenFile)) return `${fromHere(tokenFile)} (from an earlier start; good for 24 h from then)`;
  return `yours, in MESH_TOKEN or --token-file (all lost? restart with --recover)`;
}

/** Short when it lies in the folder that this was started in. */
function fromHere(file: string): string {
  const path = relative('.', file);
  return path.startsWith('..') || isAbsolute(path) ? file : `./${path}`;
}

/** A command for another terminal, with flags only where the defaults of `mesh` do not fit. */
function nextCommand(url: string, tokenFile: string): string {
  const words = [programName()];
  if (url !== DEFAULT_URL) words.push('--url', url);
  if (existsSync(tokenFile) && tokenFile !== resolve(DEFAULT_DATA_DIR, 'bootstrap-token')) {
    words.push('--token-file', fromHere(tokenFile));
  }
  return [...words, 'whoami'].join(' ');
}
