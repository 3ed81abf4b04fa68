import { join } from 'node:path';
import { type Document, openStore } from '@meshwork/store';
import type { TestCoordinator } from './harness.ts';

/** Rewrites a document as another version might have written it, while the coordinator is down, and starts it again. */
export async function alterStored(
  mesh: TestCoordinator,
  { kind, id }: { readonly kind: string; readonly id: string },
  alter: (body: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  await mesh.down();
  const journal = await openStore(`sqlite:${join(mesh.folder, 'mesh.db')}`);
  try {
    const found: Document[] = [];
    const at = await journal.load((documents) => {
      found.push(...documents.filter((one) => one.kind === kind && one.id === id));
    });
    const body = JSON.stringify(alter(JSON.parse(found[0]?.body ?? 'null')));
    await journal.commit(at, () => [{ revision: at + 1, changes: [{ kind, id, body }], appends: [] }]);
  } finally {
    await journal.close();
  }
  await mesh.up();
}
