/** Words for what happens to authorities and certificates. */
import type { EventRecord } from '@meshwork/contract';
import { type FamilyWords, nameIn } from '../../feature/event-words.ts';
import { plural } from '../../ui/plural.ts';
import { reasonWords } from './certificate-words.ts';

export const AUTHORITY_EVENTS: FamilyWords<'authority'> = {
  title: 'Authority events',
  subject: (event) => rotationIn(event) ?? `Authority ${nameIn(event)}`,
  to: () => '/certificates',
  happened: {
    'authority.created': 'was created',
    'authority.rotation_started': 'was started',
    'authority.rotation_cancelled': 'was cancelled',
    'authority.switched': ({ unproven }) => (unproven > 0 ? `is in use; ${notProven(unproven)}` : 'is in use'),
    'authority.retired': 'was retired',
    'authority.key_exported': 'had its key exported',
    'authority.key_dropped': 'has its key outside the installation now',
  },
  stale: ['ca', 'overview'],
};

/** `Rotation of the root`. Null: the event is about an authority. */
function rotationIn({ type, data: { what } }: EventRecord): string | null {
  if (type !== 'authority.rotation_started' && type !== 'authority.rotation_cancelled') return null;
  return what === 'root' ? 'Rotation of the root' : 'Rotation of the intermediate';
}

function notProven(count: number): string {
  return `${plural(count, 'node has', 'nodes have')} not proven that ${count === 1 ? 'it trusts' : 'they trust'} it`;
}

export const CERTIFICATE_EVENTS: FamilyWords<'certificate'> = {
  title: 'Certificate events',
  subject: (event) =>
    `${event.type === 'certificate.refused' ? 'Certificate request' : 'Certificate'} of ${nameIn(event)}`,
  // A refused request has no certificate: its subject is the node.
  to: ({ type, subject }) => (type === 'certificate.refused' ? `/nodes/${subject.id}` : `/certificates/${subject.id}`),
  happened: {
    'certificate.issued': 'was issued',
    'certificate.refused': ({ reason }) => `was refused: ${reason}`,
    'certificate.revoked': ({ reason }) => {
      const why = reasonWords(reason);
      return why === null ? 'was revoked' : `was revoked: ${why.toLowerCase()}`;
    },
  },
  stale: ['ca', 'overview'],
};
