import { Button } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { handOver } from '../../../ui/hand-over.ts';
import { notify } from '../../../ui/notify.tsx';
import { type AuditQuery, exportTrail } from './export-trail.ts';

interface ExportButtonProps {
  readonly query: AuditQuery;
  readonly isFiltered: boolean;
}

/** Everything that the filters let through, as a file. A second click ends it. */
export function ExportButton({ query, isFiltered }: ExportButtonProps) {
  const [exported, setExported] = useState<number | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const ending = new AbortController();
    running.current = ending;
    setExported(0);
    try {
      const file = await exportTrail({ query, signal: ending.signal, progress: setExported });
      handOver(file, `mesh-audit-${new Date().toISOString().slice(0, 10)}.ndjson`);
    } catch (error) {
      if (!ending.signal.aborted) notify.failed(error);
    } finally {
      running.current = null;
      setExported(null);
    }
  };
  if (exported !== null) {
    return (
      <Button
        variant="default"
        leftSection={<IconX size={16} aria-hidden />}
        onClick={() => running.current?.abort()}
        aria-live="polite"
      >
        Cancel, {exported.toLocaleString()} read
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      title="NDJSON, one entry per line, oldest first"
      onClick={() => void start()}
    >
      {isFiltered ? 'Export filtered' : 'Export'}
    </Button>
  );
}
