import { useSession } from '../../../session/session.tsx';
import type { Prepared } from './enrol-form.tsx';
import { HasJoined } from './has-joined.tsx';
import { HowToJoin } from './how-to-join.tsx';
import { useJoined } from './use-joined.ts';

interface EnrolReadyProps {
  readonly prepared: Prepared;
  readonly onDone: () => void;
}

/** What to type on the machine, until it has come. */
export function EnrolReady({ prepared, onDone }: EnrolReadyProps) {
  const { url } = useSession().coordinator;
  const joined = useJoined(prepared);
  return joined === null ? (
    <HowToJoin prepared={prepared} url={url} onDone={onDone} />
  ) : (
    <HasJoined name={prepared.name} joined={joined} onDone={onDone} />
  );
}
