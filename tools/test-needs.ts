/** What test files need before they can run: system packages, and the dashboard's build for those that show it. */
import { buildDashboard, isFresh } from './dashboard-build.ts';
import { ensurePackages, packagesFor, thisMachine } from './system-packages.ts';

/** False: something is missing, and we have said what. */
export async function ensureNeeds(root: string, files: readonly string[]): Promise<boolean> {
  if (!(await ensurePackages(packagesFor(files), thisMachine()))) return false;
  try {
    const needsDashboard = files.some((file) => file.startsWith('packages/dashboard/'));
    if (needsDashboard && !(await isFresh(root))) await buildDashboard(root);
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}
