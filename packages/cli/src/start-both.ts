/** A coordinator and a panel in one process: read together, started one after the other, ended the other way round. */
import { join } from 'node:path';
import { DEFAULT_DATA_DIR, type Environment } from './config.ts';

interface Running {
  readonly failure?: Promise<unknown>;
  close(): Promise<void>;
}

interface Both<C extends Running, P extends Running> extends Running {
  readonly coordinator: C;
  readonly panel: P;
}

/** The coordinator hands the panel its token in a file of the data folder, unless the configuration says otherwise. */
export function withPanelToken(environment: Environment): Environment {
  const folder = environment.MESH_DATA_DIR || DEFAULT_DATA_DIR;
  return { ...environment, MESH_PANEL_TOKEN_FILE: environment.MESH_PANEL_TOKEN_FILE ?? join(folder, 'panel-token') };
}

/** Where the panel finds the coordinator that was just started, and what it knows it by. */
export function besideCoordinator(environment: Environment, url: string): Environment {
  if (environment.MESH_COORDINATOR_URL !== undefined) return environment;
  const MESH_COORDINATOR_URL = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  // Its certificate names what others reach it by, and not this machine's own address.
  return {
    ...environment,
    MESH_COORDINATOR_URL,
    MESH_COORDINATOR_CERT: environment.MESH_COORDINATOR_CERT ?? environment.MESH_TLS_CERT,
  };
}

interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** Both, or everything that is wrong with either. */
export function readBoth<C, P>(coordinator: () => C, panel: () => P): { readonly coordinator: C; readonly panel: P } {
  const problems = new Map<string, ConfigProblem>();
  const read = <T>(config: () => T): T | undefined => {
    try {
      return config();
    } catch (error) {
      if (!(error instanceof Error) || !('problems' in error) || !Array.isArray(error.problems)) throw error;
      for (const one of error.problems as readonly ConfigProblem[]) problems.set(`${one.variable} ${one.problem}`, one);
      return undefined;
    }
  };
  const [ofCoordinator, ofPanel] = [read(coordinator), read(panel)];
  if (ofCoordinator !== undefined && ofPanel !== undefined) return { coordinator: ofCoordinator, panel: ofPanel };
  throw Object.assign(new Error([...problems.keys()].join('\n')), { problems: [...problems.values()] });
}

export async function startBoth<C extends Running, P extends Running>(
  startCoordinator: () => Promise<C>,
  startPanel: (coordinator: C) => Promise<P>,
): Promise<Both<C, P>> {
  const coordinator = await startCoordinator();
  try {
    const panel = await startPanel(coordinator);
    const close = async () => {
      try {
        await panel.close();
      } finally {
        await coordinator.close();
      }
    };
    const failures = [coordinator, panel].flatMap(({ failure }) => failure ?? []);
    return { coordinator, panel, failure: Promise.race(failures), close };
  } catch (error) {
    await coordinator.close();
    throw error;
  }
}
