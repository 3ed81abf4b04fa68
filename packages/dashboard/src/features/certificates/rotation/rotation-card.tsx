import { Progress, Text } from '@mantine/core';
import type { Rotation } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { Actor } from '../../../ui/actor.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { Ago, Moment } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { CancelRotation } from './cancel-rotation.tsx';
import { NodeNames } from './node-names.tsx';
import { percentProven, provenWords, ROTATED_WORDS, renewingWords } from './rotation-words.ts';

/** Ours: heartbeats bring proofs without an event. After the switch only renewals are left, which take an hour. */
const PUBLISHING_EVERY_MS = 5_000;
const RETIRING_EVERY_MS = 30_000;

/** The rotation under way: how far it is, and which nodes it waits for. */
export function RotationCard({ rotation }: { readonly rotation: Rotation }) {
  const { what, switched_at } = rotation;
  useRead('ca.show', undefined, { every_ms: switched_at === null ? PUBLISHING_EVERY_MS : RETIRING_EVERY_MS });
  return (
    <Section
      title="Rotation"
      description={ROTATED_WORDS[what].text}
      actions={switched_at === null && <CancelRotation what={what} />}
    >
      {switched_at === null ? (
        <Proofs rotation={rotation} />
      ) : (
        <Text size="sm">
          In use since <Moment at={switched_at} />, {renewingWords(rotation)}
        </Text>
      )}
      <Facts items={factsOf(rotation)} />
    </Section>
  );
}

function Proofs({ rotation }: { readonly rotation: Rotation }) {
  const said = provenWords(rotation);
  return (
    <div>
      <Text size="sm" mb={6}>
        {said}
      </Text>
      <Progress value={percentProven(rotation.nodes)} size="md" aria-label={said} />
    </div>
  );
}

function factsOf(rotation: Rotation): readonly Fact[] {
  const { started_at, started_by, deadline, not_before, switched_at, nodes, waiting, absent } = rotation;
  const isSwitched = switched_at !== null;
  const started = (
    <>
      <Ago at={started_at} /> by <Actor actor={started_by} />
    </>
  );
  return [
    ...(nodes.fresh === nodes.proven
      ? []
      : [
          {
            label: isSwitched ? 'Not proven yet' : 'Waiting for',
            value: <NodeNames nodes={waiting} total={nodes.fresh - nodes.proven} />,
            help: isSwitched
              ? 'These nodes refuse new certificates until they trust the new authority.'
              : 'Fresh nodes that have not proven by heartbeat that they trust the new authority.',
          },
        ]),
    ...(nodes.absent === 0
      ? []
      : [
          {
            label: isSwitched ? 'Overdue' : 'Overdue, not waited for',
            value: <NodeNames nodes={absent} total={nodes.absent} />,
            help: 'These nodes refuse new certificates until they are back and trust the new authority.',
          },
        ]),
    ...(isSwitched || not_before === null
      ? []
      : [
          {
            label: 'Not before',
            value: <Deadline at={not_before} />,
            help: 'Until then the new authorities are only published, so that machines outside the mesh can fetch the trust bundle.',
          },
        ]),
    ...(isSwitched ? [] : [{ label: 'Deadline', value: deadline === null ? 'None' : <Deadline at={deadline} /> }]),
    { label: 'Started', value: started },
  ];
}

function Deadline({ at }: { readonly at: string }) {
  return (
    <>
      <Moment at={at} /> (<Ago at={at} />)
    </>
  );
}
