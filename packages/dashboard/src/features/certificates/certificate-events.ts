/** Words for what happens to authorities and certificates. */
import { type FamilyWords, nameIn } from '../../feature/event-words.ts';
import { reasonWords } from './certificate-words.ts';

export const AUTHORITY_EVENTS: FamilyWords<'authority'> = {
  title: 'Authority events',
  subject: (event) => `Authority ${nameIn(event)}`,
  to: () => '/certificates',
  happened: { 'authority.created': 'was created' },
  stale: ['ca', 'overview'],
};

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
