import type { CertificateWithChain } from '@meshwork/contract';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../../session/session.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { IssueForm } from './issue-form.tsx';
import classes from './issue-page.module.css';
import { Issued } from './issued.tsx';
import { MakeRequest } from './make-request.tsx';

/** A certificate for a service, from a request that was made where it runs. */
export default function IssuePage() {
  const { permissions, user } = useSession();
  const [issued, setIssued] = useState<CertificateWithChain | null>(null);
  return (
    <Page
      title="Issue certificate"
      subtitle="For a service of a node. Nodes get their own certificates by themselves."
      back={{ to: '/certificates', label: 'Certificates' }}
    >
      {permissions.includes('ca:issue') ? (
        issued === null ? (
          <div className={classes.steps}>
            <MakeRequest />
            <IssueForm onIssued={setIssued} />
          </div>
        ) : (
          <Issued certificate={issued} again={() => setIssued(null)} />
        )
      ) : (
        <EmptyState icon={IconLock} title="Your role does not allow this">
          Issuing a certificate requires the permission <code>ca:issue</code>, which the role {user.role} does not have.
        </EmptyState>
      )}
    </Page>
  );
}
