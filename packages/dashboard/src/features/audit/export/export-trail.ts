/** The trail as a file, an entry a line, oldest first: what `mesh audit verify --file` takes. */
import type { RequestOf } from '@meshwork/client';
import { coordinator } from '../../../api/clients.ts';

/** As many lines as are put away at once: a browser keeps large blobs on disk, and strings in memory. */
const TOGETHER = 1_000;

export type AuditQuery = NonNullable<RequestOf<'audit.list'>['query']>;

interface ExportTrail {
  readonly query: AuditQuery;
  readonly signal: AbortSignal;
  readonly progress: (entries: number) => void;
}

/** All of it or nothing: what breaks in the middle rejects. */
export async function exportTrail({ query, signal, progress }: ExportTrail): Promise<Blob> {
  const parts: Blob[] = [];
  let lines: string[] = [];
  let count = 0;
  const putAway = () => {
    parts.push(new Blob(lines));
    lines = [];
    progress(count);
  };
  for await (const entry of coordinator.lines('audit.list', { query, signal })) {
    lines.push(`${JSON.stringify(entry)}\n`);
    count += 1;
    if (lines.length === TOGETHER) putAway();
  }
  putAway();
  return new Blob(parts, { type: 'application/x-ndjson' });
}
