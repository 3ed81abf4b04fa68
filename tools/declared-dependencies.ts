/** Holds each package.json to what the package's files import: nothing undeclared, nothing declared in vain. */
import type { Edge } from './import-edges.ts';
import { isTestFile, type Manifest, type Package, packageOf, type Workspace } from './workspace.ts';

export function findUndeclared(workspace: Workspace, edges: readonly Edge[]): readonly string[] {
  const reported = new Set<string>();
  return edges.flatMap((edge) => {
    const problem = undeclared(workspace, edge);
    const key = `${edge.from} ${edge.dependency}`;
    if (problem === undefined || reported.has(key)) return [];
    reported.add(key);
    return [`${edge.from}:${edge.line} imports ${edge.dependency}: ${problem}`];
  });
}

function undeclared(workspace: Workspace, { from, dependency }: Edge): string | undefined {
  if (dependency === undefined) return undefined;
  const home = packageOf(workspace, from);
  if (home === undefined) {
    // npm links every package of the workspace for the tools; only what comes from outside needs declaring.
    const known = dependency.startsWith('@meshwork/') || declares(workspace.manifest, dependency, 'anywhere');
    return known ? undefined : 'the root package.json does not declare it';
  }
  if (dependency === home.name || declares(home.manifest, dependency, 'to run')) return undefined;
  const inRoot = workspace.manifest.devDependencies?.[dependency] !== undefined;
  if (isTestFile(from)) {
    if (inRoot || declares(home.manifest, dependency, 'anywhere')) return undefined;
    return `neither ${home.folder}/package.json nor the root's devDependencies declare it`;
  }
  return declares(home.manifest, dependency, 'anywhere')
    ? `${home.folder}/package.json has it under devDependencies, but it is needed to run`
    : `${home.folder}/package.json does not declare it`;
}

export function findUnused(workspace: Workspace, edges: readonly Edge[]): readonly string[] {
  return workspace.packages.flatMap((home) => {
    const used = new Set(
      edges.filter(({ from }) => packageOf(workspace, from) === home).map((edge) => edge.dependency),
    );
    return mustBeUsed(home)
      .filter((dependency) => !used.has(dependency))
      .map((dependency) => `${home.folder}/package.json declares ${dependency}: no file of the package imports it`);
  });
}

/** Development tools are run rather than imported, so only ours must be used wherever they are declared. */
function mustBeUsed({ manifest }: Package): readonly string[] {
  const development = Object.keys(manifest.devDependencies ?? {}).filter((name) => name.startsWith('@meshwork/'));
  return [...Object.keys(manifest.dependencies ?? {}), ...development];
}

function declares(manifest: Manifest, dependency: string, where: 'to run' | 'anywhere'): boolean {
  const { dependencies, peerDependencies, devDependencies } = manifest;
  const tables = [dependencies, peerDependencies, ...(where === 'anywhere' ? [devDependencies] : [])];
  return tables.some((table) => table?.[dependency] !== undefined);
}
