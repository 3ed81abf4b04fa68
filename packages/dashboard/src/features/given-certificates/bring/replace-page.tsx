import { useNavigate, useParams } from '@tanstack/react-router';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { Permitted } from '../../../session/permitted.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { PemForm } from './pem-form.tsx';

/** A renewed certificate in place of one: gateways show it to the next client. */
export default function ReplacePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('given_certificates.show', { params: { id } });
  const page = `/given-certificates/${id}`;
  const name = query.data?.body.name ?? 'certificate';
  const touches = ['ingress', 'overview', 'audit'];
  const replace = useAction('given_certificates.replace', { quiet: true, touches, done: `${name} replaced` });
  const navigate = useNavigate();
  return (
    <Page
      title={`Replace ${name}`}
      subtitle="With a renewed certificate and its key. Gateways show it to the next client, and ingresses stay as they are."
      back={{ to: page, label: query.data?.body.name ?? 'Given certificate' }}
    >
      <Permitted permission="given_certificates:write" doing="Bringing a certificate">
        <Loaded query={query}>
          {() => (
            <PemForm
              isReady
              action="Replace"
              cancel={page}
              error={replace.error}
              isRunning={replace.isRunning}
              onSubmit={async (pem) => {
                await replace.run({ params: { id }, body: pem });
                await navigate({ to: page });
              }}
            />
          )}
        </Loaded>
      </Permitted>
    </Page>
  );
}
