import { chmod, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../src/namespaces/network/run.ts';
import type { KillableMesh } from '../killable-mesh.ts';
import { MESH_PROGRAM } from '../lab-scene.ts';

const DOCS = new URL('../../../../docs/operate/', import.meta.url);
/** Where a person would answer at a terminal. */
const ASKS = /^mesh ca rotate/;

/** What has to be done once in a mesh, before there is an ingress. */
const ONCE = /^mesh (?:settings|ca) /;

/** What needs an authority outside of the mesh. */
const ORDERED = /^mesh ingress (?:authority|order) |--certificate letsencrypt/;

/** Every command of docs/operate/ingress.md that is of `mesh`, as it stands there, in its order. */
export async function commandsOfPage(which: 'once' | 'ordered' | 'others'): Promise<readonly string[]> {
  const kindOf = (line: string) => (ONCE.test(line) ? 'once' : ORDERED.test(line) ? 'ordered' : 'others');
  return (await commandsOf('ingress.md')).filter((line) => kindOf(line) === which);
}

/** Every command of a page of `docs/operate` that is of `mesh`, as it stands there, in its order. */
export async function commandsOf(page: string): Promise<readonly string[]> {
  const text = await readFile(fileURLToPath(new URL(page, DOCS)), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split('\n')).filter((line) => line.startsWith('mesh '));
}

/** Runs commands as an operator of this mesh would, with `mesh` on the path and these files beside. Answers with what each printed. */
export async function runAsOperator(
  mesh: KillableMesh,
  commands: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-operator-'));
  const program = join(folder.path, 'mesh');
  const set = [`MESH_URL=${mesh.url}`, `MESH_TOKEN=${mesh.token}`, `HOME=${folder.path}`];
  const text = ['#!/bin/sh', ...set.map((one) => `export ${one}`), `exec ${MESH_PROGRAM.join(' ')} "$@"`, ''];
  await writeFile(program, text.join('\n'));
  await chmod(program, 0o700);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content);
  const printed: string[] = [];
  for (const command of commands) {
    const line = ASKS.test(command) ? `${command} --yes` : command;
    printed.push(
      await runProgram('sh', ['-e', '-c', `PATH=${folder.path}:$PATH\ncd ${folder.path}\n${line}`], {
        timeout_ms: 120_000,
      }),
    );
  }
  return printed;
}
